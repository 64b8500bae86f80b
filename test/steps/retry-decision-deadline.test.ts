import { describe, expect, it } from "vitest";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { retryAfter } from "../../src/steps/retry-after.ts";
import { decideRetry, type RetryDecision } from "../../src/steps/retry-decision.ts";
import { DEFAULT_RETRY_POLICY, resolveRetryPolicy, type RetryPolicy } from "../../src/steps/retry-policy.ts";

const NOW = Date.UTC(2026, 5, 15, 12);

function decide(thrown: unknown, deadlineAt: number, attempt = 1): RetryDecision {
  return decideRetry(
    { thrown, attempt, charged: attempt, elapsedMs: 0, now: NOW },
    {
      step: "ship",
      policy: resolveRetryPolicy({ initialInterval: "5s", maximumAttempts: 2 }, DEFAULT_RETRY_POLICY),
      maximumRetryAfterMs: 3_600_000,
      deadlineAt,
      random: () => 0.5,
    },
  );
}

describe("a deadline of the execution", () => {
  it.each([
    { given: "a backoff", thrown: new Error("no") },
    { given: "a prescribed delay", thrown: retryAfter("5s") },
  ])("S73 case 26: $given that ends before it is waited out, one that ends with it spends the step", ({ thrown }) => {
    expect(decide(thrown, NOW + 5_001)).toMatchObject({ kind: "retry", retryAt: NOW + 5_000 });
    const decision = decide(thrown, NOW + 5_000);
    expect(decision).toMatchObject({
      kind: "spent",
      spent: "deadline",
      error: { name: "StepExhausted", step: "ship", attempts: 1, cause: thrown },
    });
    expect(decision).not.toHaveProperty("retryAt");
  });

  it("comes after every other reason", () => {
    expect(decide(new NonRetryableError("no"), NOW)).toMatchObject({ spent: "terminal" });
    expect(decide(new Error("no"), NOW, 2)).toMatchObject({ spent: "attempts" });
    expect(decide(retryAfter("2h"), NOW)).toMatchObject({ spent: "refused", retryAt: NOW + 7_200_000 });
  });
});

describe("a full journal", () => {
  function decideInFull(policy: RetryPolicy): RetryDecision {
    return decideRetry(
      { thrown: new Error("no"), attempt: 5, charged: 5, elapsedMs: 0, now: NOW },
      {
        step: "ship",
        policy: resolveRetryPolicy(policy, DEFAULT_RETRY_POLICY),
        maximumRetryAfterMs: 3_600_000,
        isJournalFull: true,
        random: () => 0.5,
      },
    );
  }

  it("S18 ends the attempts that only a duration bounds, and none that have a number", () => {
    expect(decideInFull({ maximumDuration: "1 day" })).toMatchObject({
      kind: "spent",
      spent: "journal",
      error: { name: "StepExhausted", step: "ship", attempts: 5 },
    });
    expect(decideInFull({ maximumAttempts: 1_000 }).kind).toBe("retry");
    expect(decideInFull({ maximumAttempts: 6, maximumDuration: "1 day" }).kind).toBe("retry");
  });
});
