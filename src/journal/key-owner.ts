import { deriveKey } from "./draw.ts";
import type { Started } from "./entry.ts";
import type { ForkedFrom } from "./fork-entry.ts";
import type { State } from "./state.ts";

/**
 * What an execution's keys derive from. The time of the start, or of the fork, tells two executions apart that had the
 * same id one after the other.
 */
export function keyOwner({ workflow, id, at }: Pick<Started, "workflow" | "id" | "at">, forked?: ForkedFrom): string {
  return `${workflow}/${id}/${forked?.at ?? at}`;
}

/** The key of something that an execution does, by a label that nothing else in it has. */
export function operationKey({ started, forked }: Pick<State, "started" | "forked">, label: string): string {
  if (started === undefined) throw new Error("Cannot derive a key of an execution that has not started.");
  return deriveKey(keyOwner(started, forked), label);
}
