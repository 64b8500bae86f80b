import type { StepTerms } from "../journal/entry.ts";
import { parseDurationWithin, parseSignedDuration } from "../steps/duration.ts";
import { checkSignalName } from "../steps/names.ts";
import { readFields } from "../steps/read-fields.ts";
import { resolveRetryPolicy } from "../steps/retry-policy.ts";
import { showValue } from "../steps/show-value.ts";
import { checkStep } from "../steps/step-options.ts";
import { LIMITS } from "../limits.ts";
import type { RollbackFunction, StepFunction } from "./attempts.ts";
import type { Request } from "./request.ts";

/** What a workflow's steps are completed from. */
export interface StepDefaults extends StepTerms {
  /** The journal's first entry holds the same terms. */
  readonly isJournaled: boolean;
  /** False while as many attempts are in flight as an execution may have. */
  readonly hasPlace: () => boolean;
}

/** How long a wait for a message may be. */
export const WAIT = { minimumMs: 0, maximumMs: LIMITS.waitMs };

/**
 * A step, with the function that undoes it, if it has one.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function stepRequest(args: readonly unknown[], defaults: StepDefaults): Request {
  const [step, fn, rollback, ...rest] = args;
  const { name, retryPolicy, timeoutMs } = checkStep(step);
  if (typeof fn !== "function") {
    throw new TypeError(
      `Cannot run step ${name} as its second argument must be a function: current value is ${showValue(fn)}`,
    );
  }
  if (rollback !== undefined && typeof rollback !== "function") {
    throw new TypeError(
      `Cannot run step ${name} as its rollback must be a function: current value is ${showValue(rollback)}`,
    );
  }
  if (rest.length > 0)
    throw new TypeError(`Cannot run step ${name} as step.run takes three arguments: current value is ${args.length}`);
  return {
    kind: "step",
    name,
    // The casts: what a step returns is checked when it does, and its rollback is given just that.
    fn: fn as StepFunction,
    ...(rollback !== undefined && { rollback: rollback as RollbackFunction }),
    entry(asked, at) {
      const first = {
        ...asked,
        kind: "step" as const,
        ...(retryPolicy !== undefined && { policy: resolveRetryPolicy(retryPolicy, defaults.policy) }),
        ...(retryPolicy === undefined && !defaults.isJournaled && { policy: defaults.policy }),
        ...((timeoutMs !== undefined || !defaults.isJournaled) && { timeoutMs: timeoutMs ?? defaults.timeoutMs }),
        ...(rollback !== undefined && { rollback: true as const }),
        at,
      };
      return defaults.hasPlace() ? { type: "attempt-started", ...first, attempt: 1 } : { type: "queued", ...first };
    },
  };
}

/**
 * A sleep of so long; a negative duration is over at once.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function sleepRequest(duration: unknown): Request {
  const ms = Math.max(0, parseSignedDuration(duration, "the duration of sleep"));
  checkWait(ms, "the duration of sleep", duration);
  return sleepBy((at) => at + ms);
}

/**
 * A sleep until a moment; a past one is over at once. `now` is what the workflow has seen last.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function sleepUntilRequest(date: unknown, now: number): Request {
  const dueAt = date instanceof Date ? date.getTime() : date;
  if (typeof dueAt !== "number" || !Number.isFinite(dueAt)) {
    const rule = "it must be a valid Date or Unix milliseconds";
    throw new TypeError(`Cannot use the date of sleepUntil as ${rule}: current value is ${showValue(date)}`);
  }
  checkWait(dueAt - now, "the date of sleepUntil", dueAt);
  return sleepBy(() => Math.ceil(dueAt));
}

/**
 * A wait for a signal.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function signalRequest(name: unknown, options: unknown, declared: object): Request {
  const signal = checkSignalName(name);
  if (!Object.hasOwn(declared, signal)) {
    const names = Object.keys(declared).join(", ");
    throw new TypeError(
      `Cannot await signal ${signal} as the workflow declares ${names === "" ? "none" : `only ${names}`}.`,
    );
  }
  const { timeout } = options === undefined ? {} : readFields(options, "the options of awaitSignal", ["timeout"]);
  const ms = timeout === undefined ? undefined : parseDurationWithin(timeout, "timeout", WAIT);
  return {
    kind: "signal",
    name: signal,
    entry: (asked, at) => ({
      type: "signal-awaited",
      ...asked,
      kind: "signal",
      signal,
      ...(ms !== undefined && { dueAt: at + ms }),
      at,
    }),
  };
}

function sleepBy(dueAt: (at: number) => number): Request {
  return {
    kind: "sleep",
    name: "sleep",
    entry: (asked, at) => ({ type: "timer-set", ...asked, kind: "sleep", dueAt: dueAt(at), at }),
  };
}

function checkWait(ms: number, field: string, value: unknown): void {
  if (ms <= LIMITS.waitMs) return;
  throw new RangeError(
    `Cannot use ${field} as it must be at most 365 days ahead: current value is ${showValue(value)}`,
  );
}
