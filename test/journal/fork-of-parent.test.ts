import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { decideWatched } from "../../src/journal/watch.ts";
import {
  childAwaited,
  childRequested,
  childStarted,
  completed,
  deliveryFailed,
  foldOf,
  forkedFrom,
  messageRequested,
  operationAt,
  START_AT,
  started,
  stateAfter,
} from "../support/journal-entries.ts";

const parent = { workflow: "whole", id: "w", key: "k" };
const watcher = { workflow: "whole", id: "other" };
const watched: Entry = { type: "watched", by: watcher, at: START_AT };

/** A cancellation that reached these operations. */
function delivered(
  ...ops: readonly (ReturnType<typeof childRequested> | ReturnType<typeof messageRequested>)[]
): Entry {
  return { type: "cancel-delivered", ops, at: START_AT };
}

describe("the fork of an execution that started others", () => {
  it("has adopted them: they are the original's, and cancelled with that alone", () => {
    const children = [childRequested(0), childStarted(0), childRequested(1)] as const;
    const state = stateAfter(...children, forkedFrom());
    expect(operationAt(state, 0)).toMatchObject({ start: "adopted", cancel: "none" });
    expect([...state.outbox.keys()]).toEqual(["start 1"]);
    const cancelled = stateAfter(childRequested(0), childStarted(0), delivered(), forkedFrom());
    expect(cancelled.outbox.size).toBe(0);
    expect(stateAfter(...children, forkedFrom(), completed()).outbox.has("cancel 0")).toBe(false);
  });

  it("leaves starts and messages to the original that its code waits for no longer", () => {
    const [child, message] = [childRequested(0), messageRequested(1)];
    const state = stateAfter(child, message, delivered(child, message), forkedFrom());
    expect(state.outbox.size).toBe(0);
    expect(operationAt(state, 0)).toMatchObject({ start: "adopted", input: undefined });
    expect(operationAt(state, 1)).toMatchObject({ message: undefined });
  });

  it("sends the messages that its code waits for, and asks for ends", () => {
    const state = stateAfter(messageRequested(0), childAwaited(1), forkedFrom());
    expect([...state.outbox.keys()]).toEqual(["message 0", "watch 1"]);
  });

  it("asks at once for what the original had asked for, as the answer goes to that alone", () => {
    const at = START_AT + 500;
    const asked: Entry = { type: "child-watched", op: 1, askAt: START_AT + 120_000, at: START_AT };
    const failed = deliveryFailed(0, { attempt: 3, retryAt: START_AT + 9_000 });
    const state = stateAfter(childRequested(0), failed, childAwaited(1), asked, forkedFrom({ at }));
    expect([...state.outbox.values()]).toMatchObject([
      { what: "start", op: 0, dueAt: at, failures: 0, asks: 0 },
      { what: "watch", op: 1, dueAt: at, failures: 0, asks: 0 },
    ]);
  });

  it("tells its end neither to the original's parent nor to those who wait for the original", () => {
    const state = foldOf(started({ parent }), watched, forkedFrom(), completed());
    expect(state.outbox.size).toBe(0);
    expect(foldOf(started({ parent }), watched, completed()).outbox.size).toBe(2);
  });

  it("is watched by the original's parent like any other execution", () => {
    const ask = (...entries: readonly Entry[]) => decideWatched(foldOf(...entries), parent, START_AT).kind;
    expect(ask(started({ parent }))).toBe("unchanged");
    expect(ask(started({ parent }), forkedFrom())).toBe("entry");
  });
});
