import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { StepExhausted, StepInterrupted } from "../../src/steps/errors.ts";
import { errorOf, every, Hits } from "../support/hits.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";

const SECOND = 1_000;
const START = Date.UTC(2100, 0, 1);
const SIGNALS = { go: staticSchema<number>() };

const forever = async (): Promise<never> => await new Promise(() => {});

/** The object that is there now, for code that lets it die. */
function onlyObject(host: MemoryHost): MemoryObject {
  const [object] = host.objects.values();
  if (object === undefined) throw new Error("No execution was started.");
  return object;
}

async function typesOf(probe: MemoryProbe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

describe("a step whose object dies", () => {
  it("case 16: counts its killed attempts, and is exhausted as interrupted", async () => {
    let seen: unknown;
    const flow = defineWorkflow({ name: "dies" }, async ({ step }) => {
      seen = await errorOf(
        step.run({ name: "x", retryPolicy: every("1s", 3) }, async () => {
          hits.add("x");
          await host.delay(10);
          onlyObject(host).kill();
          return await forever();
        }),
      );
      return "went on";
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const hits = new Hits(host);
    const probe = await host.start(flow);
    await host.runToEnd();
    expect(hits.count("x")).toBe(3);
    expect(seen).toMatchObject({ name: "StepExhausted", step: "x", attempts: 3 });
    expect(StepInterrupted.is((seen as StepExhausted).cause)).toBe(true);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "went on" });
  });

  it("deaths charged to one step's budget are no crash loop, however many", async () => {
    const flow = defineWorkflow({ name: "dies-often" }, async ({ step }) => {
      const retryPolicy = every("1s", 25);
      return await step.run({ name: "x", retryPolicy }, async ({ attempt }) => {
        hits.add("x");
        await host.delay(10);
        if (attempt === 25) return attempt;
        onlyObject(host).kill();
        return await forever();
      });
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const hits = new Hits(host);
    const probe = await host.start(flow);
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 25 });
    expect(hits.count("x")).toBe(25);
  });

  it("with several attempts in flight a death charges none of them", async () => {
    const attempts: unknown[] = [];
    const flow = defineWorkflow({ name: "several" }, async ({ step }) => {
      const one = (name: string) => {
        return step.run({ name, retryPolicy: every("1s", 2) }, async ({ attempt }) => {
          hits.add(name);
          attempts.push(attempt);
          if (attempt === 2) throw new Error("fails");
          await host.delay(attempt === 1 ? 20 * SECOND : 10);
          return name;
        });
      };
      return await Promise.all([one("a"), one("b"), one("c")]);
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const hits = new Hits(host);
    const probe = await host.start(flow);
    await host.advance(5 * SECOND);
    onlyObject(host).kill();
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: ["a", "b", "c"] });
    // Had the death been charged, the second failure would have spent the budget of two.
    expect(attempts).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    const lost = (await probe.facts()).filter(({ type }) => type === "object-lost");
    expect(lost).toMatchObject([{ ops: [0, 1, 2] }]);
    const failed = (await probe.facts()).flatMap((fact) => (fact.type === "attempt-failed" ? [fact.failure.name] : []));
    expect(failed).toEqual(["Error", "Error", "Error"]);
  });

  it.each([
    ["a sleep", true],
    ["a failed attempt", false],
  ])(
    "case 16: runs at most once more than its limit where it dies in the turn that starts it, after %s",
    async (_, sleeps) => {
      const flow = defineWorkflow({ name: "dies-at-once" }, async ({ step, sleep }) => {
        if (sleeps) await sleep("1s");
        const error = await errorOf(
          step.run({ name: "x", retryPolicy: every("1s", 3) }, async ({ attempt }) => {
            hits.add("x");
            if (!sleeps && attempt === 1) throw new Error("fails");
            onlyObject(host).kill();
            return await forever();
          }),
        );
        return StepExhausted.is(error) && error.attempts;
      });
      const host = new MemoryHost({ workflows: [flow], now: START });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      // Not to the end, which a loop that nobody counts would not have.
      await host.advance(60 * SECOND);
      expect(hits.count("x")).toBeLessThanOrEqual(4);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 3 });
    },
  );

  it.each([
    ["short", 800, 4],
    // A long one does not hold the others back, so that a death may again have two in flight, and charge none.
    ["long", 3 * SECOND, 4],
  ])(
    "after a death the object is careful: the step that kills is found out among %s siblings",
    async (_, ms, bound) => {
      const flow = defineWorkflow({ name: "careful" }, async ({ step, exhausted }) => {
        const good = (name: string) => {
          return step.run({ name, retryPolicy: every("1s", 2) }, async () => {
            hits.add(name);
            await host.delay(ms);
            return name;
          });
        };
        const killer = step.run({ name: "killer", retryPolicy: every("1s", 3) }, async () => {
          hits.add("killer");
          await host.delay(200);
          onlyObject(host).kill();
          return await forever();
        });
        const settled = await Promise.allSettled([good("a"), killer, good("b")]);
        return settled.map((one) => (one.status === "fulfilled" ? one.value : exhausted(one.reason)));
      });
      const host = new MemoryHost({ workflows: [flow], now: START });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.advance(120 * SECOND);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["a", true, "b"] });
      expect(hits.count("killer")).toBeLessThanOrEqual(bound);
    },
  );
});

describe("a crash loop", () => {
  const PLACES = ["a signal", "a sleep", "a step", "nothing"] as const;

  /** A workflow whose own code lets its object die so often, after it waited for one thing. */
  async function startDying(after: (typeof PLACES)[number], deaths: { left: number }) {
    const flow = defineWorkflow({ name: "dies", signals: SIGNALS }, async ({ step, sleep, awaitSignal }) => {
      await awaitSignal("go");
      if (after === "a signal") await awaitSignal("go");
      if (after === "a sleep") await sleep("1m");
      if (after === "a step") await step.run({ name: "x", retryPolicy: every("1s", 3) }, hits.ok("x"));
      deaths.left -= 1;
      if (deaths.left >= 0) {
        onlyObject(host).kill();
        await forever();
      }
      return "completed";
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const hits = new Hits(host);
    const probe = await host.start(flow);
    for (const value of [1, 2]) {
      // A sender that gets no answer sends again.
      for (const _ of ["first", "again"]) {
        await Promise.race([probe.signal("go", value, `key ${value}`), probe.object.death]);
        await host.settle();
      }
    }
    await host.advance(600 * SECOND);
    return { host, hits, probe };
  }

  it.each(PLACES)("pauses the execution after ten deaths in a row of its own code, after %s", async (after) => {
    const deaths = { left: 1000 };
    const { host, hits, probe } = await startDying(after, deaths);
    const { state, reason } = await probe.view();
    expect([state, reason?.code]).toEqual(["paused", "CRASH_LOOP"]);
    expect(await probe.alarm()).toBeUndefined();
    // A step that has ended is charged at most with the first, which its outcome was lost in.
    const charged = after === "a step" ? 1 : 0;
    expect(1000 - deaths.left).toBe(LIMITS.crashesInARow + charged);
    expect((await typesOf(probe)).filter((type) => type === "object-lost")).toHaveLength(LIMITS.crashesInARow);
    expect(hits.count("x")).toBe(after === "a step" ? 2 : 0);
    deaths.left = 0;
    await probe.command("resume");
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "completed" });
  });

  it("is none after nine deaths", async () => {
    const { probe } = await startDying("a signal", { left: 9 });
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "completed" });
  });

  it("is one also where each round journals something", async () => {
    const flow = defineWorkflow({ name: "progresses" }, async ({ step, sleep }) => {
      for (let i = 0; i < 30; i += 1) {
        await step.run(`s${i}`, hits.ok(`s${i}`));
        // So that nothing is in flight when the object dies.
        await sleep(0);
        if (hits.add(`after ${i}`) > 1) continue;
        onlyObject(host).kill();
        await forever();
      }
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const hits = new Hits(host);
    const probe = await host.start(flow);
    await host.advance(120 * SECOND);
    const { state, reason, steps } = await probe.view();
    expect([state, reason?.code]).toEqual(["paused", "CRASH_LOOP"]);
    expect(steps.completed).toBeGreaterThanOrEqual(9);
    // The first death may be charged to the step whose outcome was lost with its turn.
    expect(steps.completed).toBeLessThanOrEqual(LIMITS.crashesInARow + 1);
  });

  it("is counted anew after a clean wait", async () => {
    const flow = defineWorkflow({ name: "rests", signals: SIGNALS }, async ({ awaitSignal, sleep }) => {
      for (let round = 0; round < 3; round += 1) {
        await awaitSignal("go");
        if (hits.add(`round ${round}`) <= 9) {
          onlyObject(host).kill();
          await forever();
        }
        await sleep("1m");
      }
      return "completed";
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const hits = new Hits(host);
    const probe = await host.start(flow);
    for (let round = 0; round < 3; round += 1) {
      await Promise.race([probe.signal("go", round), probe.object.death]);
      await host.advance(120 * SECOND);
    }
    expect([0, 1, 2].map((round) => hits.count(`round ${round}`) >= 10)).toEqual([true, true, true]);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "completed" });
    const types = await typesOf(probe);
    expect(types.filter((type) => type === "object-lost")).toHaveLength(27);
    expect(types.filter((type) => type === "recovered").length).toBeGreaterThanOrEqual(3);
  });

  it("is not counted where the object is only evicted at rest", async () => {
    const flow = defineWorkflow({ name: "evicted" }, async ({ sleep }) => {
      for (let i = 0; i < 30; i += 1) await sleep("1m");
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const probe = await host.start(flow);
    for (let i = 0; i < 60; i += 1) {
      await probe.evict();
      await host.advance(30 * SECOND);
    }
    expect((await probe.view()).state).toBe("completed");
    expect(await typesOf(probe)).not.toContain("object-lost");
  });
});
