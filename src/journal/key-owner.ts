import type { Started } from "./entry.ts";
import type { ForkedFrom } from "./fork-entry.ts";

/**
 * What an execution's keys derive from. The time of the start, or of the fork, tells two executions apart that had the
 * same id one after the other.
 */
export function keyOwner({ workflow, id, at }: Started, forked?: ForkedFrom): string {
  return `${workflow}/${id}/${forked?.at ?? at}`;
}
