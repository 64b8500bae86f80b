import { showValue } from "../steps/show-value.ts";

/** Whether there is such a step or entry the execution knows. */
export function checkBefore(before: unknown): string | number {
  if (typeof before === "string" || typeof before === "number") return before;
  const rule = "it must be the name of a step or the number of an entry";
  throw new TypeError(`Cannot use before as ${rule}: current value is ${showValue(before)}`);
}
