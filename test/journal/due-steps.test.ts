import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dueSteps } from "../../src/journal/due-steps.ts";
import type { Entry } from "../../src/journal/entry.ts";
import type { State } from "../../src/journal/state.ts";
import {
  attemptRetried,
  attemptStarted,
  signalAwaited,
  sleepSet,
  START_AT,
  stateAfter,
  stepCompleted,
  stepQueued,
  stepSpent,
  stepStarted,
} from "../support/journal-entries.ts";

const due = (state: State, afterMs: number) => dueSteps(state, START_AT + afterMs).map(({ op }) => op);

/** A step that is to be tried again so many milliseconds after the start. */
function waiting(op: number, afterMs: number): readonly Entry[] {
  return [stepStarted(op), attemptRetried(op, { retryAt: START_AT + afterMs })];
}

describe("the steps that may start", () => {
  it("S22 are those whose own time has come", () => {
    const state = stateAfter(...waiting(0, 10_000), ...waiting(1, 1_000));
    expect(due(state, 999)).toEqual([]);
    expect(due(state, 1_000)).toEqual([1]);
    expect(due(state, 9_999)).toEqual([1]);
    expect(due(state, 10_000)).toEqual([1, 0]);
  });

  it("are also those that were queued, and those that were lost together", () => {
    const lost: Entry = { type: "object-lost", ops: [1, 2], at: START_AT };
    expect(due(stateAfter(stepQueued(0), stepStarted(1), stepStarted(2), lost), 0)).toEqual([0, 1, 2]);
  });

  it("are those that were lost together although the clock was set back before their last retry", () => {
    const lost: Entry = { type: "object-lost", ops: [0, 1], at: START_AT };
    const again = [attemptStarted(0, 2), attemptStarted(1, 2)];
    expect(due(stateAfter(...waiting(0, 10_000), ...waiting(1, 20_000), ...again, lost), 5_000)).toEqual([0, 1]);
  });

  it("are none of those in flight, none that ended, and no other operations", () => {
    const state = stateAfter(
      stepStarted(0),
      stepStarted(1),
      stepCompleted(1),
      stepStarted(2),
      stepSpent(2),
      sleepSet(3, START_AT),
      signalAwaited(4, { dueAt: START_AT }),
    );
    expect(due(state, 60_000)).toEqual([]);
  });

  it("are none where the execution has ended", () => {
    const ops = [{ op: 0, kind: "step", name: "step-0" }] as const;
    expect(due(stateAfter(stepQueued(0), { type: "abandoned", ops, at: START_AT }), 0)).toEqual([]);
  });
});

describe("the order in which they start", () => {
  it("is retries by their due times, then the others by their numbers", () => {
    const state = stateAfter(
      stepQueued(0),
      ...waiting(1, 3_000),
      stepQueued(2),
      ...waiting(3, 1_000),
      ...waiting(4, 3_000),
    );
    expect(due(state, 3_000)).toEqual([3, 1, 4, 0, 2]);
  });

  it("holds for any steps: nobody is left out, nobody comes before one who has waited longer", () => {
    const steps = fc.array(fc.option(fc.integer({ min: 0, max: 100 })), { maxLength: 30 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 100 }), (retries, now) => {
        const entries = retries.flatMap((afterMs, op) => (afterMs === null ? stepQueued(op) : waiting(op, afterMs)));
        const expected = [...retries.keys()].filter((op) => (retries[op] ?? 0) <= now);
        expected.sort((a, b) => rank(retries, a) - rank(retries, b));
        expect(due(stateAfter(...entries), now)).toEqual(expected);
      }),
    );
  });
});

/** Grows from the one that has waited longest to the one that comes last. */
function rank(retries: readonly (number | null)[], op: number): number {
  return (retries[op] ?? 1_000) * 1_000 + op;
}
