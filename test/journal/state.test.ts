import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyState, isHalted, pausedUntil, runningAttempts } from "../../src/journal/state.ts";
import {
  attemptRetried,
  attemptStarted,
  cancelled,
  completed,
  failed,
  foldOf,
  paused,
  resumed,
  signalAwaited,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepCompleted,
  stepQueued,
  stepSpent,
  stepStarted,
} from "../support/journal-entries.ts";

describe("the empty state", () => {
  it("knows nothing, and is nobody else's", () => {
    expect(emptyState()).toMatchObject({ entries: 0, operations: [], settlements: [], unreadSignals: 0, pausedMs: 0 });
    expect(emptyState()).toMatchObject({ started: undefined, end: undefined, pause: undefined, unreadable: undefined });
    stateAfter(sleepSet(0, START_AT), signalAwaited(1));
    expect(emptyState().open.size).toBe(0);
  });
});

describe("an execution", () => {
  it("is halted while it is paused, after its end, and where its journal cannot be read", () => {
    expect(isHalted(stateAfter(paused()))).toBe(true);
    for (const end of [completed(), failed(), cancelled()]) expect(isHalted(stateAfter(end))).toBe(true);
    expect(isHalted(foldOf(started({ format: 1_000 })))).toBe(true);
  });

  it("is not halted before, between and after pauses", () => {
    expect(isHalted(stateAfter())).toBe(false);
    expect(isHalted(stateAfter(paused(), resumed()))).toBe(false);
    expect(isHalted(stateAfter(paused(), resumed(), paused()))).toBe(true);
  });
});

describe("the time spent paused", () => {
  it("is that of all pauses, the present one included", () => {
    const state = stateAfter(paused({ at: START_AT + 1_000 }), resumed(START_AT + 4_000));
    expect(pausedUntil(state, START_AT + 9_000)).toBe(3_000);
    const again = stateAfter(
      paused({ at: START_AT + 1_000 }),
      resumed(START_AT + 4_000),
      paused({ at: START_AT + 6_000 }),
    );
    expect(pausedUntil(again, START_AT + 9_000)).toBe(6_000);
  });

  it("is never negative, also where the clock went back", () => {
    expect(pausedUntil(stateAfter(paused({ at: START_AT + 1_000 })), START_AT)).toBe(0);
    expect(pausedUntil(stateAfter(paused({ at: START_AT + 1_000 }), resumed()), START_AT)).toBe(0);
  });

  it("never shrinks as time goes on, and grows by as much as is paused", () => {
    const pauses = fc.array(fc.record({ goneMs: fc.nat({ max: 1e6 }), pausedMs: fc.nat({ max: 1e6 }) }), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(pauses, fc.nat({ max: 1e6 }), (history, lastMs) => {
        let at = START_AT;
        let total = 0;
        const entries = history.flatMap(({ goneMs, pausedMs }) => {
          const pausedAt = at + goneMs;
          at = pausedAt + pausedMs;
          total += pausedMs;
          return [paused({ at: pausedAt }), resumed(at)];
        });
        expect(pausedUntil(stateAfter(...entries), at + lastMs)).toBe(total);
        expect(pausedUntil(stateAfter(...entries, paused({ at })), at + lastMs)).toBe(total + lastMs);
      }),
    );
  });
});

describe("the steps in flight", () => {
  it("are those with an attempt that was started and has not ended, in the order of their numbers", () => {
    const state = stateAfter(
      stepQueued(0),
      stepStarted(1),
      stepStarted(2),
      attemptRetried(2),
      stepStarted(3),
      stepCompleted(3),
      sleepSet(4, START_AT),
      stepStarted(5),
      stepStarted(6),
      stepSpent(6),
      attemptStarted(0, 1),
    );
    expect(runningAttempts(state).map(({ op }) => op)).toEqual([0, 1, 5]);
  });

  it("are none in flight any more after their object was lost", () => {
    const lost = { type: "object-lost", ops: [0, 1], at: START_AT } as const;
    expect(runningAttempts(stateAfter(stepStarted(0), stepStarted(1), lost))).toEqual([]);
    const again = stateAfter(stepStarted(0), stepStarted(1), lost, attemptStarted(1, 2));
    expect(runningAttempts(again)).toMatchObject([{ op: 1, attempts: 2 }]);
  });
});
