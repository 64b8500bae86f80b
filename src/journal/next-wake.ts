import { pendingDeadline } from "./deadline.ts";
import { dueTime } from "./due-time.ts";
import { nextDeliveryAt } from "./outbox.ts";
import { currentRollback } from "./rollback.ts";
import type { State } from "./state.ts";

/**
 * The earliest time at which something of this execution is due: the alarm of an execution at rest. `undefined` where
 * only a message moves it, or nothing. After the end it is the purge, but not before everybody knows of the end.
 */
export function nextWakeAt(state: State): number | undefined {
  if (state.started === undefined) return undefined;
  if (awaitsNewerEngine(state)) return undefined;
  if (state.end !== undefined) return nextDeliveryAt(state) ?? state.end.at + state.started.retentionMs;
  if (state.pause !== undefined) return undefined;
  return earliestOf(timesOf(state));
}

/** An older engine leaves a journal alone that it cannot read, unless all that is left to do is to purge it. */
export function awaitsNewerEngine({ unreadable, end, outbox }: State): boolean {
  return unreadable !== undefined && (end === undefined || outbox.size > 0);
}

function* timesOf(state: State): Iterable<number | undefined> {
  yield pendingDeadline(state);
  yield nextDeliveryAt(state);
  // Nothing can be delivered before the workflow's code runs again, be it to hear of the deadline.
  const runAt = state.startAt ?? state.runFailure?.retryAt;
  if (runAt !== undefined) {
    yield runAt;
  } else if (state.ending !== undefined) {
    const rollback = currentRollback(state);
    if (rollback?.phase === "waiting") yield rollback.retryAt;
  } else {
    for (const operation of state.open.values()) yield dueTime(operation);
  }
}

function earliestOf(times: Iterable<number | undefined>): number | undefined {
  let earliest: number | undefined;
  for (const time of times) {
    if (time !== undefined && (earliest === undefined || time < earliest)) earliest = time;
  }
  return earliest;
}
