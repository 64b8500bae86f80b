import { describe, expect, it } from "vitest";
import {
  decideTold,
  deliveriesAcknowledged,
  deliveryAnswered,
  deliveryFailed as failedDelivery,
  type Answer,
} from "../../src/journal/delivery.ts";
import { operationKey } from "../../src/journal/key-owner.ts";
import type { Asking, Reporting, Undelivered } from "../../src/journal/outbox.ts";
import type { State } from "../../src/journal/state.ts";
import { decideWatched } from "../../src/journal/watch.ts";
import { LIMITS } from "../../src/limits.ts";
import {
  childAwaited,
  childEnded,
  childRequested,
  childStarted,
  completed,
  deliveryFailed,
  ending,
  foldOf,
  messageRequested,
  paused,
  START_AT,
  started,
  stateAfter,
  undoable,
} from "../support/journal-entries.ts";

const NOW = START_AT + 7;
const OUTCOME = { kind: "completed", value: [5] } as const;
const outcome = () => OUTCOME;

function messageOf(state: State, key: string): Undelivered {
  const message = state.outbox.get(key);
  if (message === undefined) throw new Error(`There is no ${key}.`);
  return message;
}

function answered(state: State, key: string, answer: Answer) {
  // The cast: the tests ask for what may be answered.
  return deliveryAnswered(state, messageOf(state, key) as Asking, { answer, now: NOW });
}

describe("a failed delivery", () => {
  const thrown = new TypeError("connection lost", { cause: new Error("why") });

  it("is tried again after a second, then after twice as long each time, up to a minute", () => {
    const waits: number[] = [];
    for (let failures = 0; failures < LIMITS.deliveryAttempts - 1; failures += 1) {
      const state = stateAfter(childRequested(0), deliveryFailed(0, { attempt: failures }));
      const [entry, ...more] = failedDelivery(state, messageOf(state, "start 0"), { thrown, now: NOW });
      expect(more).toEqual([]);
      if (entry?.type === "delivery-failed") waits.push((entry.retryAt - NOW) / 1_000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, ...Array.from({ length: 13 }, () => 60)]);
  });

  it("says what could not be delivered, to whom and why", () => {
    const state = stateAfter(childRequested(0));
    expect(failedDelivery(state, messageOf(state, "start 0"), { thrown, now: NOW })).toEqual([
      {
        type: "delivery-failed",
        what: "start",
        op: 0,
        workflow: "part",
        id: "child-0",
        attempt: 1,
        failure: { name: "TypeError", message: "connection lost", causes: [{ name: "Error", message: "why" }] },
        retryAt: NOW + 1_000,
        at: NOW,
      },
    ]);
    const ended = foldOf(started({ parent: { workflow: "whole", id: "w", key: "k" } }), completed());
    const [entry] = failedDelivery(ended, messageOf(ended, "tell whole/w"), { thrown, now: NOW });
    expect(entry).toMatchObject({ what: "tell", workflow: "whole", id: "w" });
    expect(entry).not.toHaveProperty("op");
  });

  const last = deliveryFailed(0, { attempt: LIMITS.deliveryAttempts - 1 });

  it("pauses the execution at last", () => {
    const state = stateAfter(childRequested(0), last);
    const [, pause] = failedDelivery(state, messageOf(state, "start 0"), { thrown, now: NOW });
    expect(pause).toMatchObject({
      type: "paused",
      by: "fault",
      code: "EXECUTION_UNREACHABLE",
      message: expect.stringContaining(
        "part/child-0 could not be reached 20 times in a row (TypeError: connection lost). Resume this one to try again.",
      ),
    });
  });

  it.each([
    ["is paused", [paused()]],
    ["is about to be cancelled", [{ type: "cancel-requested", at: START_AT } as const]],
    ["rolls back", [...undoable(1), ending()]],
    ["has ended", [completed()]],
  ])("is tried again in an hour where the execution %s", (_, entries) => {
    const state = stateAfter(childRequested(0), last, ...entries);
    const facts = failedDelivery(state, messageOf(state, "start 0"), { thrown, now: NOW });
    expect(facts).toMatchObject([{ type: "delivery-failed", attempt: 20, retryAt: NOW + 3_600_000 }]);
  });
});

describe("the answer to a delivery", () => {
  it("acknowledges a start", () => {
    const state = stateAfter(childRequested(0));
    const start = (adopted: boolean, cancelled: boolean) =>
      answered(state, "start 0", { kind: "started", adopted, cancelled });
    expect(start(false, false)).toEqual([{ type: "child-started", op: 0, at: NOW }]);
    expect(start(true, false)).toEqual([{ type: "child-started", op: 0, adopted: true, at: NOW }]);
    expect(start(false, true)).toEqual([{ type: "child-started", op: 0, cancelled: true, at: NOW }]);
    expect(start(true, true)).toEqual([{ type: "child-started", op: 0, adopted: true, at: NOW }]);
  });

  it("accepts a message, or refuses what was asked, in no more words than an entry may have", () => {
    const state = stateAfter(childRequested(0), childAwaited(1), messageRequested(2));
    expect(answered(state, "message 2", { kind: "accepted" })).toEqual([{ type: "message-accepted", op: 2, at: NOW }]);
    const refused = { kind: "refused", code: "NOT_FOUND", message: "x".repeat(9_000) } as const;
    for (const [key, type, op] of [
      ["start 0", "child-refused", 0],
      ["watch 1", "child-wait-refused", 1],
      ["message 2", "message-refused", 2],
    ] as const) {
      const message = "x".repeat(LIMITS.failureMessageBytes);
      expect(answered(state, key, refused)).toEqual([{ type, op, code: "NOT_FOUND", message, at: NOW }]);
    }
  });

  it("of one that has not ended is journaled only where it was due or had failed", () => {
    const watched = { kind: "watched" } as const;
    expect(answered(stateAfter(childAwaited(0)), "watch 0", watched)).toEqual([]);
    const due = stateAfter(childAwaited(0, { at: NOW - 60_000 }));
    expect(answered(due, "watch 0", watched)).toEqual([
      { type: "child-watched", op: 0, askAt: NOW + 120_000, at: NOW },
    ]);
    const failed = stateAfter(childAwaited(0), deliveryFailed(0, { what: "watch", id: "other" }));
    expect(answered(failed, "watch 0", watched)).toMatchObject([{ type: "child-watched", askAt: NOW + 120_000 }]);
  });

  it("of one that has ended is journaled once for all waits", () => {
    const state = stateAfter(childAwaited(0), childAwaited(1));
    const ended = { type: "child-ended", workflow: "part", id: "other", outcome: OUTCOME, at: NOW };
    expect(answered(state, "watch 0", { kind: "ended", outcome })).toEqual([ended]);
    const again = stateAfter(childAwaited(0), childAwaited(1), childEnded());
    expect(answered(again, "watch 1", { kind: "ended", outcome })).toEqual([]);
  });

  it("that nothing waits for is journaled together with others", () => {
    const ended = foldOf(
      started({ parent: { workflow: "whole", id: "w", key: "k" } }),
      childRequested(0),
      childStarted(0),
      childRequested(1),
      childStarted(1),
      completed(),
    );
    // The cast: nothing else is in there.
    const messages = [...ended.outbox.values()] as Reporting[];
    expect(deliveriesAcknowledged(messages, NOW)).toEqual([
      { type: "children-cancelled", ops: [0, 1], at: NOW },
      { type: "watchers-told", watchers: [{ workflow: "whole", id: "w" }], at: NOW },
    ]);
    expect(deliveriesAcknowledged([], NOW)).toEqual([]);
  });
});

describe("an end that is told", () => {
  const told = { workflow: "part", id: "child-0", parentKey: operationKey(stateAfter(), "child 0"), outcome };

  it("is kept for whoever waits, and for nobody else", () => {
    expect(decideTold(stateAfter(), told, NOW)).toEqual([]);
    const waiting = stateAfter(childAwaited(0, { id: "child-0" }));
    expect(decideTold(waiting, told, NOW)).toEqual([
      { type: "child-ended", workflow: "part", id: "child-0", outcome: OUTCOME, at: NOW },
    ]);
  });

  it("acknowledges the start of the child, and no other start of its name", () => {
    const state = stateAfter(
      childRequested(0),
      childRequested(1, { id: "child-0" }),
      childRequested(2),
      childAwaited(3, { id: "child-0" }),
    );
    const aheads: number[] = [];
    const entries = decideTold(state, { ...told, outcome: (ahead) => (aheads.push(ahead), OUTCOME) }, NOW);
    expect(entries).toEqual([
      { type: "child-started", op: 0, ended: true, at: NOW },
      { type: "child-ended", workflow: "part", id: "child-0", outcome: OUTCOME, at: NOW },
    ]);
    expect(aheads).toEqual([1]);
    expect(decideTold(state, { ...told, parentKey: undefined }, NOW)).toHaveLength(1);
  });
});

describe("a request to watch", () => {
  const by = { workflow: "waits", id: "a" };

  it("is an entry the first time", () => {
    expect(decideWatched(stateAfter(), by, NOW)).toEqual({ kind: "entry", entry: { type: "watched", by, at: NOW } });
    const watched = stateAfter({ type: "watched", by, at: START_AT });
    expect(decideWatched(watched, by, NOW)).toEqual({ kind: "unchanged" });
    expect(decideWatched(watched, { ...by, id: "b" }, NOW).kind).toBe("entry");
  });

  it("is none of the parent's, and none after the end", () => {
    const child = foldOf(started({ parent: { ...by, key: "k" } }));
    expect(decideWatched(child, by, NOW)).toEqual({ kind: "unchanged" });
    expect(decideWatched(child, { ...by, id: "b" }, NOW).kind).toBe("entry");
    expect(decideWatched(stateAfter(completed()), by, NOW)).toEqual({ kind: "unchanged" });
  });

  it("is refused beyond the limit, and where a newer engine is needed", () => {
    const state = stateAfter();
    for (let i = 0; i < LIMITS.watchers; i += 1) state.watchers.set(`waits/${i}`, { workflow: "waits", id: `${i}` });
    expect(decideWatched(state, by, NOW)).toMatchObject({ kind: "refused", code: "WATCHERS_LIMIT" });
    expect(decideWatched(foldOf(started({ format: 2 })), by, NOW)).toMatchObject({
      kind: "refused",
      code: "UNSUPPORTED",
    });
  });
});
