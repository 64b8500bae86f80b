import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { JournalFault } from "../../src/journal/journal-fault.ts";
import type { ChildOperation } from "../../src/journal/execution-operations.ts";
import type { State } from "../../src/journal/state.ts";
import {
  cancelled,
  childAwaited,
  childEnded,
  childRequested,
  childStarted,
  completed,
  deliveryFailed,
  ending,
  foldOf,
  messageRequested,
  operationAt,
  paused,
  resumed,
  signalAwaited,
  START_AT,
  started,
  stateAfter,
} from "../support/journal-entries.ts";

const refused = { code: "ID_CONFLICT", message: "It is taken.", at: START_AT };
const delivered = (...ops: readonly number[]): Entry => ({
  type: "cancel-delivered",
  ops: ops.map((op) => ({ op, kind: "child", name: `part-${op}` })),
  at: START_AT + 5,
});

function childAt(state: State, op: number): ChildOperation {
  const operation = operationAt(state, op);
  if (operation.kind !== "child") throw new Error(`Operation ${op} is a ${operation.kind}.`);
  return operation;
}

function outboxOf({ outbox }: State): readonly string[] {
  return [...outbox.keys()];
}

describe("the start of a child in the fold", () => {
  it("is to be delivered until it is acknowledged, and keeps its input so long", () => {
    const asked = stateAfter(childRequested(0));
    expect(childAt(asked, 0)).toMatchObject({
      phase: "open",
      start: "unacknowledged",
      input: ["lamp"],
      cancel: "none",
    });
    expect([...asked.outbox]).toEqual([
      [
        "start 0",
        { what: "start", op: 0, to: { workflow: "part", id: "child-0" }, dueAt: START_AT, failures: 0, asks: 0 },
      ],
    ]);
    const acknowledged = stateAfter(childRequested(0), childStarted(0));
    expect(childAt(acknowledged, 0)).toMatchObject({ phase: "settled", start: "started", input: undefined });
    expect(outboxOf(acknowledged)).toEqual([]);
    const execution = { workflow: "part", id: "child-0" };
    expect(acknowledged.settlements).toEqual([{ kind: "started", op: 0, at: START_AT, execution }]);
  });

  it("settles as refused, and the child is none then", () => {
    const state = stateAfter(childRequested(0), { type: "child-refused", op: 0, ...refused }, completed());
    expect(state.settlements).toEqual([{ kind: "refused", op: 0, ...refused }]);
    expect(childAt(state, 0)).toMatchObject({ start: "refused", cancel: "none" });
    expect(outboxOf(state)).toEqual([]);
  });

  it("is delivered beyond the end of its operation, and settles nothing then", () => {
    for (const acknowledgement of [childStarted(0), { type: "child-refused", op: 0, ...refused } as const]) {
      const state = stateAfter(childRequested(0, { onParentEnd: "continue" }), delivered(0));
      expect(outboxOf(state)).toEqual(["start 0"]);
      const after = stateAfter(childRequested(0, { onParentEnd: "continue" }), delivered(0), acknowledgement);
      expect(after.settlements.map((settlement) => settlement?.kind)).toEqual(["cancelled"]);
      expect(outboxOf(after)).toEqual([]);
    }
  });
});

describe("the cancellation of children in the fold", () => {
  const ends: readonly (readonly [string, Entry])[] = [
    ["the delivery of a cancellation", delivered()],
    ["a journaled end", ending({ at: START_AT + 5 })],
    ["a completion", completed({ at: START_AT + 5 })],
    ["a termination", cancelled({ by: "terminated", at: START_AT + 5 })],
  ];

  it.each(ends)("is due at %s for those that are its own and not known to have ended", (_, end) => {
    const state = stateAfter(
      childRequested(0),
      childStarted(0),
      childRequested(1, { onParentEnd: "continue" }),
      childStarted(1),
      childRequested(2),
      childStarted(2, { adopted: true }),
      childRequested(3),
      childStarted(3),
      childAwaited(4, { id: "child-3" }),
      childEnded("child-3"),
      childRequested(5),
      { type: "child-refused", op: 5, ...refused },
      end,
    );
    expect(outboxOf(state).filter((key) => key !== "watch 4")).toEqual(["cancel 0"]);
    expect(state.outbox.get("cancel 0")?.dueAt).toBe(START_AT + 5);
    expect([0, 1, 2, 3, 5].map((op) => childAt(state, op).cancel)).toEqual(["due", "none", "none", "none", "none"]);
  });

  it("goes along with a start that is under way, or after it", () => {
    const before = [childRequested(0), delivered(0)] as const;
    expect(outboxOf(stateAfter(...before))).toEqual(["start 0"]);
    expect(childAt(stateAfter(...before), 0).cancel).toBe("due");
    const together = stateAfter(...before, childStarted(0, { cancelled: true }));
    expect([childAt(together, 0).cancel, outboxOf(together)]).toEqual(["done", []]);
    const after = stateAfter(...before, childStarted(0));
    expect([childAt(after, 0).cancel, outboxOf(after)]).toEqual(["due", ["cancel 0"]]);
    const adopted = stateAfter(...before, childStarted(0, { adopted: true }));
    expect([childAt(adopted, 0).cancel, outboxOf(adopted)]).toEqual(["none", []]);
    const gone = stateAfter(...before, childStarted(0, { ended: true }), completed());
    expect([childAt(gone, 0).cancel, outboxOf(gone)]).toEqual(["done", []]);
  });

  it("is acknowledged for several, and not due again at the end", () => {
    const state = stateAfter(
      childRequested(0),
      childStarted(0),
      childRequested(1),
      childStarted(1),
      delivered(),
      { type: "children-cancelled", ops: [0, 1], at: START_AT },
      completed(),
    );
    expect(outboxOf(state)).toEqual([]);
  });

  it("reaches a child that was started again under the name of one that had ended", () => {
    const again = childRequested(2, { id: "child-0" });
    const state = stateAfter(
      childRequested(0),
      childStarted(0),
      childAwaited(1, { id: "child-0" }),
      childEnded("child-0"),
      again,
      childStarted(2),
      completed(),
    );
    expect(outboxOf(state)).toContain("cancel 2");
  });
});

describe("waits for other executions in the fold", () => {
  it("ask until they are over, a minute after they began at first", () => {
    const state = stateAfter(childAwaited(0), childAwaited(1), childAwaited(2, { id: "another" }));
    expect([...state.waits]).toEqual([
      ["part/other", new Set([0, 1])],
      ["part/another", new Set([2])],
    ]);
    expect(state.outbox.get("watch 1")).toMatchObject({ dueAt: START_AT + 60_000, asks: 0 });
    const asked = stateAfter(childAwaited(0), { type: "child-watched", op: 0, askAt: 7, at: START_AT });
    expect(asked.outbox.get("watch 0")).toMatchObject({ dueAt: 7, asks: 1, failures: 0 });
    for (const over of [
      { type: "child-wait-timed-out", op: 0, at: START_AT },
      { type: "child-wait-refused", op: 0, ...refused },
      { type: "abandoned", ops: [{ op: 0, kind: "execution", name: "part/other-0" }], at: START_AT },
    ] as const) {
      const left = stateAfter(childAwaited(0), childAwaited(1), over);
      expect(outboxOf(left)).toEqual(["watch 1"]);
      expect([...left.waits]).toEqual([["part/other", new Set([1])]]);
    }
  });

  it("settle with what they were told, which is kept as long as one of them is open", () => {
    const entries = [childAwaited(0), childAwaited(1), childEnded()] as const;
    const told = stateAfter(...entries);
    expect(told.ends.get("part/other")).toEqual({ entry: 3, at: START_AT, outcome: { kind: "cancelled" } });
    const one = stateAfter(...entries, { type: "child-wait-ended", op: 1, ended: 3, at: START_AT });
    expect(one.settlements).toEqual([{ kind: "ended", op: 1, at: START_AT, outcome: { kind: "cancelled" } }]);
    expect(one.ends.size).toBe(1);
    const both = stateAfter(
      ...entries,
      { type: "child-wait-ended", op: 1, ended: 3, at: START_AT },
      { type: "child-wait-timed-out", op: 0, at: START_AT },
    );
    expect(both.settlements.map((settlement) => settlement?.kind)).toEqual(["ended", "timeout"]);
    expect([both.ends.size, both.waits.size, both.outbox.size]).toEqual([0, 0, 0]);
    expect([...both.knownEnded]).toEqual(["part/other"]);
  });

  it("settle as refused", () => {
    const state = stateAfter(childAwaited(0), { type: "child-wait-refused", op: 0, ...refused });
    expect(state.settlements).toEqual([{ kind: "refused", op: 0, ...refused }]);
  });
});

describe("messages in the fold", () => {
  it("are to be delivered until they are accepted or refused, and settle then if somebody waits", () => {
    const asked = stateAfter(messageRequested(0));
    expect(outboxOf(asked)).toEqual(["message 0"]);
    const accepted = stateAfter(messageRequested(0), { type: "message-accepted", op: 0, at: START_AT });
    expect(accepted.settlements).toEqual([{ kind: "elapsed", op: 0, at: START_AT }]);
    expect(operationAt(accepted, 0)).toMatchObject({ phase: "settled", message: undefined });
    const cancellation = { type: "cancel-delivered", ops: [messageRequested(0)], at: START_AT + 5 } as const;
    const cancelledBefore = stateAfter(messageRequested(0), cancellation, {
      type: "message-refused",
      op: 0,
      ...refused,
    });
    expect(cancelledBefore.settlements.map((settlement) => settlement?.kind)).toEqual(["cancelled"]);
    expect(outboxOf(cancelledBefore)).toEqual([]);
    const was = stateAfter(messageRequested(0), { type: "message-refused", op: 0, ...refused });
    expect(was.settlements).toEqual([{ kind: "refused", op: 0, ...refused }]);
  });

  it("count their failures, and begin anew at a resume", () => {
    const failed = stateAfter(childRequested(0), messageRequested(1), deliveryFailed(0));
    expect(failed.outbox.get("start 0")).toMatchObject({ failures: 1, dueAt: START_AT + 1_000 });
    const anew = stateAfter(childRequested(0), messageRequested(1), deliveryFailed(0), paused(), resumed(START_AT + 9));
    expect(anew.outbox.get("start 0")).toMatchObject({ failures: 0, dueAt: START_AT + 9 });
    expect(anew.outbox.get("message 1")).toMatchObject({ failures: 0, dueAt: START_AT });
  });

  it("tell the end to the parent and to whoever watches, once", () => {
    const parent = { workflow: "whole", id: "w", key: "k" };
    const by = { workflow: "waits", id: "a" };
    const entries = [
      started({ parent }),
      { type: "watched", by, at: START_AT },
      completed({ at: START_AT + 3 }),
    ] as const;
    const state = foldOf(...entries);
    expect(outboxOf(state)).toEqual(["tell whole/w", "tell waits/a"]);
    expect(state.outbox.get("tell whole/w")).toMatchObject({ to: { workflow: "whole", id: "w" }, dueAt: START_AT + 3 });
    const told = foldOf(...entries, { type: "watchers-told", watchers: [by, parent], at: START_AT });
    expect(outboxOf(told)).toEqual([]);
    const { op: _, ...failure } = deliveryFailed(0, { what: "tell", ...by });
    expect(foldOf(...entries, failure).outbox.get("tell waits/a")?.failures).toBe(1);
  });
});

describe("a journal that contradicts itself about other executions", () => {
  const cases: readonly (readonly [string, readonly Entry[], string])[] = [
    ["the start of no child", [childStarted(0)], "entry 1 speaks of child 0"],
    ["a second start", [childRequested(0), childStarted(0), childStarted(0)], "entry 3 starts child 0 again"],
    ["the question of no wait", [{ type: "child-watched", op: 0, askAt: 1, at: 1 }], "entry 1 speaks of execution 0"],
    [
      "the question of a wait that is over",
      [
        childAwaited(0),
        { type: "child-wait-timed-out", op: 0, at: 1 },
        { type: "child-watched", op: 0, askAt: 1, at: 1 },
      ],
      "entry 3 asks for closed wait 0",
    ],
    ["an end that nobody awaits", [childEnded()], "entry 1 ends part/other, which nobody awaits"],
    [
      "an end that never came",
      [childAwaited(0), { type: "child-wait-ended", op: 0, ended: 1, at: 1 }],
      "entry 2 takes the end of entry 1",
    ],
    ["the answer to no message", [{ type: "message-accepted", op: 0, at: 1 }], "entry 1 speaks of message 0"],
    ["the failure of no delivery", [deliveryFailed(0)], "entry 1 speaks of delivery start 0"],
    [
      "the cancellation of no child",
      [signalAwaited(0), { type: "children-cancelled", ops: [0], at: 1 }],
      "entry 2 speaks of child 0",
    ],
  ];
  it.each(cases)("is refused: %s", (_, entries, message) => {
    expect(() => stateAfter(...entries)).toThrow(JournalFault);
    expect(() => stateAfter(...entries)).toThrow(message);
  });
});
