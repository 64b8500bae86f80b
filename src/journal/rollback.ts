import type { Ended } from "./entry.ts";
import type { RollbackNotRun } from "./rollback-entry.ts";
import type { Rollback, State, StepOperation } from "./state.ts";
import { truncateUtf8 } from "./value-text.ts";

/** Reasons are repeated for every rollback: a short one keeps a journal of many within its bounds. */
const REASON_BYTES = 256;

/** Completed steps that have a rollback, the one completed last first; also those whose value nobody saw. */
export function stepsToRollBack(state: State): StepOperation[] {
  const steps: { readonly step: StepOperation; readonly entry: number }[] = [];
  for (const step of state.operations) {
    if (step.kind === "step" && step.undo !== undefined) steps.push({ step, entry: step.undo.entry });
  }
  return steps.sort((a, b) => b.entry - a.entry).map(({ step }) => step);
}

/** The rollback whose turn it is; `undefined` where none is left, or the execution is not ending. */
export function currentRollback(state: State): Rollback | undefined {
  return state.openRollbacks.values().next().value;
}

/** The rollback whose next attempt may start at `now`. They run one after the other. */
export function dueRollback(state: State, now: number): Rollback | undefined {
  const rollback = currentRollback(state);
  if (rollback === undefined || rollback.phase === "running") return undefined;
  return rollback.phase === "waiting" && rollback.retryAt > now ? undefined : rollback;
}

/** The end that was journaled ahead, once every rollback has its outcome. */
export function endAfterRollbacks({ ending, openRollbacks }: State, at: number): Ended | undefined {
  return ending === undefined || openRollbacks.size > 0 ? undefined : { ...ending, at };
}

/** Every rollback that is left undone by an end that comes now. */
export function rollbacksNotRun(state: State, why: string, at: number): RollbackNotRun[] {
  const left = state.ending === undefined ? stepsToRollBack(state) : [...state.openRollbacks.values()];
  const reason = truncateUtf8(why, REASON_BYTES);
  return left.map(({ op }) => ({ type: "rollback-not-run", op, reason, at }));
}
