import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { runFailed } from "../../src/journal/run-failed.ts";
import { emptyState, type State } from "../../src/journal/state.ts";
import { LIMITS } from "../../src/limits.ts";
import { DEFAULT_RETRY_POLICY, type ResolvedRetryPolicy } from "../../src/steps/retry-policy.ts";
import {
  attemptRetried,
  attemptStarted,
  foldOf,
  resumed,
  START_AT,
  started,
  stateAfter,
  stepSpent,
  stepStarted,
} from "../support/journal-entries.ts";

const AT = START_AT + 500;
const FAILURE = { name: "TypeError", message: "total is undefined" };

function fail(state: State, policy: Partial<ResolvedRetryPolicy> = {}) {
  const terms = { policy: { ...DEFAULT_RETRY_POLICY, ...policy }, now: AT };
  return runFailed(state, { code: "RUN_FAILED", failure: FAILURE }, terms);
}

/** The journal of an execution whose run has failed so many times in a row. */
function failuresBefore(count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, index) => ({
    type: "run-failed",
    attempt: index + 1,
    failure: FAILURE,
    retryAt: START_AT,
    at: START_AT,
  }));
}

const afterFailures = (count: number) => stateAfter(...failuresBefore(count));

describe("a run that failed outside every step", () => {
  it("S47 is attempted again after the policy's intervals", () => {
    expect(fail(afterFailures(0))).toEqual({
      type: "run-failed",
      attempt: 1,
      failure: FAILURE,
      retryAt: AT + 1_000,
      at: AT,
    });
    const retries = [1, 2, 5, 6, 18].map((failures) => fail(afterFailures(failures)));
    expect(retries).toMatchObject(
      [2_000, 4_000, 32_000, 60_000, 60_000].map((delayMs) => ({ type: "run-failed", retryAt: AT + delayMs })),
    );
  });

  it("case 196: pauses the execution at its last attempt, with the failure and what to do", () => {
    expect(fail(afterFailures(1), { maximumAttempts: 3 })).toMatchObject({ type: "run-failed", attempt: 2 });
    expect(fail(afterFailures(2), { maximumAttempts: 3 })).toEqual({
      type: "paused",
      by: "fault",
      code: "RUN_FAILED",
      message:
        "Run 3 of 3 failed outside every step (TypeError: total is undefined). Deploy corrected code and resume the " +
        "execution, or cancel it. To fail an execution for good, let its code throw NonRetryableError or one of its " +
        "declared errors (errors.CODE).",
      failure: FAILURE,
      at: AT,
    });
  });

  it("S47 pauses at the first failure where the policy has one attempt", () => {
    expect(fail(afterFailures(0), { maximumAttempts: 1 })).toMatchObject({ type: "paused" });
  });

  it("S18 has 20 attempts under a policy without a limit of attempts", () => {
    const { maximumAttempts: _, ...unlimited } = DEFAULT_RETRY_POLICY;
    const failAfter = (count: number) =>
      runFailed(
        afterFailures(count),
        { code: "STALLED", failure: FAILURE },
        { policy: { ...unlimited, maximumDurationMs: 1 }, now: AT },
      );
    expect(failAfter(LIMITS.runAttempts - 2)).toMatchObject({ type: "run-failed", attempt: 19 });
    expect(failAfter(LIMITS.runAttempts - 1)).toMatchObject({ type: "paused", code: "STALLED" });
  });

  it("is counted anew after a resume", () => {
    const state = stateAfter(...failuresBefore(2), resumed());
    expect(fail(state, { maximumAttempts: 3 })).toMatchObject({ type: "run-failed", attempt: 1, retryAt: AT + 1_000 });
  });

  it("S48 is not counted together with the attempts of steps and the deaths of objects", () => {
    const steps = [stepStarted(0), attemptRetried(0), attemptStarted(0, 2), stepSpent(0, { attempt: 2 })];
    const state = stateAfter(...steps, { type: "object-lost", ops: [], at: START_AT });
    expect(fail(state, { maximumAttempts: 2 })).toMatchObject({ type: "run-failed", attempt: 1 });
  });

  it("is attempted again whatever its error is called", () => {
    expect(fail(afterFailures(0), { nonRetryableErrors: ["TypeError"] })).toMatchObject({ type: "run-failed" });
  });
});

describe("the jitter of a run's retry", () => {
  const jittered = { initialIntervalMs: 10_000, backoffCoefficient: 1, jitter: 1 };
  const retryAt = (state: State) => {
    const entry = fail(state, jittered);
    return entry.type === "run-failed" ? entry.retryAt : Number.NaN;
  };

  it("is drawn from the seed: the same again, another for another attempt or seed", () => {
    const first = retryAt(afterFailures(0));
    expect(first).toBeGreaterThan(AT);
    expect(first).toBeLessThan(AT + 10_000);
    expect(retryAt(afterFailures(0))).toBe(first);
    expect(retryAt(afterFailures(1))).not.toBe(first);
    expect(retryAt(foldOf(started({ seed: "another" })))).not.toBe(first);
  });

  it("is drawn without a seed where nothing was started", () => {
    expect(retryAt(emptyState())).toBeGreaterThan(AT);
    expect(retryAt(emptyState())).toBeLessThan(AT + 10_000);
  });
});
