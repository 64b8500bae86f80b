import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attemptFailed } from "../../src/journal/attempt-failed.ts";
import type { Entry } from "../../src/journal/entry.ts";
import type { AttemptRetried, StepSpent } from "../../src/journal/step-entry.ts";
import { emptyState, type State } from "../../src/journal/state.ts";
import { NonRetryableError, RetryableError, StepExhausted } from "../../src/steps/errors.ts";
import { DEFAULT_RETRY_POLICY, type ResolvedRetryPolicy } from "../../src/steps/retry-policy.ts";
import {
  attemptRetried,
  attemptStarted,
  decode,
  encode,
  foldOf,
  paused,
  resumed,
  START_AT,
  started,
  stateAfter,
  stepAt,
  stepStarted,
} from "../support/journal-entries.ts";

const HOUR_MS = 3_600_000;
const JITTERED = { ...DEFAULT_RETRY_POLICY, initialIntervalMs: 10_000, jitter: 1 };
const ONE_MINUTE = limitedTo({ maximumDurationMs: 60_000 });

function limitedTo(limits: Partial<ResolvedRetryPolicy>): ResolvedRetryPolicy {
  const { maximumAttempts: _, ...unlimited } = DEFAULT_RETRY_POLICY;
  return { ...unlimited, ...limits };
}

function failAt(now: number, state: State, thrown: unknown = new Error("no")): AttemptRetried | StepSpent {
  return failStep(state, { op: 0, now, thrown });
}

function failStep(
  state: State,
  failed: { readonly op: number; readonly now?: number; readonly thrown?: unknown },
): AttemptRetried | StepSpent {
  const { op, now = START_AT, thrown = new Error("no") } = failed;
  const terms = { now, maximumRetryAfterMs: HOUR_MS, maximumValueBytes: 1_024, encode };
  return attemptFailed(state, { step: stepAt(state, op), thrown }, terms);
}

/** Two attempts, of which the object's death took the first one: it is not charged. */
function afterDeath(policy: ResolvedRetryPolicy): State {
  const lost: Entry = { type: "object-lost", ops: [0], at: START_AT };
  return stateAfter(stepStarted(0, { policy }), lost, attemptStarted(0, 2));
}

describe("the entry of a failed attempt", () => {
  it("keeps the failure, and the retry with its time and its reason", () => {
    const error = new TypeError("no", { cause: new Error("socket closed") });
    expect(failAt(START_AT + 50, stateAfter(stepStarted(0)), error)).toEqual({
      type: "attempt-failed",
      op: 0,
      attempt: 1,
      failure: { name: "TypeError", message: "no", causes: [{ name: "Error", message: "socket closed" }] },
      retryAt: START_AT + 1_050,
      because: "backoff",
      at: START_AT + 50,
    });
  });

  it("ends the step where the journal is full and nothing else bounds its attempts", () => {
    const state = stateAfter(stepStarted(0, { policy: ONE_MINUTE }));
    const failed = { step: stepAt(state, 0), thrown: new Error("no") };
    const terms = { now: START_AT, maximumRetryAfterMs: HOUR_MS, maximumValueBytes: 1_024, encode };
    expect(attemptFailed(state, failed, { ...terms, isJournalFull: false })).toHaveProperty("retryAt");
    expect(attemptFailed(state, failed, { ...terms, isJournalFull: true })).toMatchObject({ spent: "journal" });
  });

  it("S20 backs off by the step's own attempts, whatever other steps went through", () => {
    const state = stateAfter(
      stepStarted(0),
      stepStarted(1),
      attemptRetried(1),
      attemptStarted(1, 2),
      attemptRetried(1, { attempt: 2 }),
      attemptStarted(1, 3),
    );
    expect(failStep(state, { op: 0 })).toMatchObject({ attempt: 1, retryAt: START_AT + 1_000 });
    expect(failStep(state, { op: 1 })).toMatchObject({ attempt: 3, retryAt: START_AT + 4_000 });
  });

  it("S73 case 26: ends the step where the next attempt could only start after the execution's deadline", () => {
    const state = (deadlineAt: number, ...entries: readonly Entry[]) =>
      foldOf(started({ deadlineAt }), stepStarted(0), ...entries);
    expect(failAt(START_AT, state(START_AT + 1_001))).toMatchObject({ retryAt: START_AT + 1_000 });
    expect(failAt(START_AT, state(START_AT + 1_000))).toMatchObject({ spent: "deadline", attempt: 1 });
    const asked: Entry = { type: "cancel-requested", at: START_AT };
    expect(failAt(START_AT, state(START_AT + 1_000, asked))).toMatchObject({ retryAt: START_AT + 1_000 });
  });

  it("S29 keeps a prescribed delay as the reason of the retry", () => {
    const error = new RetryableError("busy", { retryAfter: 90_000 });
    const entry = failAt(START_AT, stateAfter(stepStarted(0)), error);
    expect(entry).toMatchObject({ retryAt: START_AT + 90_000, because: "retry-after" });
    expect(entry).not.toHaveProperty("spent");
  });
});

describe("the entry of an attempt that ends its step", () => {
  it("S37 S44 keeps what the workflow's code sees, and what was thrown only as the failure", () => {
    const state = stateAfter(stepStarted(0, { policy: limitedTo({ maximumAttempts: 1 }) }));
    const entry = failAt(START_AT, state, new Error("secret"));
    expect(entry).toMatchObject({
      spent: "attempts",
      failure: { name: "Error", message: "secret" },
      error: [{ step: "step-0", attempts: 1, message: "Workflow Step step-0 exhausted its retries." }],
    });
    expect(entry).not.toHaveProperty("retryAt");
    expect(entry).not.toHaveProperty("because");
  });

  it("keeps a terminal error as it was thrown", () => {
    const error = new NonRetryableError("declined");
    const entry = failAt(START_AT, stateAfter(stepStarted(0)), error);
    expect(entry).toMatchObject({ spent: "terminal", error: [error] });
  });

  it("S30 keeps the time that the service asked for, where that is beyond the bound", () => {
    const error = new RetryableError("closed", { retryAfter: 2 * HOUR_MS });
    const entry = failAt(START_AT, stateAfter(stepStarted(0)), error);
    const retryAt = START_AT + 2 * HOUR_MS;
    expect(entry).toMatchObject({ spent: "refused", retryAt, error: [{ retryAt }] });
  });
});

describe("the budget of a step", () => {
  it("does not count an attempt that was lost together with others, but names it by its number", () => {
    expect(failAt(START_AT, afterDeath(limitedTo({ maximumAttempts: 2 })))).toMatchObject({
      attempt: 2,
      retryAt: START_AT + 2_000,
    });
    const entry = failAt(START_AT, afterDeath(limitedTo({ maximumAttempts: 1 })));
    if (entry.spent === undefined) throw new Error("The step is not spent.");
    const error = decode(entry.error);
    expect(StepExhausted.is(error) && error.attempts).toBe(2);
  });

  it("S14 lets the duration begin with the first attempt", () => {
    const startedAt = START_AT + 5_000;
    const state = stateAfter(
      stepStarted(0, { policy: ONE_MINUTE, at: startedAt }),
      attemptRetried(0, { retryAt: startedAt + 30_000 }),
      attemptStarted(0, 2, startedAt + 30_000),
    );
    expect(failAt(startedAt + 59_999, state)).not.toHaveProperty("spent");
    expect(failAt(startedAt + 60_000, state)).toMatchObject({ spent: "duration" });
  });

  it("S15 does not spend the duration while the execution is paused", () => {
    const pausing = stateAfter(stepStarted(0, { policy: ONE_MINUTE }), paused({ at: START_AT + 10_000 }));
    expect(failAt(START_AT + 20 * 60_000, pausing)).not.toHaveProperty("spent");

    const state = stateAfter(
      stepStarted(0, { policy: ONE_MINUTE }),
      paused({ at: START_AT + 10_000 }),
      resumed(START_AT + 100_000),
    );
    expect(failAt(START_AT + 149_999, state)).not.toHaveProperty("spent");
    expect(failAt(START_AT + 150_000, state)).toMatchObject({ spent: "duration" });
  });

  it("S15 takes nothing off for a pause from before the first attempt", () => {
    const startedAt = START_AT + 90_000;
    const state = stateAfter(paused(), resumed(startedAt), stepStarted(0, { policy: ONE_MINUTE, at: startedAt }));
    expect(failAt(startedAt + 59_999, state)).not.toHaveProperty("spent");
    expect(failAt(startedAt + 60_000, state)).toMatchObject({ spent: "duration" });
  });
});

describe("the jitter of a retry", () => {
  it("is drawn from the seed: the same again for the same attempt, another for another step, attempt or seed", () => {
    const state = stateAfter(stepStarted(0, { policy: JITTERED }), stepStarted(1, { policy: JITTERED }));
    const first = failStep(state, { op: 0 });
    expect(failStep(state, { op: 0 })).toEqual(first);
    expect(failStep(state, { op: 1 })).not.toMatchObject({ retryAt: first.retryAt });

    const seeded = foldOf(started({ seed: "another" }), stepStarted(0, { policy: JITTERED }));
    expect(failStep(seeded, { op: 0 })).not.toMatchObject({ retryAt: first.retryAt });

    const flat = { ...JITTERED, backoffCoefficient: 1 };
    const retry = stateAfter(stepStarted(0, { policy: flat }), attemptRetried(0), attemptStarted(0, 2));
    expect(failStep(retry, { op: 0 })).not.toMatchObject({ retryAt: first.retryAt });
  });

  it("takes off no more than its share", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 200 }), (jitter, op) => {
        const steps = Array.from({ length: op + 1 }, (_, index) =>
          stepStarted(index, { policy: { ...JITTERED, jitter } }),
        );
        const { retryAt = Number.NaN } = failStep(stateAfter(...steps), { op });
        expect(retryAt).toBeGreaterThanOrEqual(START_AT + Math.floor(10_000 * (1 - jitter)));
        expect(retryAt).toBeLessThanOrEqual(START_AT + 10_000);
      }),
      { numRuns: 50 },
    );
  });

  it("is drawn without a seed where nothing was started", () => {
    const step = stepAt(stateAfter(stepStarted(0, { policy: JITTERED })), 0);
    const terms = { now: START_AT, maximumRetryAfterMs: HOUR_MS, maximumValueBytes: 1_024, encode };
    const { retryAt } = attemptFailed(emptyState(), { step, thrown: "no" }, terms);
    expect(retryAt).toBeGreaterThan(START_AT);
    expect(retryAt).toBeLessThanOrEqual(START_AT + 10_000);
  });
});
