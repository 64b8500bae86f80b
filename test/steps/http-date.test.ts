import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHttpDate } from "../../src/steps/http-date.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37);
const LONG_DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** `Sun, 06 Nov 1994 08:49:37 GMT` in its parts. */
function partsOf(at: number) {
  const [weekday = "", day = "", month = "", year = "", time = ""] = new Date(at).toUTCString().split(" ");
  return { weekday: weekday.slice(0, 3), day, month, year, time };
}

function toAsctime(at: number): string {
  const { weekday, day, month, year, time } = partsOf(at);
  return `${weekday} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`;
}

function toRfc850(at: number): string {
  const { day, month, year, time } = partsOf(at);
  return `${LONG_DAYS[new Date(at).getUTCDay()]}, ${day}-${month}-${year.slice(-2)} ${time} GMT`;
}

const secondsBetween = (from: number, to: number) =>
  fc.integer({ min: from / 1_000, max: to / 1_000 - 1 }).map((seconds) => seconds * 1_000);

describe("parseHttpDate", () => {
  it.each([
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
    "Sun Nov 06 08:49:37 1994",
  ])("reads %s", (text) => {
    expect(parseHttpDate(text, NOW)).toBe(EXAMPLE);
  });

  it("reads every IMF-fixdate that toUTCString writes", () => {
    const years = secondsBetween(new Date(0).setUTCFullYear(0, 0, 1), Date.UTC(10_000, 0));
    fc.assert(
      fc.property(years, (at) => {
        expect(parseHttpDate(new Date(at).toUTCString(), NOW)).toBe(at);
      }),
    );
  });

  it("reads every asctime date, as UTC", () => {
    const years = secondsBetween(Date.UTC(1000, 0), Date.UTC(10_000, 0));
    fc.assert(
      fc.property(years, (at) => {
        expect(parseHttpDate(toAsctime(at), NOW)).toBe(at);
      }),
    );
  });

  it("reads every RFC 850 date from 50 years before to 50 years after now", () => {
    const nows = secondsBetween(Date.UTC(1970, 0), Date.UTC(2300, 0));
    const years = secondsBetween(-49 * 365.25 * 86_400_000, 49 * 365.25 * 86_400_000);
    fc.assert(
      fc.property(nows, years, (now, away) => {
        expect(parseHttpDate(toRfc850(now + away), now)).toBe(now + away);
      }),
    );
  });

  it("takes a year of two digits for the last one that is at most 50 years ahead", () => {
    expect(parseHttpDate("Monday, 15-Jun-76 12:00:00 GMT", NOW)).toBe(Date.UTC(2076, 5, 15, 12));
    expect(parseHttpDate("Monday, 15-Jun-76 12:00:01 GMT", NOW)).toBe(Date.UTC(1976, 5, 15, 12, 0, 1));
    expect(parseHttpDate("Monday, 15-Jun-77 12:00:00 GMT", NOW)).toBe(Date.UTC(1977, 5, 15, 12));
    expect(parseHttpDate("Monday, 15-Jun-25 12:00:00 GMT", NOW)).toBe(Date.UTC(2025, 5, 15, 12));
    expect(parseHttpDate("Friday, 01-Jan-01 00:00:00 GMT", Date.UTC(2099, 11, 31))).toBe(Date.UTC(2101, 0, 1));
  });

  it("takes the leap second for the first of the next minute, and a weekday that is not that day's", () => {
    expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT", NOW)).toBe(Date.UTC(2017, 0, 1));
    expect(parseHttpDate("Mon, 06 Nov 1994 08:49:37 GMT", NOW)).toBe(EXAMPLE);
  });

  it("knows the leap years", () => {
    expect(parseHttpDate("Tue, 29 Feb 2000 00:00:00 GMT", NOW)).toBe(Date.UTC(2000, 1, 29));
    expect(parseHttpDate("Mon, 29 Feb 1900 00:00:00 GMT", NOW)).toBeUndefined();
    expect(parseHttpDate("Sun, 29 Feb 2026 00:00:00 GMT", NOW)).toBeUndefined();
  });

  it.each([
    "",
    "-3",
    "2026",
    "2026-06-15T12:00:00Z",
    "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT",
    "Sun, 32 Jan 1994 08:49:37 GMT",
    "Sun, 06 Nox 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 +0000",
    "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "06 Nov 1994 08:49:37 GMT",
    "Xyz, 06 Nov 1994 08:49:37 GMT",
    "sun, 06 nov 1994 08:49:37 gmt",
    "Sun, 06-Nov-94 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sun Nov 6 08:49:37 1994",
    "Sun Nov  6 08:49:37 1994 GMT",
    " Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT\n",
  ])("does not read %j", (text) => {
    expect(parseHttpDate(text, NOW)).toBeUndefined();
  });
});
