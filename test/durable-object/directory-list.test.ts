import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListKey, ListRequest } from "../../src/journal/list.ts";
import type { Report } from "../../src/journal/report.ts";
import { EXECUTION_STATES } from "../../src/journal/execution-state.ts";
import { MemoryDirectory } from "../support/memory-directory.ts";
import { report } from "../support/report.ts";
import { ShardHost } from "../support/shard-host.ts";

const ids = fc.constantFrom("a", "a-1", "a-2", "b", "b-1", "zz~", "-", "~", "0.9");
const workflows = fc.constantFrom("order", "orders", "album");
const states = fc.constantFrom(...EXECUTION_STATES);
const attributes = fc.constantFrom({}, { tier: "gold" }, { tier: "gold", lines: 2 }, { tier: 2, odd: '\ud83e"\u0000' });

const reports: fc.Arbitrary<Report> = fc.record({
  id: ids,
  workflow: workflows,
  state: states,
  startedAt: fc.integer({ min: 0, max: 5 }),
  createdAt: fc.integer({ min: 0, max: 3 }),
  sequence: fc.integer({ min: 1, max: 9 }),
  attributes,
});

/** One execution has one start. */
function consistent(given: readonly Report[]): readonly Report[] {
  return given.map((one) => ({ ...one, startedAt: (one.createdAt + one.id.length + one.workflow.length) % 6 }));
}

const filters = fc.record(
  {
    workflow: workflows,
    state: states,
    startedAfter: fc.integer({ min: 0, max: 6 }),
    startedBefore: fc.integer({ min: 0, max: 6 }),
    idPrefix: fc.constantFrom("a", "a-", "b", "z", "0.", "x"),
  },
  { requiredKeys: [] },
);
const looks = fc.constantFrom(
  {},
  { tier: "gold" },
  { tier: "gold", lines: "2" },
  { tier: "2" },
  { odd: '\ud83e"\u0000' },
);

const requests = fc
  .record({
    filter: filters,
    attributes: looks,
    order: fc.constantFrom("newest", "oldest"),
    limit: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ filter, ...rest }): ListRequest => ({ ...filter, ...rest }));

describe("a list", () => {
  it("holds what is to be found, in order, page by page, as a plain search would", async () => {
    const shard = await ShardHost.open();
    const model = new MemoryDirectory();
    await fc.assert(
      fc.asyncProperty(
        fc.array(reports, { maxLength: 12 }),
        fc.array(requests, { minLength: 1, maxLength: 6 }),
        async (given, asked) => {
          for (const one of consistent(given)) {
            await shard.told(one);
            await model.report(one);
          }
          for (const request of asked) {
            const plain = await model.list({ ...request, limit: 1_000 });
            const pages = await shard.inside(async (object) => {
              const found: unknown[] = [];
              for (let after: ListKey | null | undefined; after !== null;) {
                const page = await object.list({ ...request, ...(after !== undefined && { after }) });
                expect(page.executions.length).toBeLessThanOrEqual(request.limit);
                found.push(...page.executions);
                after = page.next;
              }
              return found;
            });
            expect(pages).toEqual(plain.executions);
          }
          expect(new Set(await shard.inside((object) => object.counts()))).toEqual(new Set(await model.counts()));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("skips nothing and shows nothing twice that is there all the while, whatever changes between the pages", async () => {
    const changes = fc.array(fc.array(reports, { maxLength: 3 }), { maxLength: 12 });
    let host = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(reports, { minLength: 4, maxLength: 14 }),
        changes,
        requests,
        async (given, later, asked) => {
          const shard = await ShardHost.open();
          host += 1;
          const id = `steady-${host}`;
          const request: ListRequest = { order: asked.order, limit: asked.limit, attributes: {}, workflow: "order" };
          // These never change; of the others each may come, change, or be replaced by another one of its name.
          const steady = consistent(given).map((one, index) => ({ ...one, id: `${id}-${index}`, workflow: "order" }));
          for (const one of [...steady, ...consistent(given)]) await shard.told(one);
          const seen: string[] = [];
          const queue = [...later];
          for (let after: ListKey | null | undefined; after !== null;) {
            const page = await shard.page({ ...request, ...(after !== undefined && { after }) });
            seen.push(...page.executions.map((one) => one.id));
            after = page.next;
            for (const one of consistent(queue.shift() ?? []))
              await shard.told({ ...one, sequence: one.sequence + 10 });
          }
          const found = seen.filter((one) => one.startsWith(id));
          expect(found.toSorted()).toEqual(steady.map((one) => one.id).toSorted());
        },
      ),
      { numRuns: 40 },
    );
  });

  it("finds few among many by the prefix of their ids, and some of many that share one", async () => {
    const shard = await ShardHost.open();
    await shard.inside(async (object) => {
      for (let i = 0; i < 3_000; i += 1) {
        const id = i % 500 === 0 ? `rare-${i}` : `common-${i}`;
        await object.report(report({ id, startedAt: i, state: "waiting" }));
      }
    });
    const rare = await shard.page({ idPrefix: "rare-", limit: 4 });
    expect(rare.executions.map(({ id }) => id)).toEqual(["rare-2500", "rare-2000", "rare-1500", "rare-1000"]);
    expect((await shard.listed({ idPrefix: "rare-", limit: 4, ...(rare.next && { after: rare.next }) })).length).toBe(
      2,
    );
    const common = await shard.listed({ idPrefix: "common-", limit: 3, order: "oldest" });
    expect(common.map(({ id }) => id)).toEqual(["common-1", "common-2", "common-3"]);
  });

  it("looks at a bounded number of executions for one page, and says where to go on", async () => {
    const shard = await ShardHost.open();
    await shard.inside(async (object) => {
      for (let i = 0; i < 10_500; i += 1) {
        await object.report(
          report({ id: `e-${i}`, startedAt: i, attributes: i === 5 ? { rare: 1, all: 1 } : { all: 1 } }),
        );
      }
    });
    const first = await shard.page({ attributes: { all: "1", rare: "1" } });
    expect(first).toEqual({ executions: [], next: { startedAt: 500, workflow: "order", id: "e-500" } });
    const second = await shard.page({ attributes: { all: "1", rare: "1" }, ...(first.next && { after: first.next }) });
    expect([second.executions.map(({ id }) => id), second.next]).toEqual([["e-5"], null]);
  });
});

describe("the plans of the statements", () => {
  const key = { startedAt: 3, workflow: "order", id: "order-2" };
  const bounds = [
    {},
    { after: key },
    { startedAfter: 1, startedBefore: 9 },
    { after: key, startedAfter: 1, startedBefore: 9 },
  ];
  const finds = [
    {},
    { workflow: "order" },
    { state: "paused" },
    { workflow: "order", state: "paused" },
    { attributes: { tier: "gold" } },
    { attributes: { tier: "gold" }, workflow: "order", state: "paused" },
    { idPrefix: "order-" },
  ] as const;
  const cases = finds.flatMap((find) =>
    bounds.flatMap((bound) => (["newest", "oldest"] as const).map((order) => ({ ...find, ...bound, order }))),
  );

  it.each(cases)("serve %j by an index, without a sort", async (request) => {
    const shard = await ShardHost.open();
    for (const state of EXECUTION_STATES) {
      await shard.told(report({ id: state, state, attributes: { tier: "gold" } }));
    }
    const plans = await shard.inside(async (object, { storage }) => {
      const { sql } = storage;
      const exec = sql.exec.bind(sql);
      const found: string[] = [];
      const explain = (statement: string, ...bindings: unknown[]) => {
        const rows = exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...bindings).toArray();
        found.push(...rows.map(({ detail }) => detail));
        return exec(statement, ...bindings);
      };
      sql.exec = explain as typeof sql.exec;
      try {
        await object.list({ attributes: {}, limit: 10, ...request });
      } finally {
        sql.exec = exec;
      }
      return found;
    });
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((detail) => /TEMP B-TREE/.test(detail))).toEqual([]);
    // The one list without any filter and bound is in the order of an index as it stands.
    const isWhole = JSON.stringify({ ...request, order: "" }) === JSON.stringify({ order: "" });
    const scans = plans.filter((detail) => detail.startsWith("SCAN"));
    expect(scans).toEqual(isWhole ? ["SCAN e USING INDEX executions_by_start"] : []);
  });
});
