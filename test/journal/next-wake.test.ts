import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { dueTime } from "../../src/journal/due-time.ts";
import { nextWakeAt } from "../../src/journal/next-wake.ts";
import { emptyState } from "../../src/journal/state.ts";
import {
  attemptRetried,
  attemptStarted,
  cancelled,
  completed,
  ending,
  failed,
  foldOf,
  paused,
  resumed,
  RETENTION_MS,
  rollbackCompleted,
  rollbackRetried,
  rollbackStarted,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepCompleted,
  stepQueued,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const wakeAfter = (...entries: readonly Entry[]) => nextWakeAt(stateAfter(...entries));

function runFailed(retryAt: number): Entry {
  return { type: "run-failed", attempt: 1, failure: { name: "Error", message: "no" }, retryAt, at: START_AT };
}

describe("the next wake", () => {
  it.each([10_000, 60_000])("case 31: is the earliest time due, whichever was asked for first (%d)", (first) => {
    const second = first === 10_000 ? 60_000 : 10_000;
    const sleeps = [sleepSet(0, START_AT + first), sleepSet(1, START_AT + second)];
    expect(wakeAfter(...sleeps)).toBe(START_AT + 10_000);
  });

  it("case 3: looks at retries, sleeps and the timeouts of waits alike", () => {
    const retry = [stepStarted(0), attemptRetried(0, { retryAt: START_AT + 3_000 })];
    const others = [sleepSet(1, START_AT + 5_000), signalAwaited(2, { dueAt: START_AT + 4_000 })];
    expect(wakeAfter(...retry, ...others)).toBe(START_AT + 3_000);
    expect(wakeAfter(...retry, ...others, attemptStarted(0, 2))).toBe(START_AT + 4_000);
    expect(wakeAfter(...retry, ...others, { type: "signal-timed-out", op: 2, at: START_AT })).toBe(START_AT + 3_000);
  });

  it("is the retry of the rollback whose turn it is, where the execution is ending", () => {
    const saga = [...undoable(0), ...undoable(1), ending()];
    const waiting = [rollbackStarted(1), rollbackRetried(1, { retryAt: START_AT + 3_000 })];
    expect(wakeAfter(...saga)).toBeUndefined();
    expect(wakeAfter(...saga, rollbackStarted(1))).toBeUndefined();
    expect(wakeAfter(...saga, ...waiting)).toBe(START_AT + 3_000);
    expect(wakeAfter(...saga, ...waiting, rollbackStarted(1, 2))).toBeUndefined();
    expect(wakeAfter(...saga, ...waiting, runFailed(START_AT + 4_000))).toBe(START_AT + 4_000);
    expect(wakeAfter(...saga, ...waiting, paused())).toBeUndefined();
  });

  it("is nothing between the last rollback and the end", () => {
    expect(wakeAfter(...undoable(0), ending(), rollbackStarted(0), rollbackCompleted(0))).toBeUndefined();
  });

  it("does not look at what is settled", () => {
    expect(wakeAfter(sleepSet(0, START_AT + 5_000), { type: "timer-fired", op: 0, at: START_AT })).toBeUndefined();
  });

  it("is nothing where only a message or an attempt in flight moves the execution", () => {
    expect(wakeAfter()).toBeUndefined();
    expect(
      wakeAfter(stepStarted(0), stepQueued(1), signalAwaited(2), signalReceived({ name: "other" })),
    ).toBeUndefined();
  });

  it("S47 is the retry of a run that failed, also where operations are due before", () => {
    const sleep = sleepSet(0, START_AT + 1_000);
    expect(wakeAfter(sleep, runFailed(START_AT + 8_000))).toBe(START_AT + 8_000);
    expect(wakeAfter(sleep, runFailed(START_AT + 8_000), { type: "run-started", attempt: 2, at: START_AT })).toBe(
      START_AT + 1_000,
    );
  });

  it("case 62: is nothing while the execution is paused, and the same as before after it", () => {
    const entries = [sleepSet(0, START_AT + 1_000), paused({ at: START_AT + 500 })];
    expect(wakeAfter(...entries)).toBeUndefined();
    expect(wakeAfter(...entries, resumed(START_AT + 2_000))).toBe(START_AT + 1_000);
  });

  it("is nothing where there is no journal, and where it cannot be read", () => {
    expect(nextWakeAt(emptyState())).toBeUndefined();
    expect(nextWakeAt(foldOf(started({ format: 1_000 }), sleepSet(0, START_AT + 1_000)))).toBeUndefined();
    // The cast: a newer engine wrote it.
    const unknown = { type: "from-the-future", at: START_AT } as unknown as Entry;
    expect(wakeAfter(sleepSet(0, START_AT + 1_000), unknown)).toBeUndefined();
  });

  it.each([completed, failed, cancelled])("case 228: is the purge, counted from the end (%o)", (end) => {
    const endedAt = START_AT + 3 * RETENTION_MS;
    const open = sleepSet(0, START_AT + 1_000);
    expect(wakeAfter(open, end({ at: endedAt }))).toBe(endedAt + RETENTION_MS);
    expect(wakeAfter(open, paused(), end({ at: endedAt }))).toBe(endedAt + RETENTION_MS);
  });

  it("case 48: is the minimum over all that is open, whatever that is", () => {
    const kinds = fc.constantFrom("step", "sleep", "signal", "settled");
    const operations = fc.array(fc.record({ kind: kinds, afterMs: fc.option(fc.nat()) }), { maxLength: 30 });
    fc.assert(
      fc.property(operations, (asked) => {
        const entries = asked.flatMap(({ kind, afterMs }, op) => entriesOf(kind, op, afterMs));
        const times = asked
          .filter(({ kind }) => kind !== "settled")
          .flatMap(({ afterMs }) => (afterMs === null ? [] : [START_AT + afterMs]));
        expect(wakeAfter(...entries)).toBe(times.length === 0 ? undefined : Math.min(...times));
      }),
    );
  });
});

/** An operation that is due so many milliseconds after the start, or not by itself where that is `null`. */
function entriesOf(
  kind: "step" | "sleep" | "signal" | "settled",
  op: number,
  afterMs: number | null,
): readonly Entry[] {
  if (kind === "settled") return [stepStarted(op), stepCompleted(op)];
  if (kind === "signal") return [signalAwaited(op, afterMs === null ? {} : { dueAt: START_AT + afterMs })];
  if (afterMs === null) return [stepStarted(op)];
  const retryAt = START_AT + afterMs;
  return kind === "sleep" ? [sleepSet(op, retryAt)] : [stepStarted(op), attemptRetried(op, { retryAt })];
}

describe("the time at which an operation is due", () => {
  it("is that of its retry, its sleep or its timeout", () => {
    const state = stateAfter(
      stepStarted(0),
      attemptRetried(0, { retryAt: START_AT + 1 }),
      sleepSet(1, START_AT + 2),
      signalAwaited(2, { dueAt: START_AT + 3 }),
      signalAwaited(3),
      stepStarted(4),
    );
    const times = [...state.open.values()].map(dueTime);
    expect(times).toEqual([START_AT + 1, START_AT + 2, START_AT + 3, undefined, undefined]);
  });
});
