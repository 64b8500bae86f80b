import { Cron } from "croner";
import { showValue } from "../steps/show-value.ts";

/** The times of a cron expression in a time zone: Unix milliseconds, each a whole second. */
export interface CronTimes {
  /** The first time after `at`; `undefined` where none comes any more. */
  after(at: number): number | undefined;
  /** The latest times up to `at`, and at it, the latest first. */
  upTo(at: number, count: number): readonly number[];
}

/** Five fields, or six where the first one is seconds. */
const FIELDS = /^\S+(?:\s+\S+){4,5}$/;
const NICKNAME = /^@[a-z]+$/i;

/**
 * Reads a cron expression of five fields, or of six with seconds first, or a nickname such as `@daily`.
 *
 * A time of day that is skipped by a change of the clock comes when the clock has jumped, one that comes twice comes
 * once; but where seconds, minutes or hours hold a `*` or a step it is an interval, which lets skipped times out and
 * takes both of those that come twice.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function readCron(cron: unknown, timeZone: string, field: string): CronTimes {
  const rule = "it must be a cron expression of 5 fields, or of 6 with seconds first";
  if (typeof cron !== "string") throw new TypeError(faultOf(field, rule, cron));
  const text = cron.trim();
  if (!FIELDS.test(text) && !NICKNAME.test(text)) throw new RangeError(faultOf(field, rule, cron));
  const times = timesOf(read(text, timeZone, (reason) => faultOf(field, `${rule} (${reason})`, cron)));
  // Any time will do: an expression that has a time at all has one within a few leap years.
  if (times.after(0) === undefined) throw new RangeError(faultOf(field, "it must have a time", cron));
  return times;
}

/**
 * Checks the name of a time zone, such as `Europe/Berlin`.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function checkTimeZone(timeZone: unknown, field: string): string {
  const message = faultOf(field, "it must be the name of a time zone, as in Europe/Berlin", timeZone);
  if (typeof timeZone !== "string") throw new TypeError(message);
  try {
    // Refuses what it does not know.
    new Intl.DateTimeFormat("en", { timeZone }).format();
  } catch (cause) {
    throw new RangeError(message, { cause });
  }
  return timeZone;
}

function read(text: string, timezone: string, message: (reason: string) => string): Cron {
  try {
    return new Cron(text, { timezone, mode: "5-or-6-parts", fixedTimeRule: "no-wildcard" });
  } catch (cause) {
    throw new RangeError(message(String(cause)), { cause });
  }
}

function timesOf(cron: Cron): CronTimes {
  return {
    after: (at) => cron.nextRun(new Date(at))?.getTime(),
    // Times before the moment that is given are wanted; in its own second that includes the second itself.
    upTo: (at, count) => cron.previousRuns(count, new Date(at + 1)).map((date) => date.getTime()),
  };
}

function faultOf(field: string, rule: string, value: unknown): string {
  return `Cannot use ${field} as ${rule}: current value is ${showValue(value)}`;
}
