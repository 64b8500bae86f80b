import { currentAttempt, SCOPES_ARE_KNOWN } from "./attempt-scope.ts";
import { nestedError } from "./refusals.ts";

/** Which code runs in the present turn, as far as the engine has called it. */
export type Activity = "delivery" | "attempt" | "none";

/**
 * Only the workflow's own code may ask for operations; a step that does so ends. True where neither the workflow's code
 * nor a step was called in this turn: the code awaited something that is no operation.
 *
 * @throws NonRetryableError with code `NESTED_STEP`
 */
export function checkWorkflowAsks(operation: string, activity: Activity): boolean {
  const attempt = currentAttempt();
  if (attempt !== undefined) {
    attempt.nested(operation);
    throw nestedError(attempt.step, operation);
  }
  if (activity === "attempt" && !SCOPES_ARE_KNOWN) throw nestedError(undefined, operation);
  return activity !== "delivery";
}

/** True where the code that calls now is part of an attempt, as far as that can be told. */
export function isInAttempt(activity: Activity): boolean {
  return currentAttempt() !== undefined || (activity === "attempt" && !SCOPES_ARE_KNOWN);
}

/**
 * What is deterministic in the workflow's code is not in a step, which has its own clock and chance.
 *
 * @throws TypeError
 */
export function checkOutsideStep(what: string, activity: Activity): void {
  if (!isInAttempt(activity)) return;
  throw new TypeError(`Cannot use ${what} inside a step as it belongs to the workflow's own code.`);
}
