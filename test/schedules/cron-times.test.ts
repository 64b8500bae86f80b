import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTimeZone, readCron, type CronTimes } from "../../src/schedules/cron-times.ts";
import { MINUTE_MS, TIME_ZONES, WallClock, YEAR_BEGINS_AT, YEAR_ENDS_AT } from "./wall-clock.ts";

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const read = (cron: string, timeZone = "UTC") => readCron(cron, timeZone, "cron");

function timesBetween(times: CronTimes, from: number, until: number): readonly number[] {
  const found: number[] = [];
  for (let at = times.after(from - 1); at !== undefined && at < until; at = times.after(at)) found.push(at);
  return found;
}

const iso = (times: readonly number[]) => times.map((at) => new Date(at).toISOString().replace(/(:00)?\.000/, ""));
const isoBetween = (cron: string, timeZone: string, [from, until]: readonly [string, string]) =>
  iso(timesBetween(read(cron, timeZone), Date.parse(from), Date.parse(until)));

describe("readCron", () => {
  it.each([
    ["30 2 * * *", ["2026-01-01T02:30Z", "2026-01-02T02:30Z"]],
    ["@daily", ["2026-01-01T00:00Z", "2026-01-02T00:00Z"]],
    ["  0  12 1 * * ", ["2026-01-01T12:00Z", "2026-02-01T12:00Z"]],
    ["15,45 8-9 * * MON", ["2026-01-05T08:15Z", "2026-01-05T08:45Z"]],
    ["0 0 L * *", ["2026-01-31T00:00Z", "2026-02-28T00:00Z"]],
    ["0 0 * * FRI#2", ["2026-01-09T00:00Z", "2026-02-13T00:00Z"]],
    ["0 0 29 2 *", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
    ["*/20 * * * * *", ["2026-01-01T00:00Z", "2026-01-01T00:00:20Z"]],
  ])("reads %j", (cron, expected) => {
    const times = read(cron);
    const first = times.after(YEAR_BEGINS_AT - 1) ?? 0;
    expect(iso([first, times.after(first) ?? 0])).toEqual(expected);
  });

  it.each([
    [5, TypeError],
    [undefined, TypeError],
    ["", RangeError],
    ["* * * *", RangeError],
    ["* * * * * * *", RangeError],
    ["60 * * * *", RangeError],
    ["* * * * FRO", RangeError],
    ["5/5 * * * *", RangeError],
    ["@reboot", RangeError],
    ["2026-01-01T00:00:00", RangeError],
    ["0 0 30 2 *", RangeError],
  ])("refuses %j", (cron, errorClass) => {
    const refused = () => readCron(cron, "UTC", "schedules[0].cron");
    expect(refused).toThrow(errorClass);
    expect(refused).toThrow(/^Cannot use schedules\[0\]\.cron as it must .*: current value is /);
  });

  it("tells times that come, and times that came, apart by the millisecond", () => {
    const times = read("* * * * *");
    const at = Date.UTC(2026, 5, 1, 12, 30);
    expect([times.after(at - 1), times.after(at), times.after(at + 1)]).toEqual([at, at + MINUTE_MS, at + MINUTE_MS]);
    expect(times.upTo(at, 2)).toEqual([at, at - MINUTE_MS]);
    expect(times.upTo(at - 1, 1)).toEqual([at - MINUTE_MS]);
    expect(times.upTo(at + MINUTE_MS - 1, 1)).toEqual([at]);
  });
});

describe("case 61: schedules over a change of the clock", () => {
  const SPRING = ["2026-03-28T12:00Z", "2026-03-30T12:00Z"] as const;
  const AUTUMN = ["2026-10-24T12:00Z", "2026-10-26T12:00Z"] as const;

  it("starts at a skipped time of day when the clock has jumped", () => {
    expect(isoBetween("30 2 * * *", "Europe/Berlin", SPRING)).toEqual(["2026-03-29T01:00Z", "2026-03-30T00:30Z"]);
    expect(isoBetween("0 0 * * *", "America/Santiago", ["2026-09-05T12:00Z", "2026-09-07T12:00Z"])).toEqual([
      "2026-09-06T04:00Z",
      "2026-09-07T03:00Z",
    ]);
  });

  it("starts once at a time of day that comes twice", () => {
    expect(isoBetween("30 2 * * *", "Europe/Berlin", AUTUMN)).toEqual(["2026-10-25T00:30Z", "2026-10-26T01:30Z"]);
    expect(isoBetween("15,30 2 * * *", "Europe/Berlin", AUTUMN)).toHaveLength(4);
  });

  it("lets an interval go on, through the hour that comes twice and past the one that is skipped", () => {
    expect(isoBetween("0 * * * *", "Europe/Berlin", ["2026-10-24T23:30Z", "2026-10-25T03:30Z"])).toHaveLength(4);
    expect(isoBetween("0 * * * *", "Europe/Berlin", ["2026-03-28T23:30Z", "2026-03-29T03:30Z"])).toHaveLength(4);
    expect(isoBetween("*/30 2 * * *", "Europe/Berlin", SPRING)).toEqual(["2026-03-30T00:00Z", "2026-03-30T00:30Z"]);
  });

  it.each(TIME_ZONES)("starts a time of day exactly once on each day of a year in %s", (timeZone) => {
    const clock = new WallClock(timeZone);
    const timeOfDay = fc.record({ hour: fc.integer({ min: 0, max: 3 }), minute: fc.constantFrom(0, 15, 30, 45) });
    fc.assert(
      fc.property(timeOfDay, ({ hour, minute }) => {
        const times = timesBetween(read(`${minute} ${hour} * * *`, timeZone), YEAR_BEGINS_AT, YEAR_ENDS_AT);
        expect(times).toEqual(daily(clock, (hour * 60 + minute) * MINUTE_MS));
      }),
      { numRuns: 1 },
    );
  });

  it.each(TIME_ZONES)("starts an interval at every minute whose time on the wall fits in %s", (timeZone) => {
    const clock = new WallClock(timeZone);
    const changes = clock.changes(YEAR_BEGINS_AT, YEAR_ENDS_AT);
    const pattern = fc.record({
      changeAt: fc.constantFrom(...(changes.length === 0 ? [Date.UTC(2026, 5, 1)] : changes)),
      step: fc.constantFrom(7, 15, 20, 30),
      from: fc.integer({ min: 0, max: 2 }),
      length: fc.integer({ min: 0, max: 21 }),
    });
    fc.assert(
      fc.property(pattern, ({ changeAt, step, from, length }) => {
        const range = [changeAt - 6 * HOUR_MS, changeAt + 12 * HOUR_MS] as const;
        const cron = `*/${step} ${from}-${from + length} * * *`;
        const expected: number[] = [];
        for (let at = range[0]; at < range[1]; at += MINUTE_MS) {
          const shown = new Date(clock.shown(at));
          const hour = shown.getUTCHours();
          if (shown.getUTCMinutes() % step === 0 && hour >= from && hour <= from + length) expected.push(at);
        }
        const times = read(cron, timeZone);
        expect(timesBetween(times, ...range)).toEqual(expected);
        const latest = times.upTo(range[1] - 1, expected.length);
        expect([...latest].reverse()).toEqual(expected);
      }),
      { numRuns: 2 },
    );
  });
});

/** For each day of the clock in the year the first quarter at which it shows that time of day, or is past it. */
function daily(clock: WallClock, timeOfDayMs: number): readonly number[] {
  const found: number[] = [];
  let seen: number | undefined;
  // Clocks are changed at quarters of an hour, and the times of day are such.
  for (let at = YEAR_BEGINS_AT - DAY_MS; at < YEAR_ENDS_AT; at += 15 * MINUTE_MS) {
    const shown = clock.shown(at);
    const day = Math.floor(shown / DAY_MS);
    const isPast = shown - day * DAY_MS >= timeOfDayMs;
    if (!isPast || (seen !== undefined && day <= seen)) continue;
    seen = day;
    if (at >= YEAR_BEGINS_AT) found.push(at);
  }
  return found;
}

describe("checkTimeZone", () => {
  it("takes the names of zones", () => {
    expect(TIME_ZONES.map((zone) => checkTimeZone(zone, "timeZone"))).toEqual(TIME_ZONES);
  });

  it.each([
    ["Mars/Phobos", RangeError],
    ["", RangeError],
    [60, TypeError],
  ])("refuses %j", (zone, errorClass) => {
    const refused = () => checkTimeZone(zone, "schedules[1].timeZone");
    expect(refused).toThrow(errorClass);
    expect(refused).toThrow(/^Cannot use schedules\[1\]\.timeZone as it must .*: current value is /);
  });
});
