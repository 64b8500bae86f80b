import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { every, Hits } from "../support/hits.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2100, 0, 1);

const forever = async (): Promise<never> => await new Promise(() => {});

/** One of the steps that are asked for at once. */
interface Actor {
  /** When it kills its object, counted from its start, or ends. */
  readonly ms: number;
  readonly kills: boolean;
  readonly attempts: number;
}

interface Company {
  readonly host: MemoryHost;
  readonly hits: Hits;
  readonly probe: MemoryProbe;
}

/** Starts an execution of these steps, and does not wait for its end. */
async function start(actors: readonly Actor[], interval: "1s" | "30s" = "1s"): Promise<Company> {
  const flow = defineWorkflow({ name: "company" }, async ({ step, sleep, exhausted }) => {
    // A start that dies in its first turn was never made.
    await sleep("1s");
    const steps = actors.map(({ ms, kills, attempts }, index) =>
      step.run({ name: `s${index}`, timeout: "10m", retryPolicy: every(interval, attempts) }, async () => {
        hits.add(`s${index}`);
        if (ms > 0) await host.delay(ms);
        if (!kills) return index;
        onlyObject(host).kill();
        return await forever();
      }),
    );
    const settled = await Promise.allSettled(steps);
    return settled.map((one) => (one.status === "fulfilled" ? one.value : exhausted(one.reason)));
  });
  const host = new MemoryHost({ workflows: [flow], now: START });
  const hits = new Hits(host);
  const probe = await host.start(flow);
  return { host, hits, probe };
}

function onlyObject(host: MemoryHost): MemoryObject {
  const [object] = host.objects.values();
  if (object === undefined) throw new Error("No execution was started.");
  return object;
}

const killer = (ms: number, attempts = 3): Actor => ({ ms, kills: true, attempts });
const long: Actor = { ms: MINUTE, kills: false, attempts: 3 };
const short: Actor = { ms: 10, kills: false, attempts: 3 };

describe("a step that kills its object among long siblings", () => {
  it.each([
    ["at once", 0],
    ["soon", 200],
    ["after the first second", 5 * SECOND],
    ["late", 20 * SECOND],
  ])("is called at most once more than its limit where it kills %s, and the siblings complete", async (_, ms) => {
    for (const actors of [
      [killer(ms), long],
      [long, killer(ms)],
      [long, killer(ms), long, short],
    ]) {
      const { host, hits, probe } = await start(actors);
      await host.advance(60 * MINUTE);
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: actors.map(({ kills }, index) => (kills ? true : index)),
      });
      for (const [index, { attempts }] of actors.entries()) {
        expect([index, hits.count(`s${index}`) <= attempts + 1]).toEqual([index, true]);
      }
    }
  });

  it("is called no oftener where its object leaves memory while it waits for its next attempt", async () => {
    const { host, hits, probe } = await start([killer(0)], "30s");
    for (let minute = 0; minute < 10; minute += 1) {
      await host.advance(20 * SECOND);
      if (!onlyObject(host).isBusy) await probe.evict();
      await host.advance(40 * SECOND);
    }
    expect(await probe.outcome()).toEqual({ kind: "completed", value: [true] });
    expect(hits.count("s0")).toBeLessThanOrEqual(4);
  });

  it("spends nothing of a sibling's budget once it is known", async () => {
    const { host, hits, probe } = await start([long, killer(200, 20)]);
    await host.advance(60 * MINUTE);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: [0, true] });
    expect(hits.count("s1")).toBeLessThanOrEqual(21);
    expect(hits.count("s0")).toBeLessThanOrEqual(3);
  });
});

describe("an endless loop", () => {
  it.each(["the workflow's code", "a step"])(
    "case 197: in %s is a death like any other, and other executions go on",
    async (where) => {
      const loops = defineWorkflow({ name: "loops" }, async ({ step, sleep, execution }) => {
        await sleep("1s");
        const loop = async () => {
          if (execution.id === "sound") return "sound";
          // The platform ends what spins by ending its object, in the turn in which it spins.
          host.object(loops, execution.id).kill();
          return await forever();
        };
        if (where === "a step") return await step.run({ name: "loop", retryPolicy: every("1s", 3) }, loop);
        return await loop();
      });
      const host = new MemoryHost({ workflows: [loops], now: START });
      const endless = await host.start(loops, { id: "endless" });
      const sound = await host.start(loops, { id: "sound" });
      await host.advance(10 * MINUTE);
      expect(await sound.outcome()).toEqual({ kind: "completed", value: "sound" });
      const { state, reason } = await endless.view();
      const expected = where === "a step" ? ["failed", "STEP_EXHAUSTED"] : ["paused", "CRASH_LOOP"];
      expect([state, reason?.code]).toEqual(expected);
    },
  );
});

describe("an attempt whose object was lost", () => {
  it("case 203: changes nothing when it ends after the next one did", async () => {
    const flow = defineWorkflow({ name: "stale" }, async ({ step, sleep }) => {
      const value = await step.run({ name: "x", retryPolicy: every("1s", 3) }, async ({ attempt }) => {
        await host.delay(attempt === 1 ? 30 * SECOND : SECOND);
        ended.push(attempt);
        return attempt;
      });
      await sleep("1h");
      return value;
    });
    const ended: number[] = [];
    const host = new MemoryHost({ workflows: [flow], now: START });
    const probe = await host.start(flow);
    await host.advance(500);
    await probe.evict();
    await host.runToEnd();
    expect(ended).toEqual([2, 1]);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 2 });
    expect((await probe.facts()).filter(({ type }) => type === "step-completed")).toHaveLength(1);
  });
});

describe("long steps whose object is lost once, as in a deploy", () => {
  it("are all in flight again soon, and not one after the other", async () => {
    const { host, hits, probe } = await start(Array.from({ length: 20 }, () => ({ ...long, attempts: 1 })));
    await host.advance(10 * SECOND);
    await probe.evict();
    await host.advance(31 * SECOND);
    const counts = Array.from({ length: 20 }, (_, index) => hits.count(`s${index}`));
    expect(counts).toEqual(counts.map(() => 2));
    await host.runToEnd();
    expect(await probe.outcome()).toMatchObject({ kind: "completed" });
  });
});

describe("any company of steps", () => {
  const actor: fc.Arbitrary<Actor> = fc.record({
    ms: fc.constantFrom(0, 10, 700, 3 * SECOND, 15 * SECOND, MINUTE),
    kills: fc.boolean(),
    attempts: fc.integer({ min: 1, max: 3 }),
  });

  it("comes to an end, and calls each at most once more than its limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actor, { minLength: 1, maxLength: 4 }), async (actors) => {
        const { host, hits, probe } = await start(actors);
        await host.advance(120 * MINUTE);
        expect(await probe.outcome()).toMatchObject({ kind: "completed" });
        for (const [index, { attempts }] of actors.entries()) {
          expect([index, hits.count(`s${index}`) <= attempts + 1]).toEqual([index, true]);
        }
      }),
      { numRuns: 100 },
    );
  });
});
