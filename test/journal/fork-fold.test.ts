import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { isHalted } from "../../src/journal/state.ts";
import {
  attemptRetried,
  attemptStarted,
  ending,
  forkedFrom,
  paused,
  resumed,
  rollbackAt,
  rollbackStarted,
  START_AT,
  stateAfter,
  stepAt,
  stepQueued,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const requested: Entry = { type: "cancel-requested", reason: "no", at: START_AT };
const delivered: Entry = { type: "cancel-delivered", ops: [{ op: 0, kind: "step", name: "step-0" }], at: START_AT };
const interrupted = { failure: { name: "StepInterrupted", message: "lost" } };

describe("forked-from", () => {
  it("takes back attempts that were in flight: they are the original's", () => {
    const state = stateAfter(stepStarted(0), stepStarted(1), attemptRetried(1), attemptStarted(1, 2), forkedFrom());
    expect(stepAt(state, 0)).toMatchObject({ phase: "queued", attempts: 0 });
    expect(stepAt(state, 1)).toMatchObject({ phase: "queued", attempts: 1 });
    const ended = stateAfter(...undoable(0), ending(), rollbackStarted(0), forkedFrom());
    expect(rollbackAt(ended, 0)).toMatchObject({ phase: "pending", attempts: 0 });
  });

  it("leaves a retry its time, and a queued or interrupted step its place", () => {
    const lost: Entry = { type: "object-lost", ops: [1], at: START_AT };
    const state = stateAfter(stepStarted(0), stepStarted(1), attemptRetried(0), lost, stepQueued(2), forkedFrom());
    expect(stepAt(state, 0)).toMatchObject({ phase: "waiting", retryAt: START_AT + 1_000, attempts: 1 });
    expect(stepAt(state, 1)).toMatchObject({ phase: "interrupted", attempts: 1, uncharged: 1 });
    expect(stepAt(state, 2)).toMatchObject({ phase: "queued" });
  });

  it("forgets deaths: of steps, of rollbacks and of the object", () => {
    const lost: Entry = { type: "object-lost", ops: [], at: START_AT };
    const state = stateAfter(stepStarted(0), attemptRetried(0, interrupted), lost, lost, forkedFrom());
    expect([state.losses, stepAt(state, 0).deaths]).toEqual([0, 0]);
    const died: Entry = {
      type: "rollback-failed",
      op: 0,
      attempt: 1,
      ...interrupted,
      retryAt: START_AT,
      because: "backoff",
      at: START_AT,
    };
    const ended = stateAfter(...undoable(0), ending(), rollbackStarted(0), died, forkedFrom());
    expect(rollbackAt(ended, 0).deaths).toBe(0);
  });

  it("ends a pause, and forgets run failures", () => {
    const failure: Entry = {
      type: "run-failed",
      attempt: 3,
      failure: { name: "Error", message: "x" },
      retryAt: START_AT + 9_000,
      at: START_AT,
    };
    const state = stateAfter(failure, paused({ by: "fault" }), forkedFrom());
    expect(isHalted(state)).toBe(false);
    expect(state).toMatchObject({ runFailures: 0, runFailure: undefined });
  });

  it("counts the time since the cut as paused", () => {
    const since = { cutAt: START_AT + 100, at: START_AT + 5_100 };
    expect(stateAfter(forkedFrom(since)).pausedMs).toBe(5_000);
    expect(stateAfter(paused({ at: START_AT + 50 }), forkedFrom(since)).pausedMs).toBe(5_050);
    expect(stateAfter(paused(), resumed(START_AT + 100), forkedFrom(since)).pausedMs).toBe(5_100);
    // The clocks of two machines may differ.
    expect(stateAfter(forkedFrom({ cutAt: START_AT + 100, at: START_AT + 90 })).pausedMs).toBe(0);
  });

  it("forgets a cancellation that the code was not told of, and no other", () => {
    const nothing = { cancelRequestedAt: undefined, cancelReason: undefined, cancelBy: undefined };
    expect(stateAfter(stepStarted(0), requested, forkedFrom())).toMatchObject(nothing);
    const told = { cancelRequestedAt: START_AT, cancelReason: "no", cancelBy: "request", cancelDelivered: true };
    expect(stateAfter(stepStarted(0), requested, delivered, forkedFrom())).toMatchObject(told);
  });

  it("is known as the place where the copy ends, the last one in a fork of a fork", () => {
    const state = stateAfter(forkedFrom({ id: "a", entry: 1 }), forkedFrom({ id: "b", entry: 2 }));
    expect(state.forked).toMatchObject({ id: "b", entry: 2 });
    expect(stateAfter().forked).toBeUndefined();
  });
});
