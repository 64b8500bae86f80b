import { deriveKey } from "./draw.ts";
import type { Started } from "./entry.ts";

/**
 * What an execution's keys derive from. The start's time tells two executions apart that had the same id one after the
 * other.
 */
export function keyOwner({ workflow, id, at }: Started): string {
  return `${workflow}/${id}/${at}`;
}

/** The key of something that an execution does, by a label that nothing else in it has. */
export function operationKey(started: Started, label: string): string {
  return deriveKey(keyOwner(started), label);
}
