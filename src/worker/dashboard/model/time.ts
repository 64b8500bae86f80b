const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const UNITS = [
  [DAY_MS, "d"],
  [HOUR_MS, "h"],
  [MINUTE_MS, "min"],
  [SECOND_MS, "s"],
] as const;

/** A length in its two largest units: `350 ms`, `4.2 s`, `1 min 12 s`, `3 d 4 h`. */
export function lengthText(ms: number): string {
  const rounded = Math.max(0, Math.round(ms));
  if (rounded < SECOND_MS) return `${rounded} ms`;
  if (rounded < 10 * SECOND_MS) return `${oneDecimal(rounded / SECOND_MS)} s`;
  return wholeUnits(Math.round(rounded / SECOND_MS) * SECOND_MS);
}

/** A length that is counted down: in whole seconds, so that it changes once a second. */
export function countdownText(ms: number): string {
  if (ms <= 0) return "now";
  return wholeUnits(Math.ceil(ms / SECOND_MS) * SECOND_MS);
}

function wholeUnits(ms: number): string {
  const first = UNITS.findIndex(([unitMs]) => ms >= unitMs);
  const parts = UNITS.slice(first, first + 2).map(([unitMs, unit], index) => {
    const left = index === 0 ? ms : ms % (UNITS[first]?.[0] ?? 1);
    return [Math.floor(left / unitMs), unit] as const;
  });
  return parts
    .filter(([count], index) => index === 0 || count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

function oneDecimal(value: number): string {
  return (Math.floor(value * 10) / 10).toString();
}

/** `12 s ago`, `in 3 min`, `now`: in its largest unit. */
export function relativeText(at: number, now: number): string {
  const ms = Math.abs(at - now);
  if (ms < SECOND_MS) return "now";
  const [unitMs, unit] = UNITS.find(([each]) => ms >= each) ?? [SECOND_MS, "s"];
  const text = `${Math.floor(ms / unitMs)} ${unit}`;
  return at > now ? `in ${text}` : `${text} ago`;
}

const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
const DATE: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs more than using it a thousand times. */
function format(options: Intl.DateTimeFormatOptions, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${JSON.stringify(options)} ${timeZone ?? ""}`;
  const found = formats.get(key);
  if (found !== undefined) return found;
  const made = new Intl.DateTimeFormat("en-GB", { ...options, ...(timeZone !== undefined && { timeZone }) });
  formats.set(key, made);
  return made;
}

/** A time of the day, with its date where that is another than today's: `12:04:10`, `3 Nov, 12:04:10`. */
export function clockText(at: number, now: number, timeZone?: string): string {
  const day = format({ ...DATE, year: "numeric" }, timeZone);
  const isToday = day.format(at) === day.format(now);
  const isThisYear =
    format({ year: "numeric" }, timeZone).format(at) === format({ year: "numeric" }, timeZone).format(now);
  const date = isThisYear ? DATE : { ...DATE, year: "numeric" as const };
  return format(isToday ? CLOCK : { ...date, ...CLOCK }, timeZone).format(at);
}

/** The whole time in UTC: what a time on a page says when it is looked at closely. */
export function exactText(at: number): string {
  return new Date(at).toISOString();
}
