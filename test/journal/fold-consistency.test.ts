import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import type { Operation, UnreadSignal } from "../../src/journal/state.ts";
import { countRollbacks, countSteps } from "../../src/journal/view.ts";
import { foldOf } from "../support/journal-entries.ts";
import { legalJournal } from "../support/legal-journal.ts";

/** The operations that an entry closes. */
function closedBy(entry: Entry): readonly number[] {
  switch (entry.type) {
    case "step-completed":
    case "timer-fired":
    case "signal-taken":
    case "signal-timed-out":
    case "child-started":
    case "child-refused":
    case "child-wait-ended":
    case "child-wait-timed-out":
    case "child-wait-refused":
    case "message-accepted":
    case "message-refused":
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
        "child-requested",
        "child-started",
        "child-refused",
        "child-awaited",
        "child-watched",
        "child-ended",
        "child-wait-ended",
        "child-wait-timed-out",
        "child-wait-refused",
        "message-requested",
        "message-accepted",
        "message-refused",
        "delivery-failed",
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
