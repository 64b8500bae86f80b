import type { Entry } from "../../../src/journal/entry.ts";
import { fold } from "../../../src/journal/fold.ts";
import { nextWakeAt, nextWorkAt } from "../../../src/journal/next-wake.ts";
import { emptyState, type State } from "../../../src/journal/state.ts";
import type { MemoryObject } from "../../../src/testing/memory-object.ts";

export function entriesOf({ rows }: MemoryObject): readonly Entry[] {
  // The cast: rows are written by the engine alone.
  return rows.flatMap(({ entries }) => JSON.parse(entries) as Entry[]);
}

/** The fold of what is stored of an execution that tells a directory. */
export function listedState(object: MemoryObject): State {
  const state = emptyState(true);
  for (const entry of entriesOf(object)) fold(state, entry);
  return state;
}

/**
 * How the alarm of an object at rest is another than its journal asks for. While a report is under way it may be the
 * lease of the burst before; one that has ended is purged at the latest at its time.
 */
export function wrongAlarm(name: string, object: MemoryObject): readonly string[] {
  const state = listedState(object);
  const wanted = nextWakeAt(state);
  const { alarm } = object;
  const isLate = isEnded(state) && (alarm ?? Infinity) > (nextWorkAt(state) ?? 0);
  const isRight = state.unreported === undefined ? alarm === wanted : !isLate;
  return isRight ? [] : [`${name} rings at ${alarm}, not at ${wanted}`];
}

function isEnded({ end, outbox }: State): boolean {
  return end !== undefined && outbox.size === 0;
}
