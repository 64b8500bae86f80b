import type { History, RollbackHistory, ShownEntry } from "./history.ts";
import { beginSpan, endSpan, spokenOf } from "./operation-history.ts";

type Of<Type extends ShownEntry["type"]> = Extract<ShownEntry, { readonly type: Type }>;

/** The part of the history that is about rollbacks. */
export const ROLLBACKS = {
  /** Completed steps that have one, the one completed last first. */
  ending(history: History, entry: Of<"ending">): void {
    const completed = history.operations.filter(({ status, hasRollback }) => hasRollback && status === "completed");
    const completedBy = new Map(completed.map((step) => [step.op, step.value?.entry ?? 0]));
    completed.sort((a, b) => (completedBy.get(b.op) ?? 0) - (completedBy.get(a.op) ?? 0));
    for (const { op } of completed) plan(history, op, entry.at);
    const { outcome } = entry;
    const how = outcome.type === "failed" ? `fails with ${outcome.code}` : "is cancelled";
    history.marks.push({ entry: entry.entry, at: entry.at, kind: "rollback", text: `Rolls back before it ${how}` });
  },
  "rollback-started"(history: History, entry: Of<"rollback-started">): void {
    const rollback = rollbackOf(history, entry);
    endSpan(rollback, entry.at, "done");
    rollback.status = "running";
    rollback.attempts = entry.attempt;
    rollback.retryAt = undefined;
    beginSpan(rollback, "attempt", { from: entry.at, entry: entry.entry, attempt: entry.attempt });
  },
  "rollback-failed"(history: History, entry: Of<"rollback-failed">): void {
    const rollback = rollbackOf(history, entry);
    const span = rollback.spans.at(-1);
    if (span !== undefined) span.failure = entry.failure;
    endSpan(rollback, entry.at, entry.failure.name === "StepInterrupted" ? "lost" : "failed");
    rollback.lastFailure = entry.failure;
    if (entry.spent === undefined) {
      rollback.status = "waiting";
      rollback.retryAt = entry.retryAt;
      const { because, retryAt: dueAt } = entry;
      beginSpan(rollback, "retry", { from: entry.at, entry: entry.entry, because, dueAt });
      return;
    }
    rollback.spent = entry.spent;
    end(rollback, entry.spent === "terminal" ? "failed" : "exhausted", entry.at);
  },
  "rollback-completed"(history: History, entry: Of<"rollback-completed">): void {
    const rollback = rollbackOf(history, entry);
    endSpan(rollback, entry.at, "done");
    end(rollback, "completed", entry.at);
  },
  "rollback-not-run"(history: History, entry: Of<"rollback-not-run">): void {
    if (history.operations[entry.op]?.rollback === undefined) plan(history, entry.op, entry.at);
    const rollback = rollbackOf(history, entry);
    endSpan(rollback, entry.at, "abandoned");
    rollback.reason = entry.reason;
    end(rollback, "not-run", entry.at);
  },
};

/** Its attempt was journaled as started and never called, or belongs to the original of a fork. */
export function withdrawRollback(rollback: RollbackHistory, at: number, how: "withdrawn" | "forked"): void {
  endSpan(rollback, at, how);
  rollback.status = "pending";
}

function plan(history: History, op: number, plannedAt: number): void {
  const step = history.operations[op];
  if (step === undefined) return;
  const none = { attempts: 0, lastFailure: undefined, spent: undefined, retryAt: undefined, spans: [] };
  step.rollback = { ...none, plannedAt, status: "pending", endedAt: undefined, reason: undefined };
  history.rollbacks.push(op);
}

function rollbackOf(history: History, entry: { readonly op: number; readonly entry: number }): RollbackHistory {
  const { rollback } = spokenOf(history, entry);
  if (rollback === undefined) throw new Error(`Cannot read entry ${entry.entry} as no rollback is due for it.`);
  return rollback;
}

function end(rollback: RollbackHistory, status: RollbackHistory["status"], at: number): void {
  rollback.status = status;
  rollback.endedAt = at;
  rollback.retryAt = undefined;
}
