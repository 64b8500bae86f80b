import { describe, expect, it } from "vitest";
import { shardOf } from "../../src/journal/list.ts";
import { LIMITS } from "../../src/limits.ts";
import { report } from "../support/report.ts";
import { ShardHost, type AnswerListed } from "../support/shard-host.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rings when the alarm is due, for as long as that is to be. */
async function pass(host: ShardHost, ms: number, shard = 0): Promise<void> {
  const until = host.clock.now() + ms;
  for (let at = await host.alarm(shard); at !== null && at <= until; at = await host.alarm(shard)) {
    host.clock.moveTo(Math.max(at, host.clock.now()));
    await host.ring(shard);
  }
  host.clock.moveTo(until);
}

/** What executions say of themselves, and who was asked. */
function executions(known: Readonly<Record<string, ReturnType<typeof report>>>) {
  const asked: string[] = [];
  const answer: AnswerListed = async ({ id }) => {
    asked.push(id);
    const found = known[id];
    return found === undefined ? { kind: "absent" } : { kind: "listed", report: found };
  };
  return { asked, answer };
}

describe("the sweep of a directory", () => {
  it("case 222: asks an execution that has run for an hour without a report, and learns that it has ended", async () => {
    const ended = report({ id: "a", state: "completed", sequence: 9, endedAt: 5, purgeAt: 1e16 });
    const { asked, answer } = executions({ a: ended });
    const host = await ShardHost.open({ answer });
    await host.told(report({ id: "a", state: "running", sequence: 2 }));
    await pass(host, HOUR_MS / 2);
    expect(asked).toEqual([]);
    await pass(host, 2 * HOUR_MS);
    expect(asked).toEqual(["a"]);
    expect(await host.listed()).toMatchObject([{ id: "a", state: "completed" }]);
    await pass(host, 3 * DAY_MS);
    expect(asked).toEqual(["a"]);
  });

  it("asks one that waits or is paused once a day, and is no dearer than that", async () => {
    const waiting = report({ id: "w", state: "waiting", sequence: 2 });
    const paused = report({ id: "p", state: "paused", sequence: 3 });
    const { asked, answer } = executions({ w: waiting, p: paused });
    const host = await ShardHost.open({ answer });
    await host.told(waiting);
    await host.told(paused);
    const before = await host.rowsWritten();
    await pass(host, 10 * DAY_MS);
    expect(asked.length).toBeGreaterThanOrEqual(18);
    expect(asked.length).toBeLessThanOrEqual(20);
    expect((await host.rowsWritten()) - before).toBe(asked.length);
  });

  it("case 223: drops what never existed or is gone, and ended ones that should have been purged", async () => {
    const { asked, answer } = executions({});
    const host = await ShardHost.open({ answer });
    const purgeAt = host.clock.now() + DAY_MS;
    await host.told(report({ id: "ghost", state: "waiting" }));
    await host.told(report({ id: "ended", state: "failed", endedAt: 1, purgeAt }));
    await pass(host, 3 * DAY_MS);
    expect(asked.toSorted()).toEqual(["ended", "ghost"]);
    expect(await host.listed()).toEqual([]);
    expect(await host.inside((object) => object.counts())).toEqual([]);
    // Nothing is left to be looked after.
    expect(await host.alarm()).toBeNull();
  });

  it("does not drop one that was started anew while its earlier life was asked about", async () => {
    const host = await ShardHost.open();
    host.answer = async () => {
      await host.inside((object) => object.report(report({ id: "a", state: "waiting", createdAt: 9, startedAt: 9 })));
      return { kind: "absent" };
    };
    await host.told(report({ id: "a", state: "running" }));
    host.clock.moveTo(host.clock.now() + 2 * HOUR_MS);
    await host.ring();
    expect(await host.listed()).toMatchObject([{ id: "a", state: "waiting", startedAt: 9 }]);
  });

  it("goes on with others where one does not answer, and asks that again later", async () => {
    let fails = true;
    const { asked, answer } = executions({
      b: report({ id: "b", state: "cancelled", sequence: 5, endedAt: 1, purgeAt: 1e16 }),
    });
    const host = await ShardHost.open({
      answer: async (name) => {
        if (name.id === "a" && fails) throw new Error("Network connection lost.");
        return await answer(name);
      },
    });
    await host.told(report({ id: "a", state: "running" }));
    await host.told(report({ id: "b", state: "running" }));
    await pass(host, 2 * HOUR_MS);
    expect(asked).toEqual(["b"]);
    fails = false;
    await pass(host, 2 * HOUR_MS);
    expect(asked).toEqual(["b", "a"]);
    expect(await host.listed()).toMatchObject([{ id: "b", state: "cancelled" }]);
  });

  it("asks a bounded number at a time, and all of them in the end", async () => {
    const { asked, answer } = executions({});
    const host = await ShardHost.open({ answer });
    const count = LIMITS.sweepAsks + 20;
    await host.inside(async (object) => {
      for (let i = 0; i < count; i += 1) await object.report(report({ id: `e-${i}` }));
    });
    host.clock.moveTo(host.clock.now() + 2 * HOUR_MS);
    await host.ring();
    expect(asked).toHaveLength(LIMITS.sweepAsks);
    expect(await host.alarm()).toBeLessThanOrEqual(host.clock.now() + 1);
    host.clock.moveTo(host.clock.now() + 5);
    await host.ring();
    expect(asked).toHaveLength(count);
    expect(await host.listed()).toEqual([]);
  });
});

describe("late reports", () => {
  it("do not bring back what was removed, nor what should have been purged by now", async () => {
    const host = await ShardHost.open();
    const purgeAt = host.clock.now() + HOUR_MS;
    const ended = report({ id: "a", state: "completed", sequence: 4, endedAt: 1, purgeAt });
    await host.told(ended);
    await host.inside((object) => object.remove({ workflow: "order", id: "a", createdAt: 1 }));
    await host.told(ended);
    expect(await host.listed()).toEqual([]);
    await host.told(report({ id: "a", state: "running", createdAt: 2, startedAt: 2 }));
    // As late as can be: of the execution that had that id before.
    await host.inside((object) => object.remove({ workflow: "order", id: "a", createdAt: 1 }));
    expect(await host.listed()).toMatchObject([{ id: "a", state: "running" }]);
    host.clock.moveTo(purgeAt);
    await host.told(report({ id: "b", state: "completed", sequence: 4, endedAt: 1, purgeAt }));
    expect((await host.listed()).map(({ id }) => id)).toEqual(["a"]);
  });
});

describe("shards", () => {
  const names = Array.from({ length: 60 }, (_, i) => ({ workflow: "order", id: `e-${i}` }));

  async function heldBy(host: ShardHost, shards: number): Promise<readonly number[]> {
    return await Promise.all(Array.from({ length: shards }, async (_, shard) => (await host.listed({}, shard)).length));
  }

  it("hand over what belongs to others when their number grows, and take it back when it shrinks", async () => {
    const known = Object.fromEntries(names.map(({ id }) => [id, report({ id, state: "waiting", sequence: 2 })]));
    const { asked, answer } = executions(known);
    const host = await ShardHost.open({ answer });
    for (const one of Object.values(known)) await host.told({ ...one, attributes: { tier: "gold" } });
    await host.deploy(3);
    await pass(host, 2 * HOUR_MS);
    const expected = [0, 1, 2].map((shard) => names.filter((name) => shardOf(name, 3) === shard).length);
    expect(await heldBy(host, 3)).toEqual(expected);
    expect((await host.listed({ attributes: { tier: "gold" } }, 1)).length).toBe(expected[1]);
    await host.deploy(2);
    for (const shard of [0, 1, 2]) await pass(host, 2 * HOUR_MS, shard);
    const fewer = [0, 1].map((shard) => names.filter((name) => shardOf(name, 2) === shard).length);
    expect(await heldBy(host, 3)).toEqual([...fewer, 0]);
    expect(asked).toEqual([]);
  });
});

describe("counts", () => {
  it("follow every report and removal once they were asked for, and are the same after an eviction", async () => {
    const host = await ShardHost.open();
    await host.told(report({ id: "a", state: "running", sequence: 1 }));
    expect(await host.counts()).toEqual([{ workflow: "order", state: "running", count: 1 }]);
    await host.told(report({ id: "b", workflow: "album", state: "running", sequence: 1 }));
    await host.told(report({ id: "a", state: "paused", sequence: 2 }));
    await host.told(report({ id: "a", state: "paused", sequence: 3 }));
    await host.told(report({ id: "c", state: "failed", sequence: 2 }));
    await host.inside((object) => object.remove({ workflow: "order", id: "c", createdAt: 1 }));
    const counts = [
      { workflow: "album", state: "running", count: 1 },
      { workflow: "order", state: "paused", count: 1 },
    ];
    expect(new Set(await host.counts())).toEqual(new Set(counts));
    await host.evict();
    expect(new Set(await host.counts())).toEqual(new Set(counts));
  });
});
