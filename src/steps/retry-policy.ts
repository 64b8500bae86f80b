import { LIMITS } from "../limits.ts";
import { type Duration, parseDurationWithin } from "./duration.ts";
import { readFields } from "./read-fields.ts";
import { showValue } from "./show-value.ts";

/**
 * When a failed attempt is followed by another. Every field is optional and taken from the level below where it is left
 * out: the step's, else the workflow's, else the deployment's, else the default. The two limits go together: whoever
 * declares one of `maximumAttempts` and `maximumDuration` replaces both, and the one left out does not bound.
 */
export interface RetryPolicy {
  /** Delay before the first retry: 0 to 1 hour. Default 1 second. */
  readonly initialInterval?: Duration | undefined;
  /** Factor from one delay to the next: 1 to 100. Default 2. */
  readonly backoffCoefficient?: number | undefined;
  /**
   * Longest delay: the effective `initialInterval` to 1 day. Default 60 seconds, or the `initialInterval` where that is
   * longer.
   */
  readonly maximumInterval?: Duration | undefined;
  /** Attempts, the first and the interrupted ones included: an integer, 1 to 1000. Default 20. */
  readonly maximumAttempts?: number | undefined;
  /** From the start of the first attempt; one that fails after it is not retried: 1 ms to 365 days. Default: none. */
  readonly maximumDuration?: Duration | undefined;
  /** Largest share of the delay that chance takes off: 0 to 1. Default 0. */
  readonly jitter?: number | undefined;
  /** Names of errors that end the step at once. Default: none. */
  readonly nonRetryableErrors?: readonly string[] | undefined;
}

/** A policy in force: every field decided, plain JSON. A limit that is left out does not bound. */
export interface ResolvedRetryPolicy {
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maximumIntervalMs: number;
  readonly maximumAttempts?: number;
  readonly maximumDurationMs?: number;
  readonly jitter: number;
  readonly nonRetryableErrors: readonly string[];
}

export const DEFAULT_RETRY_POLICY: ResolvedRetryPolicy = Object.freeze({
  initialIntervalMs: 1_000,
  backoffCoefficient: 2,
  maximumIntervalMs: 60_000,
  maximumAttempts: 20,
  jitter: 0,
  nonRetryableErrors: Object.freeze([]),
});

const KEYS = [
  "initialInterval",
  "backoffCoefficient",
  "maximumInterval",
  "maximumAttempts",
  "maximumDuration",
  "jitter",
  "nonRetryableErrors",
] as const satisfies readonly (keyof RetryPolicy)[];

const INITIAL_INTERVAL = { minimumMs: 0, maximumMs: LIMITS.initialIntervalMs };
const MAXIMUM_INTERVAL = { minimumMs: 0, maximumMs: LIMITS.maximumIntervalMs };
const MAXIMUM_DURATION = { minimumMs: 1, maximumMs: LIMITS.stepDurationMs };

interface CheckedPolicy {
  initialInterval?: number;
  backoffCoefficient?: number;
  maximumInterval?: number;
  maximumAttempts?: number;
  maximumDuration?: number;
  jitter?: number;
  nonRetryableErrors?: readonly string[];
}

/**
 * Checks all that a declaration tells by itself, and returns it copied, frozen, without absent fields and with its
 * durations in milliseconds.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value.
 */
export function checkRetryPolicy(declared: unknown, field = "retryPolicy"): RetryPolicy | undefined {
  return declared === undefined ? undefined : Object.freeze(readPolicy(declared, field));
}

/**
 * The policy in force where `declared` stands on top of `inherited`: copied and frozen.
 *
 * @throws TypeError or RangeError as {@link checkRetryPolicy}, and RangeError where the declared `maximumInterval` is
 * below the inherited initial interval.
 */
export function resolveRetryPolicy(
  declared: RetryPolicy | undefined,
  inherited: ResolvedRetryPolicy,
  field = "retryPolicy",
): ResolvedRetryPolicy {
  const own = declared === undefined ? {} : readPolicy(declared, field);
  const initialIntervalMs = own.initialInterval ?? inherited.initialIntervalMs;
  if (own.maximumInterval !== undefined) checkIntervals(initialIntervalMs, own.maximumInterval, field);
  return Object.freeze({
    initialIntervalMs,
    backoffCoefficient: own.backoffCoefficient ?? inherited.backoffCoefficient,
    maximumIntervalMs: own.maximumInterval ?? Math.max(inherited.maximumIntervalMs, initialIntervalMs),
    ...resolveLimits(own, inherited),
    jitter: own.jitter ?? inherited.jitter,
    nonRetryableErrors: Object.freeze([...(own.nonRetryableErrors ?? inherited.nonRetryableErrors)]),
  });
}

/**
 * The policy of failures outside every step. A run has no duration, which would count the time its steps take, and no
 * names of errors, as it ends in a pause that a deploy can heal; its attempts are always bounded.
 */
export function runPolicy(policy: ResolvedRetryPolicy): ResolvedRetryPolicy & { readonly maximumAttempts: number } {
  return Object.freeze({
    initialIntervalMs: policy.initialIntervalMs,
    backoffCoefficient: policy.backoffCoefficient,
    maximumIntervalMs: policy.maximumIntervalMs,
    maximumAttempts: policy.maximumAttempts ?? LIMITS.runAttempts,
    jitter: policy.jitter,
    nonRetryableErrors: Object.freeze([]),
  });
}

type RetryLimits = Pick<ResolvedRetryPolicy, "maximumAttempts" | "maximumDurationMs">;

/** Keeps both limits of the level below or neither: half of them would bound what the author meant to free. */
function resolveLimits(own: CheckedPolicy, inherited: ResolvedRetryPolicy): RetryLimits {
  const declared = own.maximumAttempts !== undefined || own.maximumDuration !== undefined;
  const attempts = declared ? own.maximumAttempts : inherited.maximumAttempts;
  const durationMs = declared ? own.maximumDuration : inherited.maximumDurationMs;
  return {
    ...(attempts === undefined ? {} : { maximumAttempts: attempts }),
    ...(durationMs === undefined ? {} : { maximumDurationMs: durationMs }),
  };
}

function readPolicy(declared: unknown, field: string): CheckedPolicy {
  const given = readFields(declared, field, KEYS);
  const policy: CheckedPolicy = {};
  if (given.initialInterval !== undefined) {
    policy.initialInterval = parseDurationWithin(given.initialInterval, `${field}.initialInterval`, INITIAL_INTERVAL);
  }
  if (given.backoffCoefficient !== undefined) {
    const range = { minimum: 1, maximum: LIMITS.backoffCoefficient };
    policy.backoffCoefficient = checkNumber(given.backoffCoefficient, `${field}.backoffCoefficient`, range);
  }
  if (given.maximumInterval !== undefined) {
    policy.maximumInterval = parseDurationWithin(given.maximumInterval, `${field}.maximumInterval`, MAXIMUM_INTERVAL);
    checkIntervals(policy.initialInterval ?? 0, policy.maximumInterval, field);
  }
  if (given.maximumAttempts !== undefined) {
    const range = { minimum: 1, maximum: LIMITS.attemptsPerStep, integer: true };
    policy.maximumAttempts = checkNumber(given.maximumAttempts, `${field}.maximumAttempts`, range);
  }
  if (given.maximumDuration !== undefined) {
    policy.maximumDuration = parseDurationWithin(given.maximumDuration, `${field}.maximumDuration`, MAXIMUM_DURATION);
  }
  if (given.jitter !== undefined) {
    policy.jitter = checkNumber(given.jitter, `${field}.jitter`, { minimum: 0, maximum: 1 });
  }
  if (given.nonRetryableErrors !== undefined) {
    policy.nonRetryableErrors = checkErrorNames(given.nonRetryableErrors, `${field}.nonRetryableErrors`);
  }
  return policy;
}

function checkIntervals(initialIntervalMs: number, maximumIntervalMs: number, field: string): void {
  if (maximumIntervalMs >= initialIntervalMs) return;
  const rule = `it must be at least the initial interval of ${initialIntervalMs} ms`;
  throw new RangeError(`Cannot use ${field}.maximumInterval as ${rule}: current value is ${maximumIntervalMs}`);
}

interface NumberRange {
  readonly minimum: number;
  readonly maximum: number;
  readonly integer?: boolean;
}

function checkNumber(value: unknown, field: string, range: NumberRange): number {
  const what = range.integer === true ? "an integer" : "a number";
  const rule = `it must be ${what} from ${range.minimum} to ${range.maximum}`;
  const message = `Cannot use ${field} as ${rule}: current value is ${showValue(value)}`;
  if (typeof value !== "number") throw new TypeError(message);
  const within = value >= range.minimum && value <= range.maximum;
  if (!within || (range.integer === true && !Number.isInteger(value))) throw new RangeError(message);
  return value;
}

function checkErrorNames(value: unknown, field: string): readonly string[] {
  if (!Array.isArray(value)) {
    throw new TypeError(
      `Cannot use ${field} as it must be an array of error names: current value is ${showValue(value)}`,
    );
  }
  const names = Array.from<unknown, string>(value, (name, index) => {
    if (typeof name === "string" && name !== "") return name;
    const rule = "an error name must be a string of at least 1 character";
    throw new TypeError(`Cannot use ${field}[${index}] as ${rule}: current value is ${showValue(name)}`);
  });
  return Object.freeze(names);
}
