import type { History, OperationHistory, ShownEntry } from "./history.ts";
import { askFor, beginSpan, close, endSpan, spokenOf } from "./operation-history.ts";

type Of<Type extends ShownEntry["type"]> = Extract<ShownEntry, { readonly type: Type }>;

/** The part of the history that is about steps. */
export const STEPS = {
  queued(history: History, entry: Of<"queued">): void {
    const step = askForStep(history, entry, "queued");
    beginSpan(step, "queued", { from: entry.at, entry: entry.entry });
  },
  "attempt-started"(history: History, entry: Of<"attempt-started">): void {
    const step = entry.kind === "step" ? askForStep(history, entry, "running") : spokenOf(history, entry);
    endSpan(step, entry.at, "done");
    step.status = "running";
    step.attempts = entry.attempt;
    step.retryAt = undefined;
    beginSpan(step, "attempt", { from: entry.at, entry: entry.entry, attempt: entry.attempt });
  },
  "attempt-outlived"(history: History, entry: Of<"attempt-outlived">): void {
    spokenOf(history, entry);
  },
  "attempt-failed"(history: History, entry: Of<"attempt-failed">): void {
    const step = spokenOf(history, entry);
    const span = step.spans.at(-1);
    if (span !== undefined) span.failure = entry.failure;
    endSpan(step, entry.at, entry.failure.name === "StepInterrupted" ? "lost" : "failed");
    step.lastFailure = entry.failure;
    if (entry.spent === undefined) {
      step.status = "waiting";
      step.retryAt = entry.retryAt;
      const { because, retryAt: dueAt } = entry;
      beginSpan(step, "retry", { from: entry.at, entry: entry.entry, because, dueAt });
      return;
    }
    step.spent = entry.spent;
    step.error = { entry: entry.entry, value: entry.error };
    close(step, entry.at, entry.spent === "terminal" ? "failed" : "exhausted");
  },
  "step-completed"(history: History, entry: Of<"step-completed">): void {
    const step = spokenOf(history, entry);
    step.value = { entry: entry.entry, value: entry.value };
    close(step, entry.at, "completed");
  },
  /** The object died, and these attempts with it. They start again without a charge. */
  "object-lost"(history: History, entry: Of<"object-lost">): void {
    for (const op of entry.ops) {
      const step = spokenOf(history, { op, entry: entry.entry });
      endSpan(step, entry.at, "lost");
      queueAgain(step, entry);
    }
    const text =
      entry.ops.length === 0 ? "The object was lost" : `The object was lost with ${entry.ops.length} attempts`;
    history.marks.push({ entry: entry.entry, at: entry.at, kind: "lost", text });
  },
};

function askForStep(
  history: History,
  entry: Of<"queued"> | Extract<Of<"attempt-started">, { readonly kind: "step" }>,
  status: "queued" | "running",
): OperationHistory {
  return askFor(history, entry, {
    status,
    policy: entry.policy ?? history.policy,
    timeoutMs: entry.timeoutMs ?? history.timeoutMs,
    hasRollback: entry.rollback === true,
  });
}

/** It is to start once more: its attempt was lost, withdrawn, or left to the original of a fork. */
export function queueAgain(step: OperationHistory, { at, entry }: { at: number; entry: number }): void {
  step.status = "queued";
  beginSpan(step, "queued", { from: at, entry });
}
