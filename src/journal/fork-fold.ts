import type { ForkedFrom } from "./fork-entry.ts";
import { withdrawRollback } from "./rollback-fold.ts";
import { resume, runningAttempts, type State, type StepOperation } from "./state.ts";
import { withdrawStep } from "./step-fold.ts";

/**
 * The part of the fold that is about forks: what was done to the original, or happened to its object, is no fact of the
 * fork; what its code has seen is.
 */
export const FORK_FOLD = {
  "forked-from"(state: State, entry: ForkedFrom): void {
    const { pause } = state;
    state.forked = entry;
    resume(state, entry.at);
    // No attempt of the fork could be made between the cut and the fork.
    if (pause === undefined) state.pausedMs += Math.max(0, entry.at - entry.cutAt);
    if (!state.cancelDelivered) forgetCancellation(state);
    for (const attempted of runningAttempts(state)) {
      if (attempted.kind === "rollback") withdrawRollback(state, attempted.op);
      else withdrawStep(attempted);
    }
    for (const operation of state.open.values()) if (operation.kind === "step") forgetDeaths(operation);
    for (const rollback of state.openRollbacks.values()) rollback.deaths = 0;
  },
};

function forgetDeaths(step: StepOperation): void {
  step.deaths = 0;
  step.blamed = false;
}

function forgetCancellation(state: State): void {
  state.cancelRequestedAt = undefined;
  state.cancelReason = undefined;
  state.cancelBy = undefined;
}
