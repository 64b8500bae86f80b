import { LIMITS } from "../limits.ts";
import { showValue } from "./show-value.ts";

/** Kebab-case: the name is a part of URLs, of idempotency keys and of log lines. */
export const WORKFLOW_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The name of an operation in the journal: `ship`, and for its later occurrences `ship#2`, `ship#3`. */
export function nameOccurrence(name: string, occurrence: number): string {
  return occurrence === 1 ? name : `${name}#${occurrence}`;
}

/**
 * Checks the name of a workflow: kebab-case, 1 to 64 characters.
 *
 * @throws TypeError for what is no string, RangeError for any other name.
 */
export function checkWorkflowName(value: unknown): string {
  const rule = `it must be kebab-case, 1 to ${LIMITS.workflowNameLength} characters`;
  const message = `Cannot use name as ${rule}: current value is ${showValue(value)}`;
  if (typeof value !== "string") throw new TypeError(message);
  if (value.length > LIMITS.workflowNameLength || !WORKFLOW_NAME.test(value)) throw new RangeError(message);
  return value;
}

/**
 * Checks the id of a patch: 1 to 128 characters, any text.
 *
 * @throws TypeError for what is no string, RangeError for another length.
 */
export function checkPatchId(value: unknown): string {
  const message =
    `Cannot use the id of patched as it must be a string of 1 to ${LIMITS.patchIdLength} characters: ` +
    `current value is ${showValue(value)}`;
  if (typeof value !== "string") throw new TypeError(message);
  if (value.length < 1 || value.length > LIMITS.patchIdLength) throw new RangeError(message);
  return value;
}

/** What ids and signal names are made of: they are parts of URLs, and none of these needs to be encoded. */
export const IDENTIFIER = /^[A-Za-z0-9._~-]+$/;

/**
 * Checks the id of an execution: 1 to 128 of `A-Z a-z 0-9 . _ ~ -`, and neither `.` nor `..`, which URLs swallow.
 *
 * @throws TypeError for what is no string, RangeError for any other id.
 */
export function checkExecutionId(value: unknown): string {
  const rule = `it must be 1 to ${LIMITS.executionIdLength} of A-Z a-z 0-9 . _ ~ - and neither "." nor ".."`;
  const message = `Cannot use the id of an execution as ${rule}: current value is ${showValue(value)}`;
  if (typeof value !== "string") throw new TypeError(message);
  const fits = value.length <= LIMITS.executionIdLength && IDENTIFIER.test(value) && value !== "." && value !== "..";
  if (!fits) throw new RangeError(message);
  return value;
}

/**
 * Checks the name of a signal: 1 to 128 of `A-Z a-z 0-9 . _ ~ -`.
 *
 * @throws TypeError for what is no string, RangeError for any other name.
 */
export function checkSignalName(value: unknown): string {
  const rule = `it must be 1 to ${LIMITS.signalNameLength} of A-Z a-z 0-9 . _ ~ -`;
  const message = `Cannot use the name of a signal as ${rule}: current value is ${showValue(value)}`;
  if (typeof value !== "string") throw new TypeError(message);
  if (value.length > LIMITS.signalNameLength || !IDENTIFIER.test(value)) throw new RangeError(message);
  return value;
}
