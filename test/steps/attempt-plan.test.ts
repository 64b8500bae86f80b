import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planAttempts, planPolicy, type PolicyPlan } from "../../src/steps/attempt-plan.ts";
import { backoffDelayMs } from "../../src/steps/backoff.ts";
import { decideRetry } from "../../src/steps/retry-decision.ts";
import { DEFAULT_RETRY_POLICY, resolveRetryPolicy, type RetryPolicy } from "../../src/steps/retry-policy.ts";

const TIMEOUT_MS = 10_000;
const policyOf = (declared: RetryPolicy) => resolveRetryPolicy(declared, DEFAULT_RETRY_POLICY);
const planOf = (declared: RetryPolicy): PolicyPlan => planPolicy(policyOf(declared), TIMEOUT_MS);
const noChance = () => 0;

const anyPolicy = fc
  .record({
    initialInterval: fc.integer({ min: 0, max: 5_000 }),
    backoffCoefficient: fc.double({ min: 1, max: 4, noNaN: true }),
    span: fc.integer({ min: 0, max: 60_000 }),
    limits: fc.oneof(
      fc.record({ maximumAttempts: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ maximumDuration: fc.integer({ min: 1, max: 100_000 }) }),
      fc.record({
        maximumAttempts: fc.integer({ min: 1, max: 30 }),
        maximumDuration: fc.integer({ min: 1, max: 100_000 }),
      }),
    ),
  })
  .map(({ span, limits, ...intervals }) =>
    policyOf({ ...intervals, ...limits, maximumInterval: intervals.initialInterval + span }),
  );

describe("planAttempts", () => {
  it("gives the times of the default policy: 20 attempts in 843 s", () => {
    const { attempts, spent, endsAfterMs } = planAttempts(policyOf({}), { attemptMs: 0, random: noChance });
    expect(attempts.map(({ startsAfterMs }) => startsAfterMs).slice(0, 8)).toEqual([
      0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000, 123_000,
    ]);
    expect(attempts.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect([spent, endsAfterMs]).toEqual(["attempts", 843_000]);
  });

  it("lets no attempt follow one that fails after the duration", () => {
    const policy = policyOf({ initialInterval: "1s", backoffCoefficient: 1, maximumDuration: "5s" });
    const { attempts, spent, endsAfterMs } = planAttempts(policy, { attemptMs: 1_500, random: noChance });
    expect(attempts).toEqual([
      { attempt: 1, startsAfterMs: 0, delayMs: 1_000 },
      { attempt: 2, startsAfterMs: 2_500, delayMs: 1_000 },
      { attempt: 3, startsAfterMs: 5_000 },
    ]);
    expect([spent, endsAfterMs]).toEqual(["duration", 6_500]);
  });

  it("ends at 1,000 attempts where the policy goes on", () => {
    const plan = planAttempts(policyOf({ initialInterval: 0, maximumDuration: "1d" }), {
      attemptMs: 0,
      random: noChance,
    });
    expect(plan.attempts).toHaveLength(1_000);
    expect(plan.attempts.at(-1)).toEqual({ attempt: 1_000, startsAfterMs: 0, delayMs: 0 });
    expect(plan.spent).toBeUndefined();
  });

  it("waits what the backoff says after each attempt, whatever the policy", () => {
    fc.assert(
      fc.property(anyPolicy, fc.integer({ min: 1, max: 9_999 }), (policy, attemptMs) => {
        const { attempts } = planAttempts(policy, { attemptMs, random: noChance });
        for (const [index, { attempt, startsAfterMs, delayMs }] of attempts.entries()) {
          const next = attempts[index + 1];
          if (next === undefined) continue;
          expect(delayMs).toBe(backoffDelayMs(policy, attempt, noChance));
          expect(next.startsAfterMs).toBe(startsAfterMs + attemptMs + Number(delayMs));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("planPolicy", () => {
  it("has a plan with all that chance may take off only where there is jitter", () => {
    expect(planOf({ maximumAttempts: 3 }).soonest).toBeUndefined();
    const { soonest, atOnce } = planOf({ maximumAttempts: 3, jitter: 0.5 });
    expect(atOnce.endsAfterMs).toBe(3_000);
    // Delays are rounded up, so that never more than the share comes off.
    expect(soonest?.endsAfterMs).toBe(1_502);
  });

  it("adds every timeout to the worst case where attempts are counted", () => {
    const { timedOut, longestMs } = planOf({ maximumAttempts: 5, maximumInterval: "30s" });
    expect([timedOut.endsAfterMs, longestMs]).toEqual([65_000, 65_000]);
    expect(planOf({ maximumAttempts: 1 }).longestMs).toBe(TIMEOUT_MS);
  });

  it("bounds the worst case by the duration, one delay and one timeout", () => {
    const { timedOut, longestMs } = planOf({ maximumDuration: "1m", maximumInterval: "30s" });
    // Attempts that all time out end sooner than those that fail just before the duration is over.
    expect([timedOut.endsAfterMs, longestMs]).toEqual([65_000, 59_999 + 30_000 + TIMEOUT_MS]);
    const endless = planOf({ initialInterval: "1s", backoffCoefficient: 1, maximumDuration: "1d" });
    expect(endless.longestMs).toBe(86_399_999 + 1_000 + TIMEOUT_MS);
  });

  it("has a worst case that no lengths of attempts go over, and some reach", () => {
    fc.assert(
      fc.property(anyPolicy, fc.infiniteStream(fc.integer({ min: 0, max: TIMEOUT_MS })), (policy, lengths) => {
        const endsAfterMs = runWith(policy, () => Number(lengths.next().value));
        expect(endsAfterMs).toBeLessThanOrEqual(planPolicy(policy, TIMEOUT_MS).longestMs);
      }),
      { numRuns: 500 },
    );
    // Two attempts that fail at once, one that fails in the last millisecond, and one that times out.
    const policy = policyOf({ initialInterval: "1s", backoffCoefficient: 2, maximumDuration: "5s" });
    const lengths = [0, 0, 1_999, TIMEOUT_MS];
    expect(runWith(policy, () => Number(lengths.shift()))).toBe(planPolicy(policy, TIMEOUT_MS).longestMs);
  });
});

/** When a step is spent whose attempts take so long. */
function runWith(policy: ReturnType<typeof policyOf>, nextLength: () => number): number {
  let now = 0;
  for (let attempt = 1; ; attempt += 1) {
    now += attempt > 2_000 ? TIMEOUT_MS : nextLength();
    const decision = decideRetry(
      { thrown: new Error("no"), attempt, charged: attempt, elapsedMs: now, now },
      { step: "ship", policy, maximumRetryAfterMs: 0, random: noChance },
    );
    if (decision.kind === "spent") return now;
    now = decision.retryAt;
  }
}
