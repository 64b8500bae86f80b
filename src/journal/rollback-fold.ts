import type {
  Ending,
  RollbackCompleted,
  RollbackNotRun,
  RollbackRetried,
  RollbackSpent,
  RollbackStarted,
} from "./rollback-entry.ts";
import { JournalFault } from "./journal-fault.ts";
import { stepsToRollBack } from "./rollback.ts";
import { diedIn } from "./operation-fold.ts";
import { pausedUntil, type Rollback, type State, type StepOperation } from "./state.ts";

/** The part of the fold that is about rollbacks. */
export const ROLLBACK_FOLD = {
  ending(state: State, entry: Ending): void {
    state.ending = entry.outcome;
    for (const step of stepsToRollBack(state)) plan(state, step);
  },
  "rollback-started"(state: State, entry: RollbackStarted): void {
    const rollback = rollbackAt(state, entry.op);
    if (rollback.attempts === 0) {
      rollback.firstStartedAt = entry.at;
      rollback.pausedBeforeMs = pausedUntil(state, entry.at);
    }
    state.attempts += 1;
    rollback.attempts = entry.attempt;
    rollback.phase = "running";
  },
  "rollback-failed"(state: State, entry: RollbackRetried | RollbackSpent): void {
    const rollback = rollbackAt(state, entry.op);
    rollback.lastFailure = entry.failure;
    rollback.deaths = diedIn(entry.failure) ? rollback.deaths + 1 : 0;
    if (entry.spent !== undefined) return close(state, entry.op, entry.spent === "terminal" ? "failed" : "exhausted");
    rollback.phase = "waiting";
    rollback.retryAt = entry.retryAt;
    rollback.because = entry.because;
    rollback.skippedMs += entry.skippedMs ?? 0;
  },
  "rollback-completed"(state: State, entry: RollbackCompleted): void {
    close(state, entry.op, "completed");
  },
  "rollback-not-run"(state: State, entry: RollbackNotRun): void {
    const step = state.operations[entry.op];
    // Without an `ending` nothing was planned: the execution ends, and this says what it leaves undone.
    if (state.ending === undefined && step?.kind === "step") plan(state, step);
    close(state, entry.op, "not-run");
  },
};

/** Its attempt was journaled as started and never called: its turn is still to come. */
export function withdrawRollback(state: State, op: number): void {
  const rollback = rollbackAt(state, op);
  rollback.phase = "pending";
  rollback.attempts -= 1;
}

function plan(state: State, step: StepOperation): void {
  const { op, name, policy, timeoutMs, undo } = step;
  if (undo === undefined) throw new JournalFault(`entry ${state.entries} rolls back step ${op}`);
  const rollback: Rollback = {
    kind: "rollback",
    op,
    name,
    policy,
    timeoutMs,
    value: undo.value,
    phase: "pending",
    attempts: 0,
    uncharged: 0,
    firstStartedAt: 0,
    pausedBeforeMs: 0,
    skippedMs: 0,
    retryAt: 0,
    because: "backoff",
    lastFailure: undefined,
    deaths: 0,
  };
  state.rollbacks.set(op, rollback);
  state.openRollbacks.set(op, rollback);
}

function rollbackAt(state: State, op: number): Rollback {
  const rollback = state.openRollbacks.get(op);
  if (rollback === undefined) throw new JournalFault(`entry ${state.entries} speaks of rollback ${op}`);
  return rollback;
}

function close(state: State, op: number, phase: "completed" | "exhausted" | "failed" | "not-run"): void {
  rollbackAt(state, op).phase = phase;
  state.openRollbacks.delete(op);
}
