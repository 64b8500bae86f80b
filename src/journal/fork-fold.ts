import type { ForkedFrom } from "./fork-entry.ts";
import type { ChildOperation } from "./execution-operations.ts";
import { deliveryKey } from "./outbox.ts";
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
    leaveOthersToOriginal(state, entry.at);
    for (const attempted of runningAttempts(state)) {
      state.attempts -= 1;
      if (attempted.kind === "rollback") withdrawRollback(state, attempted.op);
      else withdrawStep(attempted);
    }
    for (const operation of state.open.values()) if (operation.kind === "step") forgetDeaths(operation);
    for (const rollback of state.openRollbacks.values()) rollback.deaths = 0;
  },
};

/**
 * The children are those of the original, and so is whoever waits for its end. Starts and messages that the code still
 * waits for are sent by the fork too: a start finds what the original has started.
 */
function leaveOthersToOriginal(state: State, at: number): void {
  for (const operation of state.operations) {
    if (operation.kind === "child") leaveChild(state, operation);
    if (operation.kind !== "message" || operation.phase === "open") continue;
    operation.message = undefined;
    state.outbox.delete(deliveryKey({ what: "message", op: operation.op, to: operation }));
  }
  state.watchers.clear();
  askAnew(state, at);
}

/** What the original had asked for is answered to that alone. */
function askAnew({ outbox }: State, dueAt: number): void {
  for (const message of outbox.values()) {
    message.failures = 0;
    message.asks = 0;
    message.dueAt = dueAt;
  }
}

function leaveChild(state: State, child: ChildOperation): void {
  child.cancel = "none";
  state.outbox.delete(deliveryKey({ what: "cancel", op: child.op, to: child }));
  if (child.start === "started") child.start = "adopted";
  if (child.start !== "unacknowledged" || child.phase === "open") return;
  child.start = "adopted";
  child.input = undefined;
  state.outbox.delete(deliveryKey({ what: "start", op: child.op, to: child }));
}

function forgetDeaths(step: StepOperation): void {
  step.deaths = 0;
  step.blamed = false;
}

function forgetCancellation(state: State): void {
  state.cancelRequestedAt = undefined;
  state.cancelReason = undefined;
  state.cancelBy = undefined;
}
