import type { Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { nextWakeAt } from "../../src/journal/next-wake.ts";
import { emptyState, runningAttempts, type State } from "../../src/journal/state.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";

/** The fold of what an object has stored. */
export function storedState(object: MemoryObject): State {
  const state = emptyState();
  for (const row of object.rows) for (const entry of JSON.parse(row.entries) as Entry[]) fold(state, entry);
  return state;
}

/** No attempt is in flight, as far as the journal tells. */
export function isAtRest(object: MemoryObject): boolean {
  return runningAttempts(storedState(object)).length === 0;
}

/** The alarm that the object should have at rest. */
export function wantedAlarm(object: MemoryObject): number | undefined {
  return nextWakeAt(storedState(object));
}
