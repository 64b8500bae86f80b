import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Operation } from "../../../../src/journal/state.ts";
import { waitsOf } from "../../../../src/journal/view.ts";
import type { OperationHistory, OperationStatus, ShownEntry } from "../../../../src/worker/dashboard/model/history.ts";
import { isOpen } from "../../../../src/worker/dashboard/model/history.ts";
import { emptyPast, type Past, pastBefore, takeEntry } from "../../../../src/worker/dashboard/model/past.ts";
import { sentenceOf } from "../../../../src/worker/dashboard/model/sentence.ts";
import { placeOf, timelineRows, wholeWindow } from "../../../../src/worker/dashboard/model/timeline.ts";
import { CommandedRun, type Act } from "../../../simulation/commanded-run.ts";
import { programs } from "../../../simulation/programs.ts";
import { terms } from "../../../simulation/start-terms.ts";
import { FIXTURE_JOURNALS, fixtureJournal, shownEntries } from "./fixture-journals.ts";

/** Which statuses may be shown for what the engine's own fold says. */
function statusesFor(operation: Operation): readonly OperationStatus[] {
  if (operation.kind === "step") {
    return operation.phase === "interrupted" ? ["queued"] : [operation.phase];
  }
  switch (operation.phase) {
    case "open":
      return ["running", "waiting"];
    case "settled":
      return ["completed", "timed-out", "refused"];
    case "cancelled":
    case "abandoned":
      return [operation.phase];
  }
}

function faultsOf(operation: OperationHistory, engine: Operation | undefined): readonly string[] {
  const { op, status, spans, endedAt } = operation;
  const faults: string[] = [];
  if (engine === undefined) return [`operation ${op} is not known to the engine`];
  if (!statusesFor(engine).includes(status)) faults.push(`operation ${op} is ${status} and not ${engine.phase}`);
  if (engine.kind === "step" && engine.phase !== "queued" && engine.attempts > operation.attempts)
    faults.push("attempts");
  if (isOpen(operation) !== (endedAt === undefined)) faults.push(`operation ${op} has a wrong end`);
  const open = spans.filter(({ to }) => to === undefined);
  if (open.length !== (isOpen(operation) ? 1 : 0))
    faults.push(`operation ${op} is ${status} with ${open.length} spans`);
  if (spans.some(({ from, to }) => to !== undefined && to < from)) faults.push(`operation ${op} ends before it begins`);
  return faults;
}

function faultsOfPast({ state, history }: Past): readonly string[] {
  const faults = history.operations.flatMap((operation) => faultsOf(operation, state.operations[operation.op]));
  if (history.operations.length !== state.operations.length) faults.push("operations are missing");
  const unread = history.signals.filter(({ takenBy }) => takenBy === undefined).length;
  if (unread !== state.unreadSignals) faults.push(`${unread} unread signals and not ${state.unreadSignals}`);
  for (const [op, { phase }] of state.rollbacks) {
    const shown = history.operations[op]?.rollback?.status;
    if (shown !== phase) faults.push(`rollback ${op} is ${shown} and not ${phase}`);
  }
  if ([...state.rollbacks.keys()].join() !== history.rollbacks.join()) faults.push("rollbacks are in another order");
  return faults;
}

/** Every time at which something moves it is told, to be counted down: also where it waits for much at once. */
function untoldTimes({ state, history }: Past): readonly string[] {
  const { phrases, others } = sentenceOf({ state, history });
  const told = new Set([...phrases, ...others.flat()].flatMap((each) => (each.kind === "time" ? [each.at] : [])));
  const stands = state.end !== undefined || state.pause !== undefined || state.unreadable !== undefined;
  const waits = stands || state.started === undefined ? [] : waitsOf(state);
  return waits.flatMap(({ kind, until }) => {
    return until === undefined || told.has(until) ? [] : [`the time of a wait for a ${kind} is not told`];
  });
}

/** Draws everything of it that the page draws. */
function faultsOfPage(past: Past, now: number): readonly string[] {
  const { phrases } = sentenceOf(past);
  const window = wholeWindow(past.history, now);
  const places = timelineRows(past.history).flatMap(({ spans }) => spans.map((span) => placeOf(span, window, now)));
  const outside = places.filter(
    (place) => place !== undefined && (place.left < 0 || place.width < 0 || place.left + place.width > 1.000_001),
  );
  return [
    ...(phrases.length === 0 ? ["there is no sentence"] : []),
    ...untoldTimes(past),
    ...(outside.length > 0 ? ["a bar is outside"] : []),
  ];
}

/** Every prefix of a journal, taken in one entry at a time. */
function faultsOfPrefixes(entries: readonly ShownEntry[]): readonly string[] {
  const past = emptyPast();
  return entries.flatMap((entry) => {
    takeEntry(past, entry);
    const faults = [...faultsOfPast(past), ...faultsOfPage(past, entry.at)];
    return faults.map((fault) => `after entry ${entry.entry} (${entry.type}): ${fault}`);
  });
}

const cases = fc.record({ program: programs, fails: fc.boolean(), terms });

const moves = fc.array(
  fc.record({
    ms: fc.constantFrom(0, 1, 500, 1_700, 4_000),
    turns: fc.integer({ min: 1, max: 9 }),
    act: fc.constantFrom<Act>("pause", "resume", "cancel", "terminate", "a", "b", "answer", "evict", "kill"),
  }),
  { maxLength: 6 },
);

describe("an execution as it was", () => {
  it.each(FIXTURE_JOURNALS.map(({ name, entries }) => [name, entries] as const))(
    "is drawn after every entry as the engine saw it: %s",
    (_, entries) => {
      expect(entries.length).toBeGreaterThan(0);
      expect(faultsOfPrefixes(entries)).toEqual([]);
    },
  );

  it("is drawn after every entry of random programs, with whatever happens to them", async () => {
    await fc.assert(
      fc.asyncProperty(cases, moves, async (given, happening) => {
        const run = new CommandedRun(given);
        await run.start();
        for (const move of happening) await run.move(move);
        await run.finish();
        expect(faultsOfPrefixes(shownEntries(run.facts))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("is the same whether entries came one at a time or it was looked back at", () => {
    for (const { entries } of FIXTURE_JOURNALS) {
      const live = emptyPast();
      for (const entry of entries) {
        takeEntry(live, entry);
        expect(pastBefore(entries, entry.entry + 1)).toEqual(live);
      }
    }
  });

  it("notices a status that is not the engine's", () => {
    const past = pastBefore(fixtureJournal("steps-retried").entries, 2);
    const [step] = past.history.operations;
    expect(step?.status).toBe("running");
    if (step !== undefined) step.status = "completed";
    expect(faultsOfPast(past)).not.toEqual([]);
  });

  it("keeps an entry that is not known for the journal alone", () => {
    const { entries } = fixtureJournal("steps-in-sequence");
    const past = pastBefore(entries, 2);
    // The cast: what a newer engine wrote has a type that this one does not know.
    takeEntry(past, { type: "dreamt", at: entries[1]?.at ?? 0, entry: 2 } as unknown as ShownEntry);
    expect(past.history.entries).toBe(3);
    expect(sentenceOf(past).tone).toBe("attention");
  });
});
