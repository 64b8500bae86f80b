import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareKeys,
  keyOf,
  mergePages,
  readCursor,
  SHARD_PLACES,
  shardOf,
  shardPlace,
  sumCounts,
  writeCursor,
  type ExecutionSummary,
  type ListFilter,
  type ListKey,
  type ListPage,
} from "../../src/journal/list.ts";

const orders = fc.constantFrom("newest" as const, "oldest" as const);
const keys: fc.Arbitrary<ListKey> = fc.record({
  startedAt: fc.integer({ min: 0, max: 3 }),
  workflow: fc.constantFrom("order", "orders", "a-1"),
  id: fc.constantFrom("1", "a.b", "~", "A", "a"),
});
const FILTER: ListFilter = { order: "newest", attributes: {} };

function summaryAt(key: ListKey, state: ExecutionSummary["state"] = "waiting"): ExecutionSummary {
  return { ...key, state, attributes: {} };
}

describe("the order of a list", () => {
  it("is by time, then by workflow and id, and turned round as a whole", () => {
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const oldest = compareKeys(a, b, "oldest");
        expect(Math.sign(compareKeys(b, a, "oldest")) + Math.sign(oldest)).toBe(0);
        expect(Math.sign(compareKeys(a, b, "newest")) + Math.sign(oldest)).toBe(0);
        expect(oldest === 0).toBe(JSON.stringify(keyOf(a)) === JSON.stringify(keyOf(b)));
      }),
    );
    const at = (startedAt: number, workflow: string, id: string) => ({ startedAt, workflow, id });
    expect(compareKeys(at(1, "z", "z"), at(2, "a", "a"), "oldest")).toBeLessThan(0);
    expect(compareKeys(at(1, "a", "z"), at(1, "b", "a"), "oldest")).toBeLessThan(0);
    expect(compareKeys(at(1, "a", "a"), at(1, "a", "b"), "newest")).toBeGreaterThan(0);
  });
});

describe("shards", () => {
  it("each hold their part, and an execution is in one of them", () => {
    const held = [0, 0, 0, 0];
    for (let i = 0; i < 2_000; i += 1) {
      const name = { workflow: "order", id: `o-${i}` };
      const shard = shardOf(name, 4);
      held[shard] = (held[shard] ?? 0) + 1;
      expect(shardOf(name, 1)).toBe(0);
      expect(Math.floor((shardPlace(name) * 4) / SHARD_PLACES)).toBe(shard);
    }
    for (const count of held) expect(count).toBeGreaterThan(400);
  });

  it("make one list together, page by page, with nothing skipped and nothing twice", () => {
    fc.assert(
      fc.property(
        fc.record({
          all: fc.uniqueArray(keys, { selector: (key) => JSON.stringify(keyOf(key)) }),
          order: orders,
          limit: fc.integer({ min: 1, max: 3 }),
          shards: fc.integer({ min: 1, max: 4 }),
        }),
        ({ all, order, limit, shards }) => {
          // One of a name: which start it is of a name is the business of the shard.
          const named = [...new Map(all.map((key) => [`${key.workflow}/${key.id}`, key])).values()];
          const found: ListKey[] = [];
          for (let after: ListKey | null | undefined; after !== null;) {
            const from = after;
            const pages = Array.from({ length: shards }, (_, shard): ListPage => {
              const own = named
                .filter((key) => shardOf(key, shards) === shard)
                .sort((a, b) => compareKeys(a, b, order))
                .filter((key) => from === undefined || compareKeys(key, from, order) > 0);
              const last = own.slice(0, limit).at(-1);
              return {
                executions: own.slice(0, limit).map((key) => summaryAt(key)),
                next: own.length > limit && last !== undefined ? keyOf(last) : null,
              };
            });
            const page = mergePages(pages, { order, limit });
            expect(page.executions.length).toBeLessThanOrEqual(limit);
            found.push(...page.executions.map(keyOf));
            after = page.next;
          }
          expect(found).toEqual(named.sort((a, b) => compareKeys(a, b, order)).map(keyOf));
        },
      ),
    );
  });

  it("that stop early are waited for: nothing from beyond is shown, and the next page begins there", () => {
    const at = (startedAt: number, id: string) => ({ startedAt, workflow: "order", id });
    const pages: ListPage[] = [
      { executions: [], next: at(5, "x") },
      { executions: [summaryAt(at(9, "a")), summaryAt(at(2, "b"))], next: null },
    ];
    const page = mergePages(pages, { order: "newest", limit: 10 });
    expect(page).toEqual({ executions: [summaryAt(at(9, "a"))], next: at(5, "x") });
  });

  it("of which one has handed an execution over and still holds it show it once, as its own shard has it", () => {
    const key = { startedAt: 1, workflow: "order", id: "o-1" };
    const home = shardOf(key, 2);
    const pageOf = (shard: number): ListPage => ({
      executions: [summaryAt(key, shard === home ? "completed" : "running")],
      next: null,
    });
    expect(mergePages([pageOf(0), pageOf(1)], { order: "newest", limit: 5 }).executions).toEqual([
      summaryAt(key, "completed"),
    ]);
  });

  it("count together", () => {
    const counts = sumCounts([
      [
        { workflow: "order", state: "waiting", count: 2 },
        { workflow: "album", state: "waiting", count: 1 },
      ],
      [
        { workflow: "order", state: "waiting", count: 3 },
        { workflow: "order", state: "failed", count: 1 },
      ],
    ]);
    expect(counts).toEqual([
      { workflow: "album", state: "waiting", count: 1 },
      { workflow: "order", state: "failed", count: 1 },
      { workflow: "order", state: "waiting", count: 5 },
    ]);
  });
});

describe("a cursor", () => {
  it("is read as the place that was written, by the same filter", () => {
    fc.assert(
      fc.property(keys, orders, (key, order) => {
        const filter = { ...FILTER, order };
        const cursor = writeCursor(key, filter);
        expect(cursor).toMatch(/^[A-Za-z0-9._~-]+$/);
        expect(readCursor(cursor, filter)).toEqual(keyOf(key));
      }),
    );
  });

  it("is none of another list, and none with a character changed", () => {
    const key = { startedAt: 5, workflow: "order", id: "o.1" };
    const cursor = writeCursor(key, FILTER);
    const others: ListFilter[] = [
      { ...FILTER, order: "oldest" },
      { ...FILTER, workflow: "order" },
      { ...FILTER, state: "failed" },
      { ...FILTER, attributes: { a: "1" } },
      { ...FILTER, startedAfter: 1 },
      { ...FILTER, startedBefore: 1 },
      { ...FILTER, idPrefix: "o" },
    ];
    for (const other of others) expect(readCursor(cursor, other)).toBeUndefined();
    for (let i = 0; i < cursor.length; i += 1) {
      const changed = cursor.slice(0, i) + (cursor[i] === "1" ? "2" : "1") + cursor.slice(i + 1);
      expect(readCursor(changed, FILTER)).toBeUndefined();
    }
    for (const text of ["", "1", "2.aaaaaaaaaa.5.order.o.1", "%"]) expect(readCursor(text, FILTER)).toBeUndefined();
  });

  it("does not depend on the order in which attributes are asked for", () => {
    const key = { startedAt: 5, workflow: "order", id: "o" };
    const cursor = writeCursor(key, { ...FILTER, attributes: { a: "1", b: "2" } });
    expect(readCursor(cursor, { ...FILTER, attributes: { b: "2", a: "1" } })).toEqual(key);
  });
});
