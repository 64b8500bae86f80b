import type { Started } from "./entry.ts";

/**
 * What an execution's keys derive from. The start's time tells two executions apart that had the same id one after the
 * other.
 */
export function keyOwner({ workflow, id, at }: Started): string {
  return `${workflow}/${id}/${at}`;
}
