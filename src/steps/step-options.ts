import { LIMITS } from "../limits.ts";
import { type Duration, parseDurationWithin } from "./duration.ts";
import { readFields } from "./read-fields.ts";
import { checkRetryPolicy, type RetryPolicy } from "./retry-policy.ts";
import { showValue } from "./show-value.ts";

/** A step with what it overrides. */
export interface StepOptions {
  /** 1 to 128 characters, any text; the same name again in one execution is another step. */
  readonly name: string;
  /** Over the workflow's and the deployment's, field by field. Default: theirs. */
  readonly retryPolicy?: RetryPolicy | undefined;
  /** Deadline of one attempt: 1 second to 10 minutes. Default: the workflow's or the deployment's, else 60 seconds. */
  readonly timeout?: Duration | undefined;
}

/** A declaration of a step that was found right. */
export interface CheckedStep {
  readonly name: string;
  readonly retryPolicy?: RetryPolicy;
  readonly timeoutMs?: number;
}

const KEYS = ["name", "retryPolicy", "timeout"] as const satisfies readonly (keyof StepOptions)[];
const TIMEOUT = { minimumMs: LIMITS.attemptTimeoutMinimumMs, maximumMs: LIMITS.attemptTimeoutMs };

/**
 * Checks what a step was declared by: its name alone, or {@link StepOptions}.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value.
 */
export function checkStep(step: unknown): CheckedStep {
  if (typeof step === "string") return { name: checkStepName(step) };
  const given = readFields(step, "step", KEYS);
  const retryPolicy = checkRetryPolicy(given.retryPolicy);
  return {
    name: checkStepName(given.name),
    ...(retryPolicy === undefined ? {} : { retryPolicy }),
    ...(given.timeout === undefined ? {} : { timeoutMs: checkStepTimeout(given.timeout, "timeout") }),
  };
}

/**
 * The milliseconds of one attempt's deadline: 1 second to 10 minutes.
 *
 * @throws TypeError or RangeError that names `field`.
 */
export function checkStepTimeout(value: unknown, field: string): number {
  return parseDurationWithin(value, field, TIMEOUT);
}

/**
 * The name of a step, or of another operation that the author names: 1 to 128 characters, any text.
 *
 * @throws TypeError for what is no string, RangeError for another length.
 */
export function checkStepName(name: unknown): string {
  if (typeof name === "string" && name.length >= 1 && name.length <= LIMITS.stepNameLength) return name;
  const rule = `it must be a string of 1 to ${LIMITS.stepNameLength} characters`;
  const message = `Cannot use name as ${rule}: current value is ${showValue(name)}`;
  throw typeof name === "string" ? new RangeError(message) : new TypeError(message);
}
