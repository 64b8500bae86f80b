import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { JournalFault } from "../../src/journal/journal-fault.ts";
import type { Operation, UnreadSignal } from "../../src/journal/state.ts";
import { countRollbacks, countSteps } from "../../src/journal/view.ts";
import {
  attemptRetried,
  attemptStarted,
  callbackAnswered,
  callbackAwaited,
  callbackCreated,
  ending,
  foldOf,
  rollbackNotRun,
  rollbackRetried,
  rollbackStarted,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  stateAfter,
  stepCompleted,
  stepSpent,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";
import { legalJournal } from "../support/legal-journal.ts";

const sleepFired = (op: number): Entry => ({ type: "timer-fired", op, at: START_AT });
const timedOut = (op: number): Entry => ({ type: "signal-timed-out", op, at: START_AT });
const taken = (op: number, received: number): Entry => ({ type: "signal-taken", op, received, at: START_AT });
const returned = (op: number, received: number): Entry => ({ type: "signal-returned", op, received, at: START_AT });

describe("a journal that contradicts itself", () => {
  const cases: readonly (readonly [string, readonly Entry[], string])[] = [
    ["an attempt of no step", [attemptStarted(0, 1)], "entry 1 speaks of step 0"],
    ["an attempt of a sleep", [sleepSet(0, START_AT), attemptStarted(0, 1)], "entry 2 speaks of step 0"],
    ["a failure of no step", [attemptRetried(3)], "entry 1 speaks of step 3"],
    ["the end of no step", [stepSpent(3)], "entry 1 speaks of step 3"],
    ["the value of a wait", [signalAwaited(0), stepCompleted(0)], "entry 2 speaks of step 0"],
    ["the loss of no step", [{ type: "object-lost", ops: [2], at: START_AT }], "entry 1 speaks of step 2"],
    ["the withdrawal of no step", [{ type: "attempts-withdrawn", ops: [2], at: START_AT }], "entry 1 speaks of step 2"],
    ["a timer of nothing", [sleepFired(0)], "entry 1 settles wait 0"],
    ["a timer of a step", [stepStarted(0), sleepFired(0)], "entry 2 settles wait 0"],
    ["a timeout of nothing", [timedOut(7)], "entry 1 settles wait 7"],
    ["a signal for nobody", [signalReceived(), taken(0, 1)], "entry 2 takes a signal for operation 0"],
    ["a signal for a sleep", [sleepSet(0, START_AT), taken(0, 1)], "entry 2 takes a signal for operation 0"],
    ["a signal that never came", [signalAwaited(0), taken(0, 1)], "entry 2 takes the signal of entry 1"],
    [
      "a signal of another name",
      [signalReceived({ name: "stop" }), signalAwaited(0), taken(0, 1)],
      "entry 3 takes the signal of entry 1",
    ],
    [
      "a signal taken twice",
      [signalReceived(), signalReceived(), signalAwaited(0), taken(0, 1), signalAwaited(1), taken(1, 1)],
      "entry 6 takes the signal of entry 1",
    ],
    [
      "the return of a signal that was not taken",
      [signalReceived(), signalAwaited(0), returned(0, 1)],
      "entry 3 returns a signal that operation 0 did not take",
    ],
    [
      "the return of a signal twice",
      [signalReceived(), signalAwaited(0), taken(0, 1), returned(0, 1), returned(0, 1)],
      "entry 5 returns a signal that operation 0 did not take",
    ],
    ["the rollback of no step", [rollbackStarted(0)], "entry 1 speaks of rollback 0"],
    ["a rollback before the end", [...undoable(0), rollbackRetried(0)], "entry 3 speaks of rollback 0"],
    [
      "the outcome of a rollback that has one",
      [...undoable(0), ending(), rollbackNotRun(0), rollbackRetried(0)],
      "entry 5 speaks of rollback 0",
    ],
    [
      "a rollback that is not run and never was to be",
      [stepStarted(0), stepCompleted(0), rollbackNotRun(0)],
      "entry 3 rolls back step 0",
    ],
    [
      "a rollback of a sleep that is not run",
      [sleepSet(0, START_AT), rollbackNotRun(0)],
      "entry 2 speaks of rollback 0",
    ],
    [
      "the withdrawal of no rollback",
      [...undoable(0), ending(), { type: "attempts-withdrawn", ops: [2], at: START_AT }],
      "entry 4 speaks of rollback 2",
    ],
    [
      "the return of a signal by a sleep",
      [sleepSet(0, START_AT), returned(0, 1)],
      "entry 2 returns a signal that operation 0 did not take",
    ],
    ["the answer to no callback", [callbackAnswered(0)], "entry 1 speaks of callback c-0"],
    ["a wait for no callback", [callbackAwaited(0, 7)], "entry 1 speaks of callback c-7"],
    [
      "a second answer to a callback",
      [callbackCreated(0), callbackAnswered(0), callbackAnswered(0)],
      "entry 3 answers c-0 again",
    ],
    [
      "an answer that is taken and was not given",
      [callbackCreated(0), callbackAwaited(1, 0), { type: "callback-taken", op: 1, at: START_AT }],
      "entry 3 takes an answer that c-0 has not",
    ],
    [
      "an answer that a sleep takes",
      [sleepSet(0, START_AT), { type: "callback-taken", op: 0, at: START_AT }],
      "entry 2 speaks of callback result 0",
    ],
    ["a callback that is due by itself", [callbackCreated(0), sleepFired(0)], "entry 2 settles wait 0"],
    [
      "a callback that is cancelled, as it is never open",
      [callbackCreated(0), { type: "cancel-delivered", ops: [callbackCreated(0)], at: START_AT }],
      "entry 2 closes callback 0",
    ],
  ];

  it.each(cases)("is refused: %s", (_, entries, detail) => {
    const read = () => stateAfter(...entries);
    expect(read).toThrow(JournalFault);
    expect(read).toThrow(`Cannot read the journal as it contradicts itself: ${detail}.`);
  });
});

/** The operations that an entry closes. */
function closedBy(entry: Entry): readonly number[] {
  switch (entry.type) {
    case "step-completed":
    case "timer-fired":
    case "signal-taken":
    case "signal-timed-out":
    case "callback-created":
    case "callback-taken":
    case "callback-timed-out":
      return [entry.op];
    case "attempt-failed":
      return entry.spent === undefined ? [] : [entry.op];
    case "cancel-delivered":
    case "abandoned":
      return entry.ops.map(({ op }) => op);
    default:
      return [];
  }
}

/** The rollback that an entry is the last of. */
function rolledBackBy(entry: Entry): readonly number[] {
  switch (entry.type) {
    case "rollback-completed":
    case "rollback-not-run":
      return [entry.op];
    case "rollback-failed":
      return entry.spent === undefined ? [] : [entry.op];
    default:
      return [];
  }
}

/** The operation that an entry is the first of. */
function askedBy(entry: Entry): readonly number[] {
  return "kind" in entry && entry.kind !== undefined ? [entry.op] : [];
}

const CLOSED: ReadonlySet<Operation["phase"]> = new Set<Operation["phase"]>([
  "completed",
  "exhausted",
  "failed",
  "settled",
  "cancelled",
  "abandoned",
]);

describe("the fold of any journal that the engine could have written", () => {
  const journals = fc.array(fc.nat(), { maxLength: 80, size: "max" }).map(legalJournal);

  it("comes from journals with entries of every kind that tests can tell apart", () => {
    const types = new Set(
      fc
        .sample(journals, { numRuns: 500, seed: 1 })
        .flat()
        .map(({ type }) => type),
    );
    expect([...types]).toEqual(
      expect.arrayContaining([
        "queued",
        "attempt-failed",
        "step-completed",
        "timer-fired",
        "signal-taken",
        "signal-returned",
        "signal-timed-out",
        "callback-created",
        "callback-answered",
        "callback-taken",
        "callback-timed-out",
        "cancel-delivered",
        "object-lost",
        "attempts-withdrawn",
        "paused",
        "resumed",
        "abandoned",
        "completed",
        "ending",
        "rollback-started",
        "rollback-failed",
        "rollback-completed",
        "rollback-not-run",
        "failed",
        "cancelled",
      ]),
    );
  });

  it("has open exactly what was asked for and not closed, in the order of the numbers", () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const state = foldOf(...journal);
        const closed = new Set(journal.flatMap(closedBy));
        const asked = journal.flatMap(askedBy);
        expect(state.operations.map(({ op }) => op)).toEqual(asked);
        expect([...state.open.keys()]).toEqual(asked.filter((op) => !closed.has(op)));
        for (const operation of state.operations) {
          expect({ op: operation.op, closed: CLOSED.has(operation.phase) }).toEqual({
            op: operation.op,
            closed: closed.has(operation.op),
          });
          expect(state.open.get(operation.op) ?? operation).toBe(operation);
        }
      }),
    );
  });

  it("has a settlement for everything closed but what was abandoned, in the order of the journal", () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const settling = journal.filter(({ type }) => type !== "abandoned");
        const settlements = settling.flatMap((entry) => closedBy(entry).map((op) => ({ op, at: entry.at })));
        expect(foldOf(...journal).settlements).toMatchObject(settlements);
        expect(new Set(settlements.map(({ op }) => op)).size).toBe(settlements.length);
      }),
    );
  });

  it("has unread what was received and not taken, or taken and returned", () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const state = foldOf(...journal);
        const unread = new Set<number>();
        for (const [index, entry] of journal.entries()) {
          if (entry.type === "signal-received") unread.add(index);
          else if (entry.type === "signal-taken") unread.delete(entry.received);
          else if (entry.type === "signal-returned") unread.add(entry.received);
        }
        const kept: readonly (readonly UnreadSignal[])[] = [...state.unread.values()];
        const numbers = kept.flat().map(({ entry }) => entry);
        expect([...numbers].sort((a, b) => a - b)).toEqual([...unread].sort((a, b) => a - b));
        expect(kept.filter((signals) => signals.length === 0)).toEqual([]);
        for (const signals of kept) {
          expect(signals).toEqual([...signals].sort((a, b) => a.entry - b.entry));
        }
        expect(state.unreadSignals).toBe(numbers.length);
        expect(state.unreadBytes).toBe(kept.flat().reduce((sum, { bytes }) => sum + bytes, 0));
      }),
    );
  });

  it("has to roll back what completed and can be undone, the last first, and open what has no outcome", () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const state = foldOf(...journal);
        const undo = new Set(journal.flatMap((entry) => ("rollback" in entry && entry.rollback ? [entry.op] : [])));
        const done = journal.flatMap((entry) => (entry.type === "step-completed" ? [entry.op] : []));
        const due = done.filter((op) => undo.has(op)).reverse();
        const isEnding = journal.some(({ type }) => type === "ending");
        expect([...state.rollbacks.keys()]).toEqual(isEnding ? due : []);
        const closed = new Set(journal.flatMap(rolledBackBy));
        expect([...state.openRollbacks.keys()]).toEqual(isEnding ? due.filter((op) => !closed.has(op)) : []);
        expect(state.end === undefined || state.openRollbacks.size === 0).toBe(true);
        const counts: object = countRollbacks(state) ?? {};
        expect(Object.values(counts).reduce((sum: number, count: number) => sum + count, 0)).toBe(state.rollbacks.size);
      }),
    );
  });

  it("counts every entry, and every step once", () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const state = foldOf(...journal);
        const steps = state.operations.filter(({ kind }) => kind === "step").length;
        expect(state.entries).toBe(journal.length);
        expect(Object.values(countSteps(state)).reduce((sum, count) => sum + count, 0)).toBe(steps);
      }),
    );
  });
});
