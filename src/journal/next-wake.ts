import { pendingDeadline } from "./deadline.ts";
import { currentRollback } from "./rollback.ts";
import type { LastingOperation, State } from "./state.ts";

/**
 * The earliest time at which something of this execution is due: the alarm of an execution at rest. `undefined` where
 * only a message moves it, or nothing.
 */
export function nextWakeAt(state: State): number | undefined {
  if (state.started === undefined) return undefined;
  if (state.end !== undefined) return state.end.at + state.started.retentionMs;
  if (state.unreadable !== undefined) return undefined;
  if (state.pause !== undefined) return undefined;
  let earliest = pendingDeadline(state);
  // Nothing can be delivered before the workflow's code runs again, be it to hear of the deadline.
  const runAt = state.startAt ?? state.runRetryAt;
  if (runAt !== undefined) return earliest === undefined ? runAt : Math.min(runAt, earliest);
  if (state.ending !== undefined) {
    const rollback = currentRollback(state);
    return rollback?.phase === "waiting" ? rollback.retryAt : undefined;
  }
  for (const operation of state.open.values()) {
    const dueAt = dueTime(operation);
    if (dueAt !== undefined && (earliest === undefined || dueAt < earliest)) earliest = dueAt;
  }
  return earliest;
}

/** When an open operation is due by itself. */
export function dueTime(operation: LastingOperation): number | undefined {
  if (operation.kind === "step") return operation.phase === "waiting" ? operation.retryAt : undefined;
  return operation.dueAt;
}
