import type { History, Mark, ShownEntry } from "./history.ts";
import { OTHERS } from "./fold-others.ts";
import { ROLLBACKS, withdrawRollback } from "./fold-rollbacks.ts";
import { queueAgain, STEPS } from "./fold-steps.ts";
import { WAITS } from "./fold-waits.ts";
import { close, endSpan, spokenOf } from "./operation-history.ts";

type Of<Type extends ShownEntry["type"]> = Extract<ShownEntry, { readonly type: Type }>;

type Fold = { readonly [Type in ShownEntry["type"]]: (history: History, entry: Of<Type>) => void };

/** Takes one entry into the history. */
export function remember(history: History, entry: ShownEntry): void {
  // The cast: which function fits which entry is what the table's type has already checked. An entry that a newer engine
  // wrote has none, and is shown in the journal alone.
  const take = FOLD[entry.type] as ((history: History, entry: ShownEntry) => void) | undefined;
  take?.(history, entry);
  history.entries = entry.entry + 1;
  history.lastAt = entry.at;
}

const FOLD: Fold = {
  started(history, entry) {
    history.startedAt = entry.at;
    history.input = { entry: entry.entry, value: entry.input };
    history.policy = entry.policy;
    history.timeoutMs = entry.timeoutMs;
    history.parent = entry.parent;
    mark(history, entry, { kind: "start", text: entry.startAt === undefined ? "Started" : "Accepted, to start later" });
  },
  ...STEPS,
  ...WAITS,
  ...OTHERS,
  ...ROLLBACKS,
  "cancel-requested"(history, entry) {
    mark(history, entry, {
      kind: "cancel",
      text: entry.by === "deadline" ? "The deadline passed" : "Cancellation was requested",
    });
  },
  "cancel-delivered"(history, entry) {
    for (const { op } of entry.ops) {
      close(spokenOf(history, { op, entry: entry.entry }), entry.at, "cancelled");
    }
    mark(history, entry, { kind: "cancel", text: "The cancellation reached the code" });
  },
  "run-failed"(history, entry) {
    mark(history, entry, {
      kind: "run",
      text: `Run ${entry.attempt} failed: ${entry.failure.name}: ${entry.failure.message}`,
    });
  },
  "run-started"(history, entry) {
    mark(history, entry, { kind: "run", text: `Run ${entry.attempt}` });
  },
  paused(history, { at: from, by, code, message }) {
    history.pauses.push({ from, to: undefined, by, code, message });
  },
  resumed(history, { at }) {
    endPause(history, at);
  },
  "attempts-withdrawn"(history, entry) {
    for (const op of entry.ops) withdraw(history, { op, entry: entry.entry, at: entry.at }, "withdrawn");
  },
  recovered() {},
  // What the directory knows is no part of what the execution did.
  reported() {},
  "report-failed"() {},
  progress(history, { entry, value }) {
    history.progress = { entry, value };
  },
  attributes() {},
  patched(history, entry) {
    mark(history, entry, { kind: "patch", text: `Patch ${entry.id}` });
  },
  "forked-from"(history, entry) {
    history.forkedFrom = { id: entry.id, entry: entry.entry };
    endPause(history, entry.at);
    for (const { op, status, rollback } of history.operations) {
      const isUnderWay = status === "running" || rollback?.status === "running";
      if (isUnderWay) withdraw(history, { op, entry: entry.entry, at: entry.cutAt }, "forked");
    }
    mark(history, entry, { kind: "fork", text: `Forked from ${entry.id}` });
  },
  abandoned(history, entry) {
    for (const { op } of entry.ops) {
      close(spokenOf(history, { op, entry: entry.entry }), entry.at, "abandoned");
    }
  },
  completed(history, entry) {
    end(history, entry, "Completed");
  },
  failed(history, entry) {
    end(history, entry, `Failed with ${entry.code}`);
  },
  cancelled(history, entry) {
    end(history, entry, entry.by === "terminated" ? "Terminated" : "Cancelled");
  },
};

function mark({ marks }: History, { entry, at }: ShownEntry, said: Pick<Mark, "kind" | "text">): void {
  marks.push({ entry, at, ...said });
}

function endPause(history: History, at: number): void {
  const pause = history.pauses.at(-1);
  if (pause !== undefined) pause.to ??= at;
}

/** What was under way is not any more, and is still to come. */
function withdraw(
  history: History,
  entry: { readonly op: number; readonly entry: number; readonly at: number },
  how: "withdrawn" | "forked",
): void {
  const operation = spokenOf(history, entry);
  const { rollback } = operation;
  if (rollback?.status === "running") return withdrawRollback(rollback, entry.at, how);
  // A start or a message on its way is sent again by the fork.
  if (operation.kind !== "step") return;
  endSpan(operation, entry.at, how);
  queueAgain(operation, entry);
}

function end(history: History, entry: Of<"completed" | "failed" | "cancelled">, text: string): void {
  history.end = entry;
  endPause(history, entry.at);
  mark(history, entry, { kind: "end", text: text });
}
