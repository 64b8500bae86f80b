import { showValue } from "./show-value.ts";

type Unit = "ms" | "s" | "m" | "h" | "d" | "w";
type LongUnit = "millisecond" | "second" | "minute" | "hour" | "day" | "week";

/**
 * A length of time: a number of milliseconds, or a number with its unit, as in `"500ms"`, `"30s"`, `"5m"`, `"2h"`,
 * `"7d"`, `"1w"`, `"1 day"`, `"2 hours"`. Fractions are allowed (`"1.5h"`) and rounded up to the millisecond. Months
 * and years are refused, as they have no one length.
 */
export type Duration = number | `${number}${Unit}` | `${number} ${LongUnit}${"" | "s"}`;

/** One amount and one unit, nothing else: short right after the amount, long after a space. */
const GRAMMAR = /^(\d+(?:\.\d+)?)(?:(ms|[smhdw])| (millisecond|second|minute|hour|day|week)s?)$/;

const LENGTHS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The digits of a double that can be relied on: beyond them, `1.1 * 3_600_000` is more than 3,960,000. */
const RELIABLE_DIGITS = 15;

const RULE = 'it must be a duration: milliseconds, or text as in "500ms", "30s", "5m", "2h", "1 day"';

/** The shortest and the longest length that a field takes, both included. */
export interface DurationRange {
  readonly minimumMs: number;
  readonly maximumMs: number;
}

/**
 * The milliseconds of a duration, a whole number of at least 0.
 *
 * @throws TypeError for what is no duration, RangeError for a number that is negative or not finite; both name `field`.
 */
export function parseDuration(value: unknown, field: string): number {
  const ms = parseSignedDuration(value, field);
  if (ms < 0) {
    throw new RangeError(`Cannot use ${field} as it must not be negative: current value is ${showValue(value)}`);
  }
  return ms;
}

/** As {@link parseDuration}, and a negative duration is allowed: for waits, which it ends at once. */
export function parseSignedDuration(value: unknown, field: string): number {
  const ms = typeof value === "string" ? readSigned(value) : value;
  if (typeof ms !== "number") {
    throw new TypeError(`Cannot use ${field} as ${RULE}: current value is ${showValue(value)}`);
  }
  if (!Number.isFinite(ms)) {
    throw new RangeError(`Cannot use ${field} as it must be finite: current value is ${showValue(value)}`);
  }
  return roundUp(ms);
}

/** As {@link parseDuration}, and a RangeError names the bounds that the duration is outside of. */
export function parseDurationWithin(value: unknown, field: string, range: DurationRange): number {
  const ms = parseDuration(value, field);
  if (ms < range.minimumMs || ms > range.maximumMs) {
    const rule = `it must be ${range.minimumMs} to ${range.maximumMs} milliseconds`;
    throw new RangeError(`Cannot use ${field} as ${rule}: current value is ${showValue(value)}`);
  }
  return ms;
}

/** The milliseconds of a number with its unit, `undefined` for any other text. */
export function readDuration(text: string): number | undefined {
  const [, amount, short, long = ""] = GRAMMAR.exec(text) ?? [];
  // Long names begin with the short ones, but for one.
  const unitMs = LENGTHS_MS[short ?? (long === "millisecond" ? "ms" : long.charAt(0))];
  return unitMs === undefined ? undefined : roundUp(Number((Number(amount) * unitMs).toPrecision(RELIABLE_DIGITS)));
}

function readSigned(text: string): number | undefined {
  if (!text.startsWith("-")) return readDuration(text);
  const ms = readDuration(text.slice(1));
  return ms === undefined ? undefined : -ms;
}

/** The sum turns the negative zero, which nobody means, into 0. */
function roundUp(ms: number): number {
  return Math.ceil(ms) + 0;
}
