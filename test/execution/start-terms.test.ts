import { describe, expect, it } from "vitest";
import { checkDeadline, checkStartAt } from "../../src/execution/start-terms.ts";

const NOW = Date.UTC(2026, 10, 30, 9);
const YEAR_MS = 365 * 86_400_000;

describe("checkStartAt", () => {
  it.each([
    [NOW + 5, NOW + 5],
    [NOW + 0.5, NOW + 1],
    [0, 0],
    [NOW + YEAR_MS, NOW + YEAR_MS],
    ["2026-11-30T09:00:00Z", NOW],
    ["2026-11-30T10:00:00.250+01:00", NOW + 250],
    ["2026-11-30T09:00Z", NOW],
    ["2024-02-29T00:00Z", Date.UTC(2024, 1, 29)],
  ])("takes %s", (startAt, at) => {
    expect(checkStartAt(startAt, NOW)).toBe(at);
  });

  it.each([
    NaN,
    Infinity,
    "",
    "soon",
    "1796029200000",
    "2026-11-30",
    "2026-11-30T09:00:00",
    "2026-02-30T09:00:00Z",
    "2026-13-01T09:00:00Z",
    "2026-11-30T25:00:00Z",
    "Mon, 30 Nov 2026 09:00:00 GMT",
    true,
    null,
    {},
    new Date(NOW),
  ])("case 61: refuses %s, which is no moment", (startAt) => {
    const check = () => checkStartAt(startAt, NOW);
    expect(check).toThrow(TypeError);
    expect(check).toThrow("Cannot use startAt as it must be Unix milliseconds, or a date and time with a zone");
  });

  it.each([NOW + YEAR_MS + 1, "2027-12-01T00:00:00Z", 8.64e15])(
    "case 46: refuses %s, more than 365 days ahead",
    (startAt) => {
      const check = () => checkStartAt(startAt, NOW);
      expect(check).toThrow(RangeError);
      expect(check).toThrow("Cannot use startAt as it must be at most 365 days ahead: current value is");
    },
  );
});

describe("checkDeadline", () => {
  it.each([
    [1, 1],
    ["10s", 10_000],
    ["365d", YEAR_MS],
  ])("takes %s", (deadline, ms) => expect(checkDeadline(deadline)).toBe(ms));

  it.each([
    [0, RangeError],
    [-1, RangeError],
    [NaN, RangeError],
    ["366d", RangeError],
    [YEAR_MS + 1, RangeError],
    ["1 month", TypeError],
    [null, TypeError],
  ])("case 51: refuses %s", (deadline, errorClass) => {
    const check = () => checkDeadline(deadline);
    expect(check).toThrow(errorClass);
    expect(check).toThrow("Cannot use deadline as ");
  });
});
