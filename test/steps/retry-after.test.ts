import { describe, expect, it } from "vitest";
import { RetryableError } from "../../src/steps/errors.ts";
import { isInvalidDelay, prescribedRetryAt, retryAfter } from "../../src/steps/retry-after.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const HOUR_MS = 3_600_000;
const LAST_MOMENT = 8.64e15;

/** What a caller without types may pass. */
const callUntyped = (delay: unknown) => Reflect.apply(retryAfter, undefined, [delay]);

describe("retryAfter", () => {
  it("S29 makes an error to throw that carries its delay", () => {
    const error = retryAfter("5m");
    expect(RetryableError.is(error)).toBe(true);
    expect(error.retryAfter).toBe("5m");
    expect(error.name).toBe("RetryableError");
  });

  it("S31 has the message of its cause, and the cause", () => {
    const cause = new Error("The warehouse is closed.");
    const error = retryAfter(1_000, cause);
    expect(error.message).toBe("The warehouse is closed.");
    expect(error.cause).toBe(cause);
  });

  it("S31 has a message of its own where the cause has none, and no cause where none was given", () => {
    expect(retryAfter(1_500).message).toBe("Workflow Step asked to retry after 1500 ms.");
    expect(Object.hasOwn(retryAfter(1_500), "cause")).toBe(false);
    expect(Object.hasOwn(retryAfter(1_500, undefined), "cause")).toBe(false);
    const odd = retryAfter(1_500, { code: 1 });
    expect(odd.message).toBe("Workflow Step asked to retry after 1500 ms.");
    expect(odd.cause).toEqual({ code: 1 });
  });

  it("S31 says in its message what it was asked for", () => {
    expect(retryAfter("2h").message).toBe("Workflow Step asked to retry after 7200000 ms.");
    expect(retryAfter(" 120 ").message).toBe("Workflow Step asked to retry after 120000 ms.");
    expect(retryAfter(new Date(NOW)).message).toBe("Workflow Step asked to retry after 2026-06-15T12:00:00.000Z.");
    expect(retryAfter(" Mon, 15 Jun 2026 12:00:00 GMT").message).toBe(
      "Workflow Step asked to retry after Mon, 15 Jun 2026 12:00:00 GMT.",
    );
  });

  it("is safe to call with a missing or unreadable header", () => {
    expect(retryAfter(null).message).toBe("Workflow Step asked to retry.");
    expect(retryAfter("soon").message).toBe("Workflow Step asked to retry.");
  });

  it.each([NaN, -1, Infinity, -Infinity, new Date(NaN), undefined, true, {}, [], 5n, () => 5])(
    "S30 refuses %o at the call as no time at all",
    (delay) => {
      let refusal: unknown;
      try {
        callUntyped(delay);
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toBeInstanceOf(TypeError);
      expect(isInvalidDelay(refusal)).toBe(true);
      expect(String(refusal)).toMatch(/^TypeError: Cannot use retryAfter as it must be .+: current value is /);
      expect(Object.keys(refusal as TypeError)).toEqual([]);
    },
  );

  it("tells its own refusal from any other TypeError", () => {
    expect(isInvalidDelay(new TypeError("Cannot use retryAfter"))).toBe(false);
    expect(isInvalidDelay(undefined)).toBe(false);
  });
});

describe("prescribedRetryAt", () => {
  it.each([
    [0, 0],
    [90_000, 90_000],
    [0.5, 1],
    ["0s", 0],
    ["5m", 300_000],
    ["1.5h", 5_400_000],
    ["2 hours", 7_200_000],
    [" 30s ", 30_000],
    ["120", 120_000],
    ["0", 0],
    ["007", 7_000],
    [new Date(NOW + 5_000), 5_000],
    ["Mon, 15 Jun 2026 13:00:00 GMT", HOUR_MS],
    ["Monday, 15-Jun-26 13:00:00 GMT", HOUR_MS],
    ["Mon Jun 15 13:00:00 2026", HOUR_MS],
  ])("S30 reads %o as %d ms from now", (delay, ms) => {
    expect(prescribedRetryAt(delay, NOW)).toEqual({ kind: "at", at: NOW + ms });
  });

  it("case 11: trims a header of seconds", () => {
    expect(prescribedRetryAt(" 120 ", NOW)).toEqual({ kind: "at", at: NOW + 120_000 });
    expect(prescribedRetryAt("\t120", NOW)).toEqual({ kind: "at", at: NOW + 120_000 });
  });

  it.each([
    "-3",
    "+3",
    "1.5",
    "",
    " ",
    "0x10",
    "1e3",
    "-5m",
    "+5m",
    "5 parsecs",
    "1 month",
    "12 0",
    "2026-06-15",
    "NaN",
  ])("case 11: takes the header %j for none, never for a date", (header) => {
    expect(prescribedRetryAt(header, NOW)).toEqual({ kind: "none" });
  });

  it.each([null, undefined])("prescribes nothing for %o", (delay) => {
    expect(prescribedRetryAt(delay, NOW)).toEqual({ kind: "none" });
  });

  it.each(["Mon, 15 Jun 2026 11:00:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", new Date(0), new Date(NOW - 1)])(
    "case 12: takes the past moment %s for now",
    (delay) => {
      expect(prescribedRetryAt(delay, NOW)).toEqual({ kind: "at", at: NOW });
    },
  );

  it("case 12: keeps an absurd delay as the far moment it is", () => {
    expect(prescribedRetryAt("99999999999", NOW)).toEqual({ kind: "at", at: NOW + 99_999_999_999_000 });
    expect(prescribedRetryAt("Thu, 01 Jan 2300 00:00:00 GMT", NOW)).toEqual({ kind: "at", at: Date.UTC(2300, 0) });
  });

  it.each(["9".repeat(400), `${"9".repeat(400)}w`, Number.MAX_VALUE, "9".repeat(20), new Date(LAST_MOMENT)])(
    "case 12: caps %s at the last moment there is",
    (delay) => {
      expect(prescribedRetryAt(delay, NOW)).toEqual({ kind: "at", at: LAST_MOMENT });
    },
  );

  it.each([NaN, -1, Infinity, new Date(NaN), false, {}, [120], 5n, Symbol("5m")])("refuses %o", (delay) => {
    expect(() => prescribedRetryAt(delay, NOW)).toThrow(TypeError);
  });
});
