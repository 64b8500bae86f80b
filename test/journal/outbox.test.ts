import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { nextWakeAt } from "../../src/journal/next-wake.ts";
import { askAgainAt, deliveryKey, nextDeliveryAt, sendable } from "../../src/journal/outbox.ts";
import type { State } from "../../src/journal/state.ts";
import {
  childAwaited,
  childRequested,
  childStarted,
  completed,
  deliveryFailed,
  ending,
  foldOf,
  messageRequested,
  paused,
  RETENTION_MS,
  START_AT,
  started,
  stateAfter,
  undoable,
} from "../support/journal-entries.ts";

const MINUTE = 60_000;
const own = { id: "child-0" };

function sendableOf(state: State): readonly string[] {
  return sendable(state).map(deliveryKey);
}

describe("what may be sent", () => {
  it("is nothing but its start to an execution that is being started, whichever was asked for first", () => {
    const state = stateAfter(
      messageRequested(0, own),
      childRequested(1, own),
      childAwaited(2, own),
      childAwaited(3),
      messageRequested(4),
    );
    expect(sendableOf(state)).toEqual(["start 1", "watch 3", "message 4"]);
    const acknowledged = stateAfter(
      messageRequested(0, own),
      childRequested(1, own),
      childAwaited(2, own),
      childStarted(1),
    );
    expect(sendableOf(acknowledged)).toEqual(["message 0", "watch 2"]);
  });

  it("is the first message to each execution", () => {
    const state = stateAfter(
      messageRequested(0),
      messageRequested(1),
      messageRequested(2, own),
      messageRequested(3, own),
    );
    expect(sendableOf(state)).toEqual(["message 0", "message 2"]);
  });

  it("is every end that is to be told", () => {
    const by = { workflow: "waits", id: "a" };
    const parent = { workflow: "part", id: "child-0", key: "k" };
    const state = foldOf(
      started({ parent }),
      { type: "watched", by, at: START_AT },
      childRequested(0, { onParentEnd: "continue" }),
      completed(),
    );
    expect(sendableOf(state)).toEqual(["start 0", "tell part/child-0", "tell waits/a"]);
  });
});

describe("the time of the next delivery", () => {
  it("is that of the earliest that may be sent", () => {
    expect(nextDeliveryAt(stateAfter())).toBeUndefined();
    expect(nextDeliveryAt(stateAfter(childAwaited(0)))).toBe(START_AT + MINUTE);
    const failed = stateAfter(childRequested(0), deliveryFailed(0), childAwaited(1), messageRequested(2, own));
    expect(nextDeliveryAt(failed)).toBe(START_AT + 1_000);
  });

  it("is one of those at which the execution wakes, whatever else it waits for", () => {
    const failed = [childRequested(0), deliveryFailed(0, { retryAt: START_AT + 50 })] as const;
    expect(nextWakeAt(stateAfter(...failed))).toBe(START_AT + 50);
    const failure = { name: "Error", message: "fails" };
    const retry = { type: "run-failed", attempt: 1, failure, retryAt: START_AT + 99, at: START_AT } as const;
    expect(nextWakeAt(stateAfter(...failed, retry))).toBe(START_AT + 50);
    expect(nextWakeAt(stateAfter(...failed, ...undoable(1), ending()))).toBe(START_AT + 50);
    expect(nextWakeAt(stateAfter(...failed, paused()))).toBeUndefined();
  });

  it("comes before the purge, which waits until everybody knows of the end", () => {
    const parent = { workflow: "whole", id: "w", key: "k" };
    const ended = [started({ parent }), completed({ at: START_AT + 5 })] as const;
    expect(nextWakeAt(foldOf(...ended))).toBe(START_AT + 5);
    const told = { type: "watchers-told", watchers: [parent], at: START_AT + 9 } as const;
    expect(nextWakeAt(foldOf(...ended, told))).toBe(START_AT + 5 + RETENTION_MS);
  });

  it("does not come where a newer engine has to read the journal first", () => {
    const parent = { workflow: "whole", id: "w", key: "k" };
    const newer = { format: 2, parent };
    expect(nextWakeAt(foldOf(started(newer)))).toBeUndefined();
    expect(nextWakeAt(foldOf(started(newer), completed()))).toBeUndefined();
    expect(nextWakeAt(foldOf(started({ format: 2 }), completed()))).toBe(START_AT + RETENTION_MS);
  });
});

describe("the next question whether an execution has ended", () => {
  it("comes after a minute, then after twice as long each time, and at least once a day", () => {
    const waits = Array.from({ length: 14 }, (_, asks) => (askAgainAt(asks, START_AT) - START_AT) / MINUTE);
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_440, 1_440, 1_440]);
    expect(askAgainAt(25_000, 0)).toBe(LIMITS.askMs);
  });
});
