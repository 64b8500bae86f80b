import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { measureScale } from "./main.ts";
import { retryHerds } from "./retry-herd.ts";
import { simulate } from "./simulate.ts";

const options = { executions: 1_000, shards: 4, seed: 3, spreadMs: 0, requestMs: 1 };
const silent = () => {};

describe("the simulation of scale", () => {
  it("tells, wakes and purges every execution once", async () => {
    const { simulation, shardSizes, retryHerds: herds } = await measureScale(options, silent);
    const { starts, sleep, wakes, purges } = simulation.phases;
    const sleepers = wakes.woken;
    expect(starts.started).toBe(options.executions);
    expect(sleepers).toBeGreaterThan(options.executions / 3);
    // A start, and an end or a first wait; then the ends of those that slept.
    expect(starts.told).toBe(2 * options.executions);
    expect(starts.rowsOfDirectory).toBe((3 + 2 + 1) * options.executions);
    expect([sleep.told, wakes.told, wakes.known]).toEqual([0, sleepers, sleepers]);
    // Those that sleep for more than a day are asked on the way.
    expect(sleep.asked).toBeGreaterThan(0);
    expect([purges.removals, purges.purged, purges.unremoved]).toEqual([sleepers, sleepers, 0]);
    expect(shardSizes.map(({ rows }) => rows)).toEqual([1_000]);
    expect(herds.map(({ jitter }) => jitter)).toEqual([0, 0.1, 0.5, 1]);
  });

  it("is the same for the same seed, apart from real time", async () => {
    const few = { ...options, executions: 100, shards: 2 };
    const [one, other] = [await simulate(few, silent), await simulate(few, silent)];
    expect(other.phases).toEqual(one.phases);
    expect(other.lagMs).toEqual(one.lagMs);
    expect((await simulate({ ...few, seed: 4 }, silent)).phases).not.toEqual(one.phases);
  });

  it("shows reports that find no answer in time where a shard cannot follow, and that they are told again", async () => {
    const slow = { ...options, executions: 500, shards: 1, requestMs: 100 };
    const simulation = await simulate(slow, silent);
    const { wakes, purges } = simulation.phases;
    expect(wakes.untold).toBeGreaterThan(0);
    expect(wakes.longestWaitMs).toBeGreaterThan(LIMITS.reportMs);
    expect(wakes.told).toBe(wakes.woken + wakes.untold);
    expect(simulation.allKnownAfterMs).toBeGreaterThan(LIMITS.reportRetryFirstMs / 2);
    expect(purges.unremoved).toBeGreaterThan(0);
    expect(simulation.allPurgedAfterMs).toBeGreaterThan(LIMITS.purgeRetryMs / 2);
  });

  it("shows that jitter draws a herd apart", () => {
    const herds = retryHerds({ steps: options.executions, seed: options.seed });
    const [none = 0, , half = 0, whole = 0] = herds.map(({ busiestTenth }) => busiestTenth);
    expect(none).toBeGreaterThan(0.9 * options.executions);
    expect(half).toBeLessThan(none / 2);
    expect(whole).toBeLessThan(half);
  });
});
