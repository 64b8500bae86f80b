import { pendingDeadline } from "./deadline.ts";
import { dueTime } from "./due-time.ts";
import { nextDeliveryAt } from "./outbox.ts";
import { currentRollback } from "./rollback.ts";
import type { State } from "./state.ts";
import { nextReportAt } from "./unreported.ts";

/** The alarm of an execution at rest: when something of it is due, or the directory has to be told of it. */
export function nextWakeAt(state: State): number | undefined {
  return earliestOf([nextWorkAt(state), nextReportAt(state)]);
}

/**
 * The earliest time at which something of this execution is due. `undefined` where only a message moves it, or nothing.
 * After the end it is the purge, but not before everybody knows of the end.
 */
export function nextWorkAt(state: State): number | undefined {
  if (state.started === undefined) return undefined;
  if (awaitsNewerEngine(state)) return undefined;
  if (state.end !== undefined) return nextDeliveryAt(state) ?? purgeAt(state);
  if (state.pause !== undefined) return undefined;
  return earliestOf(timesOf(state));
}

/** When it is purged, if it has ended. */
export function purgeAt({ end, started }: State): number | undefined {
  return end && started && end.at + started.retentionMs;
}

/** Its retention is over, and everybody knows of its end. */
export function isOver(state: State, now: number): boolean {
  const at = purgeAt(state);
  return at !== undefined && at <= now && state.outbox.size === 0;
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
