import type { History, ShownEntry } from "./history.ts";
import { askFor, beginSpan, close, spokenOf } from "./operation-history.ts";
import { wait } from "./fold-waits.ts";

type Of<Type extends ShownEntry["type"]> = Extract<ShownEntry, { readonly type: Type }>;

/** The part of the history that is about other executions: children, waits for an end, messages. */
export const OTHERS = {
  "child-requested"(history: History, entry: Of<"child-requested">): void {
    send(history, entry).given = { entry: entry.entry, value: entry.input };
  },
  "child-started"(history: History, entry: Of<"child-started">): void {
    const child = spokenOf(history, entry);
    child.isAdopted = entry.adopted === true;
    closeIfOpen(history, entry, "completed");
  },
  "child-refused"(history: History, entry: Of<"child-refused">): void {
    refuse(history, entry);
  },
  "child-awaited"(history: History, entry: Of<"child-awaited">): void {
    const { dueAt, workflow, id } = entry;
    wait(history, entry, { dueAt, execution: { workflow, id } });
  },
  "child-watched"(history: History, entry: Of<"child-watched">): void {
    spokenOf(history, entry);
  },
  /** Which waits it settles is told by entries of their own. */
  "child-ended"(): void {},
  "child-wait-ended"(history: History, entry: Of<"child-wait-ended">): void {
    const operation = spokenOf(history, entry);
    operation.value = { entry: entry.ended, value: undefined };
    close(operation, entry.at, "completed");
  },
  "child-wait-timed-out"(history: History, entry: Of<"child-wait-timed-out">): void {
    close(spokenOf(history, entry), entry.at, "timed-out");
  },
  "child-wait-refused"(history: History, entry: Of<"child-wait-refused">): void {
    refuse(history, entry);
  },
  "children-cancelled"(history: History, entry: Of<"children-cancelled">): void {
    for (const op of entry.ops) spokenOf(history, { op, entry: entry.entry });
  },
  "message-requested"(history: History, entry: Of<"message-requested">): void {
    const operation = send(history, entry);
    if (entry.message.kind === "signal") operation.given = { entry: entry.entry, value: entry.message.value };
  },
  "message-accepted"(history: History, entry: Of<"message-accepted">): void {
    closeIfOpen(history, entry, "completed");
  },
  "message-refused"(history: History, entry: Of<"message-refused">): void {
    refuse(history, entry);
  },
  "delivery-failed"(history: History, entry: Of<"delivery-failed">): void {
    const { op } = entry;
    if (op !== undefined) spokenOf(history, { op, entry: entry.entry }).lastFailure = entry.failure;
  },
  watched(): void {},
  "watchers-told"(): void {},
};

/** From now to its acknowledgement it is on its way. */
function send(history: History, entry: Of<"child-requested" | "message-requested">) {
  const { workflow, id } = entry;
  const operation = askFor(history, entry, { status: "running", execution: { workflow, id } });
  beginSpan(operation, "wait", { from: entry.at, entry: entry.entry });
  return operation;
}

function refuse(history: History, entry: Of<"child-refused" | "child-wait-refused" | "message-refused">): void {
  spokenOf(history, entry).refusal = { code: entry.code, message: entry.message };
  closeIfOpen(history, entry, "refused");
}

/** An acknowledgement may come after the operation was cancelled or abandoned. */
function closeIfOpen(
  history: History,
  entry: { readonly op: number; readonly entry: number; readonly at: number },
  status: "completed" | "refused",
): void {
  const operation = spokenOf(history, entry);
  if (operation.endedAt === undefined) close(operation, entry.at, status);
}
