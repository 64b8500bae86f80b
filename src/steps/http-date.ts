const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(?<month>${MONTHS.join("|")})`;
/** A second of 60 is a leap second. */
const TIME = "(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)";

/** `Sun, 06 Nov 1994 08:49:37 GMT` */
const IMF_FIXDATE = new RegExp(`^${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`);
/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const RFC_850 = new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`);
/** `Sun Nov  6 08:49:37 1994` */
const ASCTIME = new RegExp(`^${DAY} ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`);

const CENTURY = 100;
const FUTURE_YEARS = 50;

/**
 * The moment of an HTTP date in any of its three forms (RFC 9110, section 5.6.7), `undefined` for any other text.
 * `Date.parse` is no substitute: it makes a year of `-3`, and takes the asctime form for local time.
 *
 * @param now Unix milliseconds: a year of two digits is never more than 50 years after it.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  const fields = (IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (fields === undefined) return undefined;
  const year = String(fields["year"]);
  const moment = {
    month: MONTHS.indexOf(String(fields["month"])),
    day: Number(fields["day"]),
    seconds: (Number(fields["hour"]) * 60 + Number(fields["minute"])) * 60 + Number(fields["second"]),
  };
  const at = momentAt(year.length === 2 ? fullYear(Number(year), moment, now) : Number(year), moment);
  // A day that its month does not have runs over into the next one.
  const midnight = new Date(at - moment.seconds * 1_000);
  return midnight.getUTCDate() === moment.day ? at : undefined;
}

interface MomentOfYear {
  /** From 0. */
  readonly month: number;
  readonly day: number;
  readonly seconds: number;
}

function momentAt(year: number, moment: MomentOfYear): number {
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, moment.month, moment.day) + moment.seconds * 1_000;
}

/** The latest year with these two last digits in which the moment is at most 50 years ahead. */
function fullYear(lastDigits: number, moment: MomentOfYear, now: number): number {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() + FUTURE_YEARS);
  const century = Math.floor(limit.getUTCFullYear() / CENTURY) * CENTURY;
  const year = century + lastDigits;
  return momentAt(year, moment) > limit.getTime() ? year - CENTURY : year;
}
