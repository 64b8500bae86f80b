import { LIMITS } from "../limits.ts";
import { parseDurationWithin } from "../steps/duration.ts";
import { showValue } from "../steps/show-value.ts";

const DEADLINE = { minimumMs: 1, maximumMs: LIMITS.deadlineMs };

/** A moment in ISO 8601: a date, a time of day, and the zone without which it is no moment. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The milliseconds after which an execution must have ended: up to 365 days.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function checkDeadline(deadline: unknown): number {
  return parseDurationWithin(deadline, "deadline", DEADLINE);
}

/**
 * The Unix milliseconds at which an execution shall first run, given as such or in ISO 8601 with a zone: at most 365
 * days ahead. A time that has passed is allowed, and means now.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function checkStartAt(startAt: unknown, now: number): number {
  const at = checkMoment(startAt, "startAt");
  if (at - now > LIMITS.startDelayMs) {
    throw new RangeError(
      `Cannot use startAt as it must be at most 365 days ahead: current value is ${showValue(startAt)}`,
    );
  }
  return Math.ceil(at);
}

/**
 * Unix milliseconds, given as such or in ISO 8601 with a zone.
 *
 * @throws TypeError that names the field, the rule and the value
 */
export function checkMoment(value: unknown, field: string): number {
  const at = typeof value === "string" ? readMoment(value) : value;
  if (typeof at === "number" && Number.isFinite(at)) return at;
  const rule = "it must be Unix milliseconds, or a date and time with a zone as in 2026-11-30T09:00:00Z";
  throw new TypeError(`Cannot use ${field} as ${rule}: current value is ${showValue(value)}`);
}

/** `Date.parse` takes a 30th of February for the 2nd of March. */
function readMoment(text: string): number | undefined {
  const date = MOMENT.exec(text)?.[1];
  const isDay = date !== undefined && new Date(Date.parse(date) || 0).toISOString().startsWith(date);
  return isDay ? Date.parse(text) : undefined;
}
