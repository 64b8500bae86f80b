import { isCancelPending } from "./ending.ts";
import type { CancelRequested } from "./entry.ts";
import { isHalted, type State } from "./state.ts";

/**
 * When the execution is cancelled if it has not ended. A cancellation that somebody asked for earlier takes its place:
 * it is delivered once, and what compensates for it is not cut short. Nor are rollbacks: their end is decided.
 */
export function pendingDeadline(state: State): number | undefined {
  if (state.cancelRequestedAt !== undefined || (state.ending ?? state.end) !== undefined) return undefined;
  return state.started?.deadlineAt;
}

/** What is journaled when the deadline has passed: the cancellation that nobody asked for. */
export function deadlinePassed(state: State, now: number): CancelRequested[] {
  const deadlineAt = pendingDeadline(state);
  if (deadlineAt === undefined || deadlineAt > now || isHalted(state)) return [];
  const reason = "The execution did not end before its deadline.";
  return [{ type: "cancel-requested", by: "deadline", reason, at: now }];
}

/** The deadline has passed, and the workflow's code has not been told. */
export function isPastDeadline(state: State): boolean {
  return untoldDeadline(state) !== undefined;
}

function untoldDeadline(state: State): number | undefined {
  return state.cancelBy === "deadline" && isCancelPending(state) ? state.started?.deadlineAt : undefined;
}

/**
 * Up to when time passes for operations: a deadline that has passed and has not been delivered stops it, so that what
 * fell due later, and signals that came later, are too late however late the alarm rings.
 */
export function horizonOf(state: State, now: number): number {
  const deadlineAt = untoldDeadline(state);
  return deadlineAt === undefined ? now : Math.min(now, deadlineAt);
}
