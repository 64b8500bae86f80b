import { describe, expect, it } from "vitest";
import { attemptFailed } from "../../src/journal/attempt-failed.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { rollbackFailed } from "../../src/journal/rollback-failed.ts";
import { LIMITS } from "../../src/limits.ts";
import { NonRetryableError, RetryableError } from "../../src/steps/errors.ts";
import { DEFAULT_RETRY_POLICY, type ResolvedRetryPolicy } from "../../src/steps/retry-policy.ts";
import {
  ending,
  paused,
  resumed,
  rollbackAt,
  rollbackRetried,
  rollbackStarted,
  START_AT,
  stateAfter,
  stepAt,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const HOUR_MS = 3_600_000;
const NOW = START_AT + 50;
const TWICE: ResolvedRetryPolicy = { ...DEFAULT_RETRY_POLICY, maximumAttempts: 2 };

/** Nobody is thrown the error of a rollback, so that none is encoded. */
function encode(): never {
  throw new Error("This value is not kept.");
}

const TERMS = { now: NOW, maximumRetryAfterMs: HOUR_MS, maximumValueBytes: 1_024, encode };

function fail(thrown: unknown, entries: readonly Entry[], { policy = TWICE, now = NOW } = {}) {
  const state = stateAfter(...undoable(0, { policy }), ending(), ...entries);
  return rollbackFailed(state, { rollback: rollbackAt(state, 0), thrown }, { ...TERMS, now });
}

describe("the entry of a failed attempt of a rollback", () => {
  it("keeps the failure, and the retry with its time and its reason", () => {
    const error = new TypeError("no", { cause: new Error("socket closed") });
    expect(fail(error, [rollbackStarted(0)])).toEqual({
      type: "rollback-failed",
      op: 0,
      attempt: 1,
      failure: { name: "TypeError", message: "no", causes: [{ name: "Error", message: "socket closed" }] },
      retryAt: NOW + 1_000,
      because: "backoff",
      at: NOW,
    });
    expect(fail(new RetryableError("busy", { retryAfter: "5s" }), [rollbackStarted(0)])).toMatchObject({
      retryAt: NOW + 5_000,
      because: "retry-after",
    });
  });

  it("gives the rollback up with the last attempt of its step's policy", () => {
    const second = [rollbackStarted(0), rollbackRetried(0), rollbackStarted(0, 2)];
    expect(fail(new Error("no"), second)).toEqual({
      type: "rollback-failed",
      op: 0,
      attempt: 2,
      failure: { name: "Error", message: "no" },
      spent: "attempts",
      at: NOW,
    });
  });

  it("gives it up at once for an error that is not worth a retry", () => {
    expect(fail(new NonRetryableError("no", { code: "NO" }), [rollbackStarted(0)])).toMatchObject({
      spent: "terminal",
      failure: { code: "NO" },
    });
  });

  it("keeps when a service asked to be tried again beyond the bound", () => {
    const later = new RetryableError("busy", { retryAfter: 2 * HOUR_MS });
    expect(fail(later, [rollbackStarted(0)])).toMatchObject({ spent: "refused", retryAt: NOW + 2 * HOUR_MS });
  });

  it("bounds its duration without the pauses since its first attempt, not those before", () => {
    const policy = { ...DEFAULT_RETRY_POLICY, maximumDurationMs: 10_000 };
    const pause = (from: number, to: number) => [paused({ at: START_AT + from }), resumed(START_AT + to)];
    const entries = [...pause(0, 1_000), rollbackStarted(0, 1, START_AT + 1_000), ...pause(2_000, 7_000)];
    expect(fail(new Error("no"), entries, { policy, now: START_AT + 14_999 }).spent).toBeUndefined();
    expect(fail(new Error("no"), entries, { policy, now: START_AT + 16_000 }).spent).toBe("duration");
  });

  it("draws its jitter for each attempt, and apart from that of its step", () => {
    const policy = { ...DEFAULT_RETRY_POLICY, initialIntervalMs: 10_000, backoffCoefficient: 1, jitter: 1 };
    const retryAt = (attempt: number) => fail(new Error("no"), [rollbackStarted(0, attempt)], { policy }).retryAt;
    const state = stateAfter(stepStarted(0, { policy }));
    const ofStep = attemptFailed(state, { step: stepAt(state, 0), thrown: new Error("no") }, TERMS).retryAt;
    expect(new Set([retryAt(1), retryAt(2), ofStep]).size).toBe(3);
    expect(retryAt(1)).toBe(retryAt(1));
  });

  it("case 98: cuts the message to what an entry may carry", () => {
    const { failure } = fail(new Error("x".repeat(100_000)), [rollbackStarted(0)]);
    expect(failure.message).toHaveLength(LIMITS.failureMessageBytes);
  });
});
