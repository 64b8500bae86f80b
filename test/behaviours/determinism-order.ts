import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const signals = {
  go: staticSchema<number>(),
  a: staticSchema<number>(),
  b: staticSchema<number>(),
  c: staticSchema<number>(),
};

/** Code that goes on only after so many microtasks. */
async function deep<T>(promise: Promise<T>, microtasks: number): Promise<T> {
  const value = await promise;
  for (let i = 0; i < microtasks; i += 1) await undefined;
  return value;
}

/** A race as people write it by hand. */
function firstOf<T>(promises: readonly Promise<T>[]): Promise<T> {
  return new Promise((resolve, reject) => {
    for (const promise of promises) promise.then(resolve, reject);
  });
}

export function describeOrder(makeHost: MakeHost): void {
  describe("the order of deliveries", () => {
    it("S54 combinators, native and written by hand, decide on replay as they did live", async () => {
      const decisions: unknown[] = [];
      const workflow = defineWorkflow({ name: "combine", signals }, async ({ step, awaitSignal }) => {
        const order: string[] = [];
        const work = (name: string, ms: number, fails = false) => {
          const done = step.run({ name, retryPolicy: { maximumAttempts: 1 } }, async () => {
            await host.delay(ms);
            if (fails) throw new Error(name);
            return name;
          });
          done.then(
            () => order.push(name),
            () => order.push(`${name} failed`),
          );
          return done;
        };
        const steps = [work("slow", 30), work("bad", 5, true), work("fast", 10), work("middle", 20)];
        const [, , fast, middle] = steps as [Promise<string>, Promise<string>, Promise<string>, Promise<string>];
        const decided = [
          await Promise.any(steps),
          await Promise.race([middle, fast]),
          await firstOf([deep(middle, 0), deep(fast, 50)]),
          await Promise.race(steps).catch((error: unknown) => String(error)),
          (await Promise.allSettled(steps)).map(({ status }) => status),
          order,
        ];
        decisions.push(decided);
        await awaitSignal("go");
        decisions.push(decided);
        return decided;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(SECOND_MS);
      for (let round = 0; round < 2; round += 1) {
        await probe.evict();
        await probe.ring();
      }
      await probe.signal("go", 1);
      expect((await probe.outcome())?.kind).toBe("completed");
      expect(decisions).toHaveLength(4);
      const [first] = decisions;
      expect(first).toEqual([
        "fast",
        "fast",
        "fast",
        expect.stringContaining("exhausted its retries"),
        ["fulfilled", "rejected", "fulfilled", "fulfilled"],
        ["bad failed", "fast", "middle", "slow"],
      ]);
      for (const later of decisions.slice(1)) expect(later).toEqual(first);
    });

    it("gives each settlement a turn of its own: the first of two wins however many microtasks its code takes", async () => {
      const winners: string[] = [];
      const workflow = defineWorkflow({ name: "deep", signals }, async ({ step, awaitSignal }) => {
        const work = (name: string) => step.run(name, async () => (await host.delay(10), name));
        const winner = await Promise.race([deep(work("first"), 1_000), work("second")]);
        winners.push(winner);
        await awaitSignal("go");
        return winner;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(10);
      await probe.evict();
      await probe.signal("go", 1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "first" });
      expect(winners).toEqual(["first", "first"]);
    });

    it.each([false, true])(
      "case 66: the same sleep raced twice decides each race as the journal does (evicted: %s)",
      async (evicts) => {
        const workflow = defineWorkflow({ name: "twice", signals }, async ({ sleep, awaitSignal }) => {
          const day = sleep("1d").then(() => "sleep");
          const first = await Promise.race([day, awaitSignal("go")]);
          const second = await Promise.race([day, awaitSignal("go")]);
          await awaitSignal("a");
          return [first, second];
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        await host.advance(HOUR_MS);
        if (evicts) await probe.evict();
        await probe.signal("go", 1);
        if (evicts) await probe.evict();
        await host.advance(24 * HOUR_MS);
        if (evicts) await probe.evict();
        await probe.signal("go", 2);
        expect((await probe.view()).unreadSignals).toBe(1);
        if (evicts) await probe.evict();
        await probe.signal("a", 3);
        expect(await probe.outcome()).toEqual({ kind: "completed", value: [{ received: true, value: 1 }, "sleep"] });
        expect((await probe.view()).unreadSignals).toBe(1);
      },
    );

    it.each([false, true])(
      "case 67: several signals in all, raced with a sleep, complete after the last (evicted: %s)",
      async (evicts) => {
        const workflow = defineWorkflow({ name: "all", signals }, async ({ sleep, awaitSignal }) => {
          const all = Promise.all([awaitSignal("a"), awaitSignal("b"), awaitSignal("c")]);
          const won = await Promise.race([all, sleep("35m")]);
          return won?.map(({ value }) => value);
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        for (const name of ["c", "a", "b"]) {
          await host.advance(10 * MINUTE_MS);
          if (evicts) await probe.evict();
          await probe.signal(name, name.codePointAt(0));
          if (evicts) await probe.evict();
          if (evicts) await probe.ring();
        }
        expect(await probe.outcome()).toEqual({ kind: "completed", value: [97, 98, 99] });
      },
    );

    it("case 68: three steps that finish c, a, b are seen to finish c, a, b on every replay", async () => {
      const used: unknown[] = [];
      const workflow = defineWorkflow({ name: "order" }, async ({ step, sleep }) => {
        const order: string[] = [];
        const work = async (name: string, ms: number) => {
          await step.run(name, () => host.delay(ms));
          order.push(name);
        };
        await Promise.all([work("a", 20), work("b", 30), work("c", 10)]);
        await sleep("1m");
        return await step.run("use", () => {
          used.push(order);
          return order;
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(SECOND_MS);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["c", "a", "b"] });
      expect(used).toEqual([["c", "a", "b"]]);
    });

    it("case 71: signals and looks do not start a step that is in flight again", async () => {
      let running = 0;
      const seen: number[] = [];
      const workflow = defineWorkflow({ name: "flight", signals }, async ({ step, awaitSignal }) => {
        const long = step.run("long", async () => {
          running += 1;
          seen.push(running);
          await host.delay(30 * SECOND_MS);
          running -= 1;
        });
        await Promise.all([long, awaitSignal("go")]);
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      for (let i = 0; i < 5; i += 1) {
        await probe.signal("go", i);
        for (let look = 0; look < 4; look += 1) expect((await probe.view()).state).toBe("running");
        await host.advance(5 * SECOND_MS);
      }
      await host.advance(5 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(seen).toEqual([1]);
    });

    it("case 81: one promise awaited again and again gives one value of one run", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "again", signals }, async ({ step, awaitSignal }) => {
        const x = step.run("x", () => {
          hits.push("x");
          return { made: hits.length };
        });
        const raced = await Promise.race([x, awaitSignal("go")]);
        const values = [await x, await x, raced];
        await awaitSignal("go");
        return [...values, values.every((value) => value === values[0])];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.signal("go", 1);
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [{ made: 1 }, { made: 1 }, { made: 1 }, true],
      });
      expect(hits).toEqual(["x"]);
    });

    it.each([false, true])(
      "goes on where two waits settled together and each asks for more (evicted: %s)",
      async (evicts) => {
        const hits: string[] = [];
        const workflow = defineWorkflow({ name: "both", signals }, async ({ step, awaitSignal }) => {
          const branch = async (name: "a" | "b") => {
            await awaitSignal(name);
            await step.run(`${name}1`, () => void hits.push(`${name}1`));
            await awaitSignal("go");
            return await step.run(`${name}2`, () => void hits.push(`${name}2`));
          };
          await Promise.all([branch("a"), branch("b")]);
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        if (evicts) await probe.evict();
        await Promise.all([probe.signal("b", 1), probe.signal("a", 1)]);
        if (evicts) await probe.evict();
        await Promise.all([probe.signal("go", 1), probe.signal("go", 1)]);
        expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
        expect(hits).toHaveLength(4);
        expect(new Set(hits)).toEqual(new Set(["a1", "a2", "b1", "b2"]));
      },
    );
  });
}
