import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffDelayMs } from "../../src/steps/backoff.ts";
import { DEFAULT_RETRY_POLICY, resolveRetryPolicy, type RetryPolicy } from "../../src/steps/retry-policy.ts";

const policyOf = (declared: RetryPolicy) => resolveRetryPolicy(declared, DEFAULT_RETRY_POLICY);
const noChance = () => {
  throw new Error("No chance was asked for.");
};

function delaysOf(declared: RetryPolicy, attempts: number): number[] {
  const policy = policyOf(declared);
  return Array.from({ length: attempts }, (_, index) => backoffDelayMs(policy, index + 1, noChance));
}

const anyPolicy = fc
  .record({
    initialInterval: fc.integer({ min: 0, max: 3_600_000 }),
    backoffCoefficient: fc.double({ min: 1, max: 100, noNaN: true }),
    span: fc.integer({ min: 0, max: 82_800_000 }),
  })
  .map(({ span, ...policy }) => policyOf({ ...policy, maximumInterval: policy.initialInterval + span }));

describe("backoffDelayMs", () => {
  it("S11 is 1, 2, 4, 8, 16, 32, 60, 60 … seconds by default: 19 delays, 843 s in all", () => {
    const delays = delaysOf({}, 19);
    expect(delays.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBe(843_000);
  });

  it("case 7: stays at the cap for ever", () => {
    const delays = delaysOf({ initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "30s" }, 2_000);
    expect(delays.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(new Set(delays.slice(5))).toEqual(new Set([30_000]));
  });

  it.each([
    [10, "1s", 86_400_000],
    [100, "1h", 86_400_000],
  ] as const)(
    "case 7: a coefficient of %d from %s ends at %d ms, also where the power overflows",
    (factor, first, cap) => {
      const delays = delaysOf({ initialInterval: first, backoffCoefficient: factor, maximumInterval: "1 day" }, 2_000);
      expect(factor ** 1_999).toBe(Infinity);
      expect(delays.at(-1)).toBe(cap);
      expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    },
  );

  it("case 6: case 7: an initial interval of 0 is 0 after every attempt", () => {
    expect(new Set(delaysOf({ initialInterval: 0, backoffCoefficient: 10 }, 2_000))).toEqual(new Set([0]));
    expect(delaysOf({ initialInterval: "0s", maximumInterval: 0 }, 3)).toEqual([0, 0, 0]);
  });

  it("is whole, finite, never negative, never over the cap and never less than the one before", () => {
    fc.assert(
      fc.property(anyPolicy, fc.integer({ min: 1, max: 3_000 }), (policy, attempt) => {
        const delay = backoffDelayMs(policy, attempt, noChance);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(policy.initialIntervalMs);
        expect(delay).toBeLessThanOrEqual(policy.maximumIntervalMs);
        expect(backoffDelayMs(policy, attempt + 1, noChance)).toBeGreaterThanOrEqual(delay);
      }),
    );
  });

  it("takes off up to the share of jitter, never more", () => {
    const draw = fc.record({
      policy: anyPolicy,
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
      drawn: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      attempt: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(draw, ({ policy, jitter, drawn, attempt }) => {
        const whole = backoffDelayMs(policy, attempt, noChance);
        const delay = backoffDelayMs({ ...policy, jitter }, attempt, () => drawn);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeLessThanOrEqual(whole);
        expect(delay).toBeGreaterThanOrEqual(whole - whole * jitter);
      }),
    );
  });

  it("rounds to the nearest millisecond, and what jitter leaves up", () => {
    const policy = policyOf({ initialInterval: 3, backoffCoefficient: 1.5, jitter: 0.5 });
    expect(backoffDelayMs({ ...policy, jitter: 0 }, 2, noChance)).toBe(5);
    expect(backoffDelayMs(policy, 1, () => 0.9)).toBe(2);
  });

  it("takes off the share that chance says", () => {
    const policy = policyOf({ initialInterval: "10s", jitter: 0.5 });
    expect(backoffDelayMs(policy, 1, () => 0)).toBe(10_000);
    expect(backoffDelayMs(policy, 1, () => 0.5)).toBe(7_500);
    expect(backoffDelayMs({ ...policy, jitter: 1 }, 1, () => 0.999)).toBe(10);
  });
});
