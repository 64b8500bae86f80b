import { describe, expect, it } from "vitest";
import { attemptFailed } from "../../src/journal/attempt-failed.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { rollbackFailed } from "../../src/journal/rollback-failed.ts";
import { runFailed } from "../../src/journal/run-failed.ts";
import type { State } from "../../src/journal/state.ts";
import { RetryableError } from "../../src/steps/errors.ts";
import { DEFAULT_RETRY_POLICY, type ResolvedRetryPolicy } from "../../src/steps/retry-policy.ts";
import {
  attemptStarted,
  encode,
  ending,
  rollbackAt,
  rollbackStarted,
  START_AT,
  stateAfter,
  stepAt,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const TERMS = {
  now: START_AT,
  maximumRetryAfterMs: 3_600_000,
  maximumValueBytes: 1_024,
  skipsBackoff: true,
  encode,
};
const { maximumAttempts: _, ...WITHOUT_LIMITS } = DEFAULT_RETRY_POLICY;

const failStep = (state: State, thrown: unknown = new Error("no")) =>
  attemptFailed(state, { step: stepAt(state, 0), thrown }, TERMS);

/** The attempts that a step gets whose every attempt fails at once. */
function attemptsUnder(policy: ResolvedRetryPolicy): readonly Entry[] {
  const entries: Entry[] = [stepStarted(0, { policy })];
  for (;;) {
    const failed = failStep(stateAfter(...entries));
    entries.push(failed);
    if (failed.spent !== undefined) return entries.filter(({ type }) => type === "attempt-started");
    entries.push(attemptStarted(0, failed.attempt + 1));
  }
}

describe("S64 a backoff that a test skips", () => {
  it("is not waited out, and its length is journaled", () => {
    expect(failStep(stateAfter(stepStarted(0)))).toMatchObject({
      retryAt: START_AT,
      because: "backoff",
      skippedMs: 1_000,
    });
  });

  it("counts toward the duration of the step", () => {
    // At 0, 1, 3, 7 and 15 seconds.
    expect(attemptsUnder({ ...WITHOUT_LIMITS, maximumDurationMs: 10_000 })).toHaveLength(5);
    expect(attemptsUnder({ ...WITHOUT_LIMITS, maximumDurationMs: 15_001 })).toHaveLength(6);
  });

  it("counts as a millisecond at least", () => {
    expect(attemptsUnder({ ...WITHOUT_LIMITS, initialIntervalMs: 0, maximumDurationMs: 5 })).toHaveLength(6);
  });

  it("is no delay that a service prescribed: that one is waited out", () => {
    const failed = failStep(stateAfter(stepStarted(0)), new RetryableError("busy", { retryAfter: "5s" }));
    expect(failed).toMatchObject({ retryAt: START_AT + 5_000, because: "retry-after" });
    expect(failed).not.toHaveProperty("skippedMs");
  });

  it("may be that of a rollback", () => {
    const policy = { ...WITHOUT_LIMITS, maximumDurationMs: 1_000 };
    const entries: Entry[] = [...undoable(0, { policy }), ending(), rollbackStarted(0)];
    const fail = () => {
      const state = stateAfter(...entries);
      return rollbackFailed(state, { rollback: rollbackAt(state, 0), thrown: new Error("no") }, TERMS);
    };
    const first = fail();
    expect(first).toMatchObject({ retryAt: START_AT, because: "backoff", skippedMs: 1_000 });
    entries.push(first, { type: "rollback-started", op: 0, attempt: 2, at: START_AT });
    expect(fail()).toMatchObject({ spent: "duration" });
  });

  it("may be that of a failed run", () => {
    const failed = { code: "RUN_FAILED", failure: { name: "TypeError", message: "total is undefined" } };
    const terms = { policy: DEFAULT_RETRY_POLICY, now: START_AT, skipsBackoff: true };
    expect(runFailed(stateAfter(), failed, terms)).toMatchObject({ attempt: 1, retryAt: START_AT });
  });
});
