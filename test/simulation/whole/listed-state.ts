import type { Entry } from "../../../src/journal/entry.ts";
import { fold } from "../../../src/journal/fold.ts";
import { nextWakeAt } from "../../../src/journal/next-wake.ts";
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
 * How the alarm of an object at rest is another than its journal asks for. A report that is under way is seen to when the directory has answered, or by the
 * lease.
 */
export function wrongAlarm(name: string, object: MemoryObject): readonly string[] {
  const state = listedState(object);
  const wanted = nextWakeAt(state);
  if (state.unreported !== undefined) return [];
  return object.alarm === wanted ? [] : [`${name} rings at ${object.alarm}, not at ${wanted}`];
}
