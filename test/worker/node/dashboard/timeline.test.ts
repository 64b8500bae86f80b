import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyHistory } from "../../../../src/worker/dashboard/model/history.ts";
import { pastBefore } from "../../../../src/worker/dashboard/model/past.ts";
import {
  closeWindow,
  leftOf,
  marksOf,
  panned,
  placeOf,
  rowsInSight,
  ticksOf,
  timelineRows,
  wholeWindow,
  zoomed,
} from "../../../../src/worker/dashboard/model/timeline.ts";
import { fixtureJournal } from "./fixture-journals.ts";

const whole = { from: 1_000, to: 11_000 };

const windows = fc
  .tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 10, max: 10_000 }))
  .map(([from, width]) => ({
    from: 1_000 + Math.min(from, 10_000 - width),
    to: 1_000 + Math.min(from, 10_000 - width) + width,
  }));

describe("the timeline", () => {
  it("has a row for each operation, then one for each rollback in its turn", () => {
    const { entries } = fixtureJournal("rolled-back");
    const rows = timelineRows(pastBefore(entries, entries.length).history);
    const firstRollback = rows.findIndex(({ isRollback }) => isRollback);
    expect(firstRollback).toBeGreaterThan(0);
    expect(rows.slice(firstRollback).every(({ isRollback }) => isRollback)).toBe(true);
    const turns = rows.slice(firstRollback).map(({ spans }) => spans[0]?.from ?? 0);
    expect(turns).toEqual(turns.toSorted((a, b) => a - b));
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it("shows all there is until its end, or until now", () => {
    const { entries } = fixtureJournal("steps-in-sequence");
    const startedAt = entries[0]?.at ?? 0;
    const ended = pastBefore(entries, entries.length).history;
    expect(wholeWindow(ended, startedAt + 9e9)).toEqual({ from: startedAt, to: startedAt + 3_672_000 });
    const going = pastBefore(entries, 2).history;
    expect(wholeWindow(going, startedAt + 5_000)).toEqual({ from: startedAt, to: startedAt + 5_100 });
    expect(wholeWindow(emptyHistory(), 7)).toEqual({ from: 7, to: 17.2 });
  });

  it("looks closely at some spans, with air on both sides, and no further out than the whole", () => {
    const close = (from: number, to: number | undefined) => closeWindow([{ from, to }], 6_000, whole);
    expect(close(3_000, 5_000)).toEqual({ from: 2_500, to: 5_500 });
    expect(close(5_000, undefined)).toEqual({ from: 4_750, to: 6_250 });
    expect(close(1_000, 9_000)).toEqual({ from: 1_000, to: 11_000 });
    const { from, to } = close(4_000, 4_000);
    expect(to - from).toBeGreaterThan(5);
  });

  it("marks what happened to the execution as a whole, but for its start and its end", () => {
    const kinds = (situation: string) => {
      const { entries } = fixtureJournal(situation);
      return new Set(marksOf(pastBefore(entries, entries.length).history).map(({ kind }) => kind));
    };
    expect(kinds("steps-in-sequence")).toEqual(new Set());
    expect(kinds("runs-that-failed")).toEqual(new Set(["run"]));
    expect(kinds("cancelled").has("cancel")).toBe(true);
    expect(kinds("rolled-back").has("rollback")).toBe(true);
  });

  it("zooms around a place that stays where it is, and never beyond the whole", () => {
    fc.assert(
      fc.property(
        windows,
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (window, factor, around) => {
          const next = zoomed(window, factor, { around, whole });
          expect(next.from).toBeGreaterThanOrEqual(whole.from);
          expect(next.to).toBeLessThanOrEqual(whole.to + 1e-6);
          expect(next.to - next.from).toBeGreaterThanOrEqual(10 - 1e-6);
          const isFree = next.from > whole.from && next.to < whole.to - 1e-6;
          const fixed = window.from + (window.to - window.from) * around;
          expect(isFree ? next.from + (next.to - next.from) * around : fixed).toBeCloseTo(fixed, 4);
        },
      ),
    );
  });

  it("moves without changing its width, and never beyond the whole", () => {
    fc.assert(
      fc.property(windows, fc.double({ min: -2, max: 2, noNaN: true }), (window, share) => {
        const next = panned(window, share, whole);
        expect(next.to - next.from).toBeCloseTo(window.to - window.from, 6);
        expect(next.from).toBeGreaterThanOrEqual(whole.from);
        expect(next.to).toBeLessThanOrEqual(whole.to + 1e-6);
      }),
    );
  });

  it("places what is in sight, cut at its edges, and what is not over until now", () => {
    const window = { from: 2_000, to: 4_000 };
    expect(placeOf({ from: 2_500, to: 3_000 }, window, 9_000)).toEqual({ left: 0.25, width: 0.25 });
    expect(placeOf({ from: 1_000, to: 3_000 }, window, 9_000)).toEqual({ left: 0, width: 0.5 });
    expect(placeOf({ from: 3_000, to: undefined }, window, 3_500)).toEqual({ left: 0.5, width: 0.25 });
    expect(placeOf({ from: 3_000, to: undefined }, window, 2_000)).toEqual({ left: 0.5, width: 0 });
    expect(placeOf({ from: 500, to: 1_999 }, window, 9_000)).toBeUndefined();
    expect(placeOf({ from: 4_001, to: 5_000 }, window, 9_000)).toBeUndefined();
    expect([leftOf(3_000, window), leftOf(1_000, window)]).toEqual([0.5, undefined]);
  });

  it("has no more ticks than there is room for, at round lengths from the start", () => {
    expect(ticksOf({ from: 0, to: 10_000 }, 0, 5).map(({ at }) => at)).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
    expect(ticksOf({ from: 5_100, to: 5_130 }, 5_000, 4).map(({ at }) => at)).toEqual([5_100, 5_110, 5_120, 5_130]);
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 2 ** 41 }), fc.integer({ min: 2, max: 12 }), (width, most) => {
        const ticks = ticksOf({ from: 1_000, to: 1_000 + width }, 1_000, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        expect(ticks.every(({ left }) => left >= 0 && left <= 1)).toBe(true);
      }),
    );
  });

  it("keeps the rows in sight in the document, however many there are", () => {
    expect(rowsInSight({ top: 0, height: 300 }, 30, 5)).toEqual({ from: 0, to: 5 });
    expect(rowsInSight({ top: 30_000, height: 300 }, 30, 25_000)).toEqual({ from: 992, to: 1_018 });
    expect(rowsInSight({ top: 30_000, height: 300 }, 30, 0)).toEqual({ from: 0, to: 0 });
  });
});
