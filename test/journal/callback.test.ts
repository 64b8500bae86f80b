import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideAnswer } from "../../src/journal/callback.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { nextWakeAt } from "../../src/journal/next-wake.ts";
import { decideSettled } from "../../src/journal/settle.ts";
import type { State } from "../../src/journal/state.ts";
import { waitsOf } from "../../src/journal/view.ts";
import {
  callbackAnswered,
  callbackAwaited,
  callbackCreated,
  cancelled,
  completed,
  ending,
  failed,
  foldOf,
  paused,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  undoable,
} from "../support/journal-entries.ts";

const NOW = START_AT + 60_000;

const asked = (key?: string, startedAt = START_AT, callback = "c-0") => ({
  callback,
  startedAt,
  ...(key !== undefined && { key }),
});

const settled = (state: State, now = NOW) =>
  decideSettled(state, now, () => ({ interest: "certain", turn: 0 })).map(({ type, op }) => [type, op]);

/** A callback of which nothing has happened. */
const open = callbackCreated(0);
/** One whose time is up at `NOW`. */
const timed = callbackCreated(0, { dueAt: NOW });

describe("an answer to a callback", () => {
  it("is taken while the callback is open, in a pause as well", () => {
    for (const state of [stateAfter(open), stateAfter(open, paused()), stateAfter(timed)]) {
      expect(decideAnswer(state, asked(), NOW - 1)).toEqual({ kind: "open", callback: state.operations[0] });
    }
  });

  it("is taken before the time is up, not at it", () => {
    const decide = (now: number) => decideAnswer(stateAfter(timed), asked(), now);
    expect(decide(NOW - 1).kind).toBe("open");
    expect(decide(NOW)).toMatchObject({ kind: "refused", code: "CALLBACK_EXPIRED" });
    expect(decide(NOW)).toMatchObject({ message: expect.stringContaining(String(NOW)) as unknown });
  });

  it("is refused once the code was told that none came, whatever the clock does then", () => {
    const state = stateAfter(timed, callbackAwaited(1, 0), { type: "callback-timed-out", op: 1, at: NOW });
    expect(decideAnswer(state, asked(), NOW - 1)).toMatchObject({ code: "CALLBACK_EXPIRED" });
  });

  it("is taken once; its own key again is a duplicate, also after the end", () => {
    const answered = [open, callbackAnswered(0, { key: "k" })];
    for (const end of [[], [completed()], [failed()], [cancelled()]]) {
      const state = stateAfter(...answered, ...end);
      expect(decideAnswer(state, asked("k"), NOW)).toEqual({ kind: "duplicate" });
      expect(decideAnswer(state, asked("other"), NOW)).toMatchObject({ kind: "refused", code: "CALLBACK_USED" });
      expect(decideAnswer(state, asked(), NOW)).toMatchObject({ kind: "refused", code: "CALLBACK_USED" });
    }
    const keyless = stateAfter(open, callbackAnswered(0));
    expect(decideAnswer(keyless, asked(), NOW)).toMatchObject({ code: "CALLBACK_USED" });
  });

  it("is refused when the execution has ended, or only rollbacks are left of it", () => {
    for (const end of [[completed()], [...undoable(1), ending()]]) {
      const decision = decideAnswer(stateAfter(open, ...end), asked(), NOW);
      expect(decision).toMatchObject({ kind: "refused", code: "CALLBACK_ENDED" });
    }
  });

  it("of an earlier execution of the same id is refused as ended", () => {
    const state = stateAfter(open);
    expect(decideAnswer(state, asked(undefined, START_AT - 1), NOW)).toMatchObject({ code: "CALLBACK_ENDED" });
  });

  it("is refused where there is no such callback, and where a newer engine may have made one", () => {
    const unknown = asked(undefined, START_AT, "c-9");
    expect(decideAnswer(stateAfter(open), unknown, NOW)).toMatchObject({ code: "NOT_FOUND" });
    // The cast: a type that this engine does not know.
    const newer = { type: "something-new", at: START_AT } as unknown as Entry;
    expect(decideAnswer(stateAfter(newer), unknown, NOW)).toMatchObject({ code: "UNAVAILABLE" });
  });
});

describe("the result of a callback", () => {
  it("is there for every wait, also for one that comes after it", () => {
    const state = stateAfter(open, callbackAwaited(1, 0), callbackAnswered(0), callbackAwaited(2, 0));
    expect(settled(state)).toEqual([
      ["callback-taken", 1],
      ["callback-taken", 2],
    ]);
    const taken = stateAfter(open, callbackAnswered(0), callbackAwaited(1, 0), {
      type: "callback-taken",
      op: 1,
      at: NOW,
    });
    expect(taken.settlements).toEqual([
      { kind: "value", op: 0, at: START_AT, value: ["c-0"] },
      { kind: "received", op: 1, at: NOW, value: [true] },
    ]);
  });

  it("comes in the order of time among timers and signals, the clock before messages", () => {
    const state = stateAfter(
      sleepSet(0, START_AT + 5),
      callbackCreated(1),
      callbackAwaited(2, 1),
      sleepSet(3, START_AT + 2),
      signalAwaited(4),
      callbackAnswered(1, { at: START_AT + 3 }),
      signalReceived({ at: START_AT + 4 }),
      sleepSet(5, START_AT + 3),
    );
    expect(settled(state).map(([, op]) => op)).toEqual([3, 5, 2, 4, 0]);
  });

  it("is that none came, once the time of the callback is up and not before", () => {
    const state = stateAfter(timed, callbackAwaited(1, 0));
    expect(settled(state, NOW - 1)).toEqual([]);
    expect(settled(state)).toEqual([["callback-timed-out", 1]]);
    expect(settled(stateAfter(open, callbackAwaited(1, 0)))).toEqual([]);
  });

  it("is the answer however late it is asked for", () => {
    const state = stateAfter(timed, callbackAnswered(0, { at: NOW - 1 }), callbackAwaited(1, 0, { at: NOW + 9 }));
    expect(settled(state, NOW + 9)).toEqual([["callback-taken", 1]]);
  });

  it("does not come when the answer came after a deadline of which the code has not been told", () => {
    const journal = (answeredAt: number) =>
      foldOf(started({ deadlineAt: NOW - 10 }), open, callbackAwaited(1, 0), callbackAnswered(0, { at: answeredAt }), {
        type: "cancel-requested",
        by: "deadline",
        at: NOW,
      });
    expect(settled(journal(NOW - 11))).toEqual([["callback-taken", 1]]);
    expect(settled(journal(NOW - 10))).toEqual([]);
  });

  it("is waited for until the callback's time, by whoever awaits it and nobody else", () => {
    expect(nextWakeAt(stateAfter(timed))).toBeUndefined();
    expect(waitsOf(stateAfter(timed))).toEqual([]);
    const awaited = stateAfter(timed, callbackAwaited(1, 0));
    expect(nextWakeAt(awaited)).toBe(NOW);
    expect(waitsOf(awaited)).toEqual([{ kind: "callback", name: "link-0-1", until: NOW, because: "timeout" }]);
    expect(waitsOf(stateAfter(open, callbackAwaited(1, 0)))).toEqual([
      { kind: "callback", name: "link-0-1", because: "no timeout" },
    ]);
  });

  it("settles every wait alike, whatever their number and however they lie around the answer", () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(5), fc.nat(3), (before, after, rounds) => {
        const state = stateAfter(open);
        expect(settled(state)).toEqual([]);
        const waits = (from: number, count: number) =>
          Array.from({ length: count }, (_, index) => callbackAwaited(from + index, 0));
        const all = stateAfter(open, ...waits(1, before), callbackAnswered(0), ...waits(1 + before, after));
        const expected = [...all.open.keys()].map((op) => ["callback-taken", op]);
        for (let round = 0; round <= rounds; round += 1) expect(settled(all, NOW + round)).toEqual(expected);
      }),
    );
  });
});
