import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDuration, parseDurationWithin, parseSignedDuration, readDuration } from "../../src/steps/duration.ts";

describe("parseDuration", () => {
  it.each([
    [0, 0],
    [250, 250],
    [0.2, 1],
    ["0s", 0],
    ["500ms", 500],
    ["30s", 30_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
    ["1w", 604_800_000],
    ["1 millisecond", 1],
    ["2 milliseconds", 2],
    ["1 second", 1_000],
    ["10 minutes", 600_000],
    ["2 hours", 7_200_000],
    ["1 day", 86_400_000],
    ["2 weeks", 1_209_600_000],
    ["1.5h", 5_400_000],
    ["0.5 seconds", 500],
  ])("takes %j for %d ms", (value, ms) => {
    expect(parseDuration(value, "timeout")).toBe(ms);
  });

  it("rounds a fraction of a millisecond up", () => {
    expect(parseDuration("0.0001ms", "timeout")).toBe(1);
    expect(parseDuration("1.2345s", "timeout")).toBe(1_235);
  });

  it("does not take the noise of a multiplication for a fraction", () => {
    expect(1.1 * 3_600_000).toBeGreaterThan(3_960_000);
    expect(parseDuration("1.1h", "timeout")).toBe(3_960_000);
  });

  it("knows no negative zero", () => {
    expect(parseDuration(-0, "timeout")).toBe(0);
    expect(parseDuration("-0s", "timeout")).toBe(0);
  });

  it.each([
    ..."|5|5 parsecs|1month|1 months|1y|1 year|5M|5S|1h30m|1 h|1day|1  day|five m|--5m|1us|1 min".split("|"),
    ..." | 5m|5m |5m\n|+5m|.5h|5.h|1e3s|0x10s|1,000s|1_000s|1.2.3s|٣s".split("|"),
    null,
    undefined,
    true,
    {},
    [],
    [5],
    5n,
    Symbol("5m"),
    () => 5,
    new Date(5),
  ])("case 8: refuses %o as no duration", (value) => {
    expect(() => parseDuration(value, "timeout")).toThrow(TypeError);
    expect(() => parseDuration(value, "timeout")).toThrow(/^Cannot use timeout as it must be a duration: .+: current/);
  });

  it.each([NaN, Infinity, -Infinity, `${"9".repeat(400)}s`])("case 8: refuses %s as not finite", (value) => {
    expect(() => parseDuration(value, "sleep")).toThrow(RangeError);
    expect(() => parseDuration(value, "sleep")).toThrow("Cannot use sleep as it must be finite: current value is");
  });

  it.each([
    [-1, "-1"],
    ["-5m", '"-5m"'],
  ])("case 8: refuses %s as negative", (value, shown) => {
    const message = `Cannot use initialInterval as it must not be negative: current value is ${shown}`;
    expect(() => parseDuration(value, "initialInterval")).toThrow(new RangeError(message));
  });

  it("is the product of amount and unit for every whole amount", () => {
    const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.constantFrom(...Object.entries(units)), (amount, [unit, ms]) => {
        expect(parseDuration(`${amount}${unit}`, "timeout")).toBe(amount * ms);
      }),
    );
  });

  it("never shortens a fraction, nor lengthens it by a millisecond", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (tenThousandths) => {
        const ms = parseDuration(`${(tenThousandths / 10_000).toFixed(4)}s`, "timeout");
        expect(ms).toBe(Math.ceil(tenThousandths / 10));
      }),
    );
  });
});

describe("parseSignedDuration", () => {
  it("takes a negative length", () => {
    expect(parseSignedDuration(-1_500, "duration")).toBe(-1_500);
    expect(parseSignedDuration("-5m", "duration")).toBe(-300_000);
    expect(parseSignedDuration("5m", "duration")).toBe(300_000);
  });

  it.each(["-", "--5m", "-5", "- 5m", null])("refuses %o as no duration", (value) => {
    expect(() => parseSignedDuration(value, "duration")).toThrow(TypeError);
  });

  it("refuses what is not finite", () => {
    expect(() => parseSignedDuration(-Infinity, "duration")).toThrow(RangeError);
  });
});

describe("parseDurationWithin", () => {
  const range = { minimumMs: 1_000, maximumMs: 600_000 };

  it("takes both bounds", () => {
    expect(parseDurationWithin("1s", "timeout", range)).toBe(1_000);
    expect(parseDurationWithin("10m", "timeout", range)).toBe(600_000);
  });

  it.each([
    [999, "999"],
    ["601s", '"601s"'],
  ])("refuses %s outside of them, and names the field, the rule and the value", (value, shown) => {
    const message = `Cannot use timeout as it must be 1000 to 600000 milliseconds: current value is ${shown}`;
    expect(() => parseDurationWithin(value, "timeout", range)).toThrow(new RangeError(message));
  });
});

describe("readDuration", () => {
  it("reads a number with its unit and nothing else", () => {
    expect(readDuration("5m")).toBe(300_000);
    expect(readDuration("-5m")).toBeUndefined();
    expect(readDuration("120")).toBeUndefined();
  });
});
