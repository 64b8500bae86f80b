import { JournalFault } from "./journal-fault.ts";
import { ask, diedIn, openStep, settle } from "./operation-fold.ts";
import { pausedUntil, type State, type StepOperation } from "./state.ts";
import type {
  AttemptOutlived,
  AttemptRetried,
  AttemptStarted,
  FirstAttemptStarted,
  Queued,
  StepCompleted,
  StepSpent,
} from "./step-entry.ts";

/** The part of the fold that is about steps. */
export const STEP_FOLD = {
  queued(state: State, entry: Queued): void {
    askStep(state, entry, "queued");
  },
  "attempt-started"(state: State, entry: FirstAttemptStarted | AttemptStarted): void {
    startAttempt(state, entry);
  },
  "attempt-outlived"(state: State, entry: AttemptOutlived): void {
    openStep(state, entry.op).watch = "over";
  },
  "attempt-failed"(state: State, entry: AttemptRetried | StepSpent): void {
    failAttempt(state, entry);
  },
  "step-completed"(state: State, entry: StepCompleted): void {
    const step = closeStep(state, entry.op, "completed");
    if (step.hasRollback) step.undo = { entry: state.entries, value: entry.value };
    settle(state, { kind: "value", op: entry.op, at: entry.at, value: entry.value });
  },
};

function askStep(state: State, entry: Queued | FirstAttemptStarted, phase: "queued" | "running"): void {
  const { started } = state;
  if (started === undefined) throw new JournalFault(`entry ${state.entries} comes before the start`);
  ask(state, {
    kind: "step",
    op: entry.op,
    name: entry.name,
    policy: entry.policy ?? started.policy,
    timeoutMs: entry.timeoutMs ?? started.timeoutMs,
    phase,
    attempts: 0,
    uncharged: 0,
    firstStartedAt: 0,
    pausedBeforeMs: 0,
    skippedMs: 0,
    retryAt: 0,
    because: "backoff",
    lastFailure: undefined,
    spent: undefined,
    deaths: 0,
    watch: "none",
    blamed: false,
    hasRollback: entry.rollback === true,
    undo: undefined,
  });
}

function startAttempt(state: State, entry: FirstAttemptStarted | AttemptStarted): void {
  if (entry.kind === "step") askStep(state, entry, "running");
  const step = openStep(state, entry.op);
  if (step.attempts === 0) {
    step.firstStartedAt = entry.at;
    step.pausedBeforeMs = pausedUntil(state, entry.at);
  }
  state.attempts += 1;
  step.attempts = entry.attempt;
  step.phase = "running";
  step.watch = entry.kind === undefined && entry.watched === true ? "on" : "none";
}

/** Its attempt was journaled as started and never called. */
export function withdrawStep(step: StepOperation): void {
  step.phase = "queued";
  step.attempts -= 1;
  step.watch = "none";
}

function failAttempt(state: State, entry: AttemptRetried | StepSpent): void {
  const step = openStep(state, entry.op);
  step.lastFailure = entry.failure;
  const died = diedIn(entry.failure);
  step.deaths = died ? step.deaths + 1 : 0;
  // Not where it was alone in flight by chance: whatever ended the object may have had nothing to do with it.
  step.blamed = died && (step.blamed || step.watch === "on");
  step.watch = "none";
  if (entry.spent === undefined) {
    step.phase = "waiting";
    step.retryAt = entry.retryAt;
    step.because = entry.because;
    step.skippedMs += entry.skippedMs ?? 0;
    return;
  }
  step.spent = entry.spent;
  closeStep(state, entry.op, entry.spent === "terminal" ? "failed" : "exhausted");
  settle(state, { kind: "error", op: entry.op, at: entry.at, error: entry.error });
}

function closeStep(state: State, op: number, phase: "completed" | "exhausted" | "failed"): StepOperation {
  const step = openStep(state, op);
  step.phase = phase;
  state.open.delete(op);
  return step;
}
