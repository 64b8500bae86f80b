import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { decideSettled, type ListenerOf } from "../../src/journal/settle.ts";
import {
  childAwaited,
  childEnded,
  childRequested,
  foldOf,
  messageRequested,
  paused,
  resumed,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stateAfter,
} from "../support/journal-entries.ts";

const NOW = START_AT + 100;
const everybody: ListenerOf = () => ({ interest: "certain", turn: 0 });

function settledAt(now: number, ...entries: readonly Entry[]): readonly unknown[] {
  return decideSettled(stateAfter(...entries), now, everybody).map((entry) => [entry.type, entry.op]);
}

describe("the ends of other executions", () => {
  it("settle every wait for them that is open, in the order in which they came, then in that of the waits", () => {
    const settled = settledAt(
      NOW,
      childAwaited(0),
      childAwaited(1, { id: "another" }),
      childAwaited(2),
      childEnded("another"),
      childEnded("other"),
    );
    expect(settled).toEqual([
      ["child-wait-ended", 1],
      ["child-wait-ended", 0],
      ["child-wait-ended", 2],
    ]);
    expect(decideSettled(stateAfter(childAwaited(0), childEnded()), NOW, everybody)).toEqual([
      { type: "child-wait-ended", op: 0, ended: 2, at: NOW },
    ]);
  });

  it("settle no wait for one that has not ended, and come in time in their own millisecond", () => {
    const ended = childEnded("another", { at: NOW });
    expect(settledAt(NOW, childAwaited(0), childAwaited(1, { id: "another" }), ended)).toEqual([
      ["child-wait-ended", 1],
    ]);
  });

  it("come too late for a wait that was due before, or just then", () => {
    const due = childAwaited(0, { dueAt: START_AT + 50 });
    const ended = (at: number) => childEnded("other", { at });
    expect(settledAt(NOW, due, ended(START_AT + 49))).toEqual([["child-wait-ended", 0]]);
    expect(settledAt(NOW, due, ended(START_AT + 50))).toEqual([["child-wait-timed-out", 0]]);
    expect(settledAt(NOW, due)).toEqual([["child-wait-timed-out", 0]]);
    expect(settledAt(START_AT + 49, due)).toEqual([]);
  });

  it("settle in the order of the times, with the clock before signals before them", () => {
    const settled = settledAt(
      NOW,
      childAwaited(0),
      sleepSet(1, START_AT + 60),
      sleepSet(2, START_AT + 40),
      signalAwaited(3),
      childEnded("other", { at: START_AT + 40 }),
      signalReceived({ at: START_AT + 40 }),
    );
    expect(settled).toEqual([
      ["timer-fired", 2],
      ["signal-taken", 3],
      ["child-wait-ended", 0],
      ["timer-fired", 1],
    ]);
  });

  it("settle so after a pause too", () => {
    const settled = settledAt(
      NOW,
      sleepSet(0, START_AT + 50),
      childAwaited(1),
      paused(),
      childEnded("other", { at: START_AT + 60 }),
      resumed(START_AT + 90),
    );
    expect(settled).toEqual([
      ["timer-fired", 0],
      ["child-wait-ended", 1],
    ]);
  });

  it("settle nothing that came at or after a deadline that the code has not heard of", () => {
    const deadlineAt = START_AT + 50;
    const passed = { type: "cancel-requested", by: "deadline", at: NOW } as const;
    const settled = (at: number) =>
      decideSettled(
        foldOf(started({ deadlineAt }), childAwaited(0), childEnded("other", { at }), passed),
        NOW,
        everybody,
      );
    expect(settled(deadlineAt - 1)).toHaveLength(1);
    expect(settled(deadlineAt)).toEqual([]);
  });

  it("are no part of what starts and messages wait for", () => {
    expect(settledAt(NOW + 1e9, childRequested(0), messageRequested(1))).toEqual([]);
  });
});
