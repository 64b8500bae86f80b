import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changedPeriod,
  directoryQuery,
  filterOfQuery,
  inputMoment,
  type ListFilter,
  momentInput,
  queryOfFilter,
  PERIODS,
} from "../../../../src/worker/dashboard/model/list-filter.ts";
import type { ExecutionSummary } from "../../../../src/journal/list.ts";
import { EXECUTION_STATES } from "../../../../src/journal/execution-state.ts";
import { quantile, statisticsOf } from "../../../../src/worker/dashboard/model/statistics.ts";

const summary = (state: ExecutionSummary["state"], tookMs: number | undefined, code?: string): ExecutionSummary => ({
  id: "a",
  workflow: "order",
  state,
  startedAt: 1_000,
  attributes: {},
  ...(tookMs !== undefined && { endedAt: 1_000 + tookMs }),
  ...(code !== undefined && { code }),
});

describe("quantiles", () => {
  it("are values that at least their share of all is not above", () => {
    const shares = fc.double({ min: 0.01, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), shares, (values, share) => {
        const sorted = values.toSorted((a, b) => a - b);
        const found = quantile(sorted, share);
        expect(values).toContain(found);
        expect(values.filter((value) => value <= found).length / values.length).toBeGreaterThanOrEqual(share - 1e-9);
        expect(values.filter((value) => value < found).length / values.length).toBeLessThan(share);
      }),
    );
  });

  it("cannot be taken of nothing", () => {
    expect(() => quantile([], 0.5)).toThrow("current value is none");
  });
});

describe("the statistics of executions", () => {
  it("count those that ended well among those that completed or failed", () => {
    const found = statisticsOf([
      summary("completed", 100),
      summary("completed", 300),
      summary("completed", 200),
      summary("failed", 50, "OUT_OF_STOCK"),
      summary("cancelled", 10),
      summary("running", undefined),
    ]);
    expect(found).toMatchObject({ count: 6, ended: 5, successRate: 0.75 });
    expect(found.durations).toEqual({ median: 200, p90: 300, p99: 300 });
    expect(found.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  it("list failures by code, the most frequent first", () => {
    const { failures, successRate, durations, histogram } = statisticsOf([
      summary("failed", 1, "B"),
      summary("failed", 1, "A"),
      summary("failed", 1, "C"),
      summary("failed", 1, "C"),
      summary("failed", 1),
    ]);
    expect(failures).toEqual([
      { code: "C", count: 2 },
      { code: "A", count: 1 },
      { code: "B", count: 1 },
      { code: "without a code", count: 1 },
    ]);
    expect([successRate, durations, histogram]).toEqual([0, undefined, []]);
  });

  it("say nothing of a rate where nothing was decided", () => {
    expect(statisticsOf([summary("cancelled", 5)]).successRate).toBeUndefined();
  });

  it("put every duration into one bar, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { minLength: 1, maxLength: 50 }), (lengths) => {
        const { histogram } = statisticsOf(lengths.map((ms) => summary("completed", ms)));
        // Where all took the same there is nothing to tell apart.
        const isOne = Math.max(...lengths) <= Math.max(1, Math.min(...lengths));
        expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(isOne ? 0 : lengths.length);
      }),
    );
  });
});

const moments = fc
  .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

const between: fc.Arbitrary<ListFilter> = fc.record(
  { since: fc.constant("between" as const), from: moments, to: moments },
  { requiredKeys: ["since"] },
);

const filters: fc.Arbitrary<ListFilter> = fc.record(
  {
    workflow: fc.stringMatching(/^[a-z]{1,8}$/),
    state: fc.constantFrom(...EXECUTION_STATES),
    // The cast: these are all of its keys.
    since: fc.constantFrom(...(Object.keys(PERIODS) as (keyof typeof PERIODS)[])),
    search: fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text.trim() !== "" && text.isWellFormed()),
  },
  { requiredKeys: [] },
);

describe("the filter of the list", () => {
  it("is found again in the address", () => {
    fc.assert(
      fc.property(fc.oneof(filters, between), (filter) => {
        expect(filterOfQuery(queryOfFilter(filter))).toEqual(filter);
      }),
    );
  });

  it("takes nothing from an address that it does not know", () => {
    expect(filterOfQuery("?state=asleep&since=9y&workflow=&search=%20&page=2")).toEqual({});
    expect(queryOfFilter({})).toBe("");
  });

  it("looks between two times, and keeps them only there", () => {
    const filter = filterOfQuery("?since=between&from=2026-11-30T02:00:00Z&to=2026-11-30T03:00%2B00:00&state=failed");
    expect(Object.fromEntries(directoryQuery(filter, 0))).toEqual({
      state: "failed",
      startedAfter: "2026-11-30T02:00:00.000Z",
      startedBefore: "2026-11-30T03:00:00.000Z",
    });
    expect(changedPeriod(filter, "1h")).toEqual({ state: "failed", since: "1h" });
    expect(changedPeriod(filter, "")).toEqual({ state: "failed" });
    expect(filterOfQuery("?since=1h&from=2026-11-30T02:00:00Z")).toEqual({ since: "1h" });
    expect(filterOfQuery("?since=between&from=yesterday")).toEqual({ since: "between" });
  });

  it("writes a time by the clock of whoever looks at it, and reads it again", () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const toTheMinute = `${moment.slice(0, 16)}:00.000Z`;
        expect(inputMoment(momentInput(toTheMinute))).toBe(toTheMinute);
      }),
    );
    expect([momentInput(undefined), inputMoment("")]).toEqual(["", ""]);
  });

  it("asks the directory for ids and attributes", () => {
    const filter: ListFilter = { state: "paused", since: "1h", search: "order-4 customer=c-7 note=a=b" };
    expect(Object.fromEntries(directoryQuery(filter, 4_600_000))).toEqual({
      state: "paused",
      startedAfter: "1000000",
      idPrefix: "order-4",
      "attribute.customer": "c-7",
      "attribute.note": "a=b",
    });
  });
});
