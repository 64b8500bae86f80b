import { describe, expect, it } from "vitest";
import { deadlinePassed, horizonOf, isPastDeadline, pendingDeadline } from "../../src/journal/deadline.ts";
import type { Entry, Started } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { nextWakeAt } from "../../src/journal/next-wake.ts";
import { emptyState, type State } from "../../src/journal/state.ts";
import { rollbackFailed } from "../../src/journal/rollback-failed.ts";
import { executionState, waitsOf } from "../../src/journal/view.ts";
import {
  completed,
  encode,
  ending,
  foldOf,
  paused,
  rollbackAt,
  rollbackStarted,
  started,
  undoable,
} from "../support/journal-entries.ts";

const FAILED: Entry = { type: "run-failed", attempt: 1, failure: { name: "E", message: "" }, retryAt: 800, at: 100 };

function stateOf(given: Partial<Started>, ...entries: readonly Entry[]): State {
  return foldOf(started({ at: 100, ...given }), ...entries);
}

describe("the deadline of an execution", () => {
  it("is pending until somebody asks for a cancellation, or the execution ends", () => {
    expect(pendingDeadline(emptyState())).toBeUndefined();
    expect(pendingDeadline(stateOf({}))).toBeUndefined();
    expect(pendingDeadline(stateOf({ deadlineAt: 500 }))).toBe(500);
    expect(pendingDeadline(stateOf({ deadlineAt: 500 }, { type: "cancel-requested", at: 200 }))).toBeUndefined();
    expect(pendingDeadline(stateOf({ deadlineAt: 500 }, completed({ at: 200 })))).toBeUndefined();
  });

  it("passes at its own millisecond, once, and not while the execution is paused", () => {
    const state = stateOf({ deadlineAt: 500 });
    expect(deadlinePassed(state, 499)).toEqual([]);
    const [passed, ...more] = deadlinePassed(state, 500);
    const reason = "The execution did not end before its deadline.";
    expect([passed, more]).toEqual([{ type: "cancel-requested", by: "deadline", reason, at: 500 }, []]);
    if (passed !== undefined) fold(state, passed);
    expect(state.cancelBy).toBe("deadline");
    expect(deadlinePassed(state, 600)).toEqual([]);
    expect(deadlinePassed(stateOf({ deadlineAt: 500 }, paused({ at: 200 })), 600)).toEqual([]);
  });

  it("stops the time of operations until the code is told", () => {
    const state = stateOf({ deadlineAt: 500 });
    expect(horizonOf(state, 900)).toBe(900);
    fold(state, { type: "cancel-requested", by: "deadline", at: 900 });
    expect([isPastDeadline(state), horizonOf(state, 900), horizonOf(state, 400)]).toEqual([true, 500, 400]);
    fold(state, { type: "cancel-delivered", ops: [], at: 900 });
    expect([isPastDeadline(state), horizonOf(state, 900)]).toEqual([false, 900]);
    const asked = stateOf({ deadlineAt: 500 }, { type: "cancel-requested", at: 200 });
    expect([asked.cancelBy, horizonOf(asked, 900)]).toEqual(["request", 900]);
  });

  it("has no effect once the execution is ending: neither on its rollbacks nor on their retries", () => {
    const saga = [...undoable(0), ending({ at: 200 })];
    const state = stateOf({ deadlineAt: 500 }, ...saga);
    expect([pendingDeadline(state), deadlinePassed(state, 600), nextWakeAt(state)]).toEqual([undefined, [], undefined]);
    fold(state, rollbackStarted(0));
    const terms = { now: 400, maximumRetryAfterMs: 1_000, maximumValueBytes: 1_024, encode };
    const failed = rollbackFailed(state, { rollback: rollbackAt(state, 0), thrown: new Error("no") }, terms);
    expect(failed).toMatchObject({ retryAt: 1_400, because: "backoff" });
    fold(state, failed);
    expect(nextWakeAt(state)).toBe(1_400);
  });

  it("that had passed, and that the code had not been told of, is no more told once the execution is ending", () => {
    const overdue: Entry = { type: "cancel-requested", by: "deadline", at: 500 };
    const state = stateOf({ deadlineAt: 500 }, ...undoable(0), overdue, ending({ at: 600 }));
    expect([isPastDeadline(state), horizonOf(state, 900)]).toEqual([false, 900]);
  });

  it("is a wake like any other, also before a run that is due later", () => {
    expect(nextWakeAt(stateOf({ deadlineAt: 500 }))).toBe(500);
    expect(nextWakeAt(stateOf({ deadlineAt: 500 }, FAILED))).toBe(500);
    expect(nextWakeAt(stateOf({ deadlineAt: 900 }, FAILED))).toBe(800);
    expect(nextWakeAt(stateOf({}, FAILED))).toBe(800);
  });
});

describe("a start at a later time", () => {
  it("is a wait and the next wake, until the code has run", () => {
    const state = stateOf({ startAt: 300, deadlineAt: 500 });
    expect(nextWakeAt(state)).toBe(300);
    expect(executionState(state, true)).toBe("waiting");
    expect(waitsOf(state)).toEqual([{ kind: "start", until: 300, because: "startAt" }]);
    fold(state, { type: "run-started", attempt: 1, at: 300 });
    expect(nextWakeAt(state)).toBe(500);
    expect(executionState(state, true)).toBe("running");
    expect(waitsOf(state)).toEqual([]);
  });

  it("outlives a pause and a resume", () => {
    const state = stateOf({ startAt: 300 }, paused({ at: 150 }));
    expect([executionState(state, false), nextWakeAt(state)]).toEqual(["paused", undefined]);
    fold(state, { type: "resumed", at: 200 });
    expect(nextWakeAt(state)).toBe(300);
  });
});
