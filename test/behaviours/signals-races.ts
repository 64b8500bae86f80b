import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const signals = { s: staticSchema<string>(), stop: staticSchema<string>(), tick: staticSchema<number>() };

type Wait = Promise<{ readonly received: boolean }>;

/** Races as they are written: each lets a sleep win against a wait for a signal. */
const RACES: Readonly<Record<string, (sleep: Promise<void>, wait: Wait) => Promise<unknown>>> = {
  "Promise.race": (sleep, wait) => Promise.race([wait, sleep]),
  "Promise.any": (sleep, wait) => Promise.any([wait, sleep]),
  "Promise.race with a winner derived by then": (sleep, wait) => Promise.race([wait, sleep.then(() => "slept")]),
  "Promise.race with an async function as the winner": (sleep, wait) =>
    Promise.race([wait, (async () => await sleep)()]),
  "Promise.race in an async function": async (sleep, wait) => await Promise.race([sleep, wait]),
  "a race written by hand": (sleep, wait) =>
    new Promise<unknown>((resolve, reject) => {
      wait.then(resolve, reject);
      sleep.then(resolve, reject);
    }),
};

export function describeSignalRaces(makeHost: MakeHost): void {
  describe("signals and races", () => {
    for (const [how, race] of Object.entries(RACES)) {
      it.each([false, true])(`case 121: a wait that lost ${how} takes nothing (evicted: %s)`, async (evicts) => {
        const workflow = defineWorkflow({ name: "lost", signals }, async ({ sleep, awaitSignal }) => {
          await race(sleep("10s"), awaitSignal("s"));
          await sleep("10s");
          return (await awaitSignal("s")).value;
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        await host.advance(10 * SECOND_MS);
        if (evicts) await probe.evict();
        await probe.signal("s", "x");
        expect((await probe.view()).unreadSignals).toBe(1);
        if (evicts) await probe.evict();
        await host.advance(10 * SECOND_MS);
        expect(await probe.outcome()).toEqual({ kind: "completed", value: "x" });
      });

      it(`a wait that is still in ${how} takes the signal`, async () => {
        const workflow = defineWorkflow({ name: "won", signals }, async ({ sleep, awaitSignal }) => {
          return await race(sleep("10s"), awaitSignal("s"));
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        await probe.evict();
        await probe.signal("s", "x");
        expect(await probe.outcome()).toEqual({ kind: "completed", value: { received: true, value: "x" } });
      });
    }

    it("a wait that lost a race and is awaited again afterwards takes the signal", async () => {
      const workflow = defineWorkflow({ name: "again", signals }, async ({ sleep, awaitSignal }) => {
        const wait = awaitSignal("s");
        await Promise.race([wait, sleep("10s")]);
        await sleep("10s");
        return await wait;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(10 * SECOND_MS);
      await probe.signal("s", "x");
      await host.advance(10 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { received: true, value: "x" } });
    });

    it.each([false, true])(
      "one long-lived wait, raced again and again, wins the race in which its signal comes (evicted: %s)",
      async (evicts) => {
        const workflow = defineWorkflow({ name: "actor", signals }, async ({ awaitSignal, step }) => {
          const stop = awaitSignal("stop").then(() => "stop" as const);
          let held = awaitSignal("s");
          const ticks: unknown[] = [];
          for (;;) {
            const next = await Promise.race([stop, held, awaitSignal("tick")]);
            if (next === "stop") return ticks;
            ticks.push(next.value);
            if (ticks.length === 50) await step.run("half", () => 1);
            if (typeof next.value === "string") held = awaitSignal("s");
          }
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        for (let i = 0; i < 60; i += 1) {
          await probe.signal("tick", i);
          if (evicts && i % 10 === 0) await probe.evict();
        }
        await probe.signal("s", "held");
        await probe.signal("s", "then");
        if (evicts) await probe.evict();
        await probe.signal("stop", "now");
        const outcome = await probe.outcome();
        const values = outcome?.kind === "completed" ? (outcome.value as unknown[]) : [];
        expect(values).toEqual([...Array.from({ length: 60 }, (_, i) => i), "held", "then"]);
      },
    );

    it("among waits of one name that are raced again, the youngest takes the signal", async () => {
      const workflow = defineWorkflow({ name: "youngest", signals }, async ({ awaitSignal, sleep }) => {
        const order: string[] = [];
        for (let round = 0; round < 3; round += 1) {
          const wait = awaitSignal("s");
          const won = await Promise.race([wait, sleep("10s")]);
          order.push(won === undefined ? "slept" : won.value);
        }
        return order;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(15 * SECOND_MS);
      await probe.signal("s", "second");
      await host.advance(5 * SECOND_MS);
      await probe.evict();
      await probe.signal("s", "third");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["slept", "second", "third"] });
    });

    it("a race lost to a step that fails takes nothing either", async () => {
      const workflow = defineWorkflow({ name: "failed", signals }, async ({ awaitSignal, step }) => {
        const failing = step.run({ name: "x", retryPolicy: { maximumAttempts: 1 } }, async () => {
          await host.delay(SECOND_MS);
          throw new Error("no");
        });
        const caught = await Promise.race([awaitSignal("s"), failing]).catch(() => "caught");
        await step.run("work", () => host.delay(10 * SECOND_MS));
        return [caught, await awaitSignal("s")];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(2 * SECOND_MS);
      await probe.signal("s", "x");
      await host.advance(20 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["caught", { received: true, value: "x" }] });
    });

    it("a wait in Promise.all whose other part failed takes nothing", async () => {
      const workflow = defineWorkflow({ name: "all", signals }, async ({ awaitSignal, step }) => {
        const failing = step.run({ name: "x", retryPolicy: { maximumAttempts: 1 } }, () =>
          Promise.reject(new Error("no")),
        );
        const caught = await Promise.all([awaitSignal("s"), failing]).catch(() => "caught");
        await step.run("work", () => host.delay(10 * SECOND_MS));
        return [caught, (await awaitSignal("s")).value];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(SECOND_MS);
      await probe.signal("s", "x");
      await host.advance(20 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["caught", "x"] });
    });

    it("in Promise.allSettled a wait takes its signal although another part failed", async () => {
      const workflow = defineWorkflow({ name: "settled", signals }, async ({ awaitSignal, step }) => {
        const failing = step.run({ name: "x", retryPolicy: { maximumAttempts: 1 } }, () =>
          Promise.reject(new Error("no")),
        );
        const settled = await Promise.allSettled([awaitSignal("s"), failing]);
        return settled.map(({ status }) => status);
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.signal("s", "x");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["fulfilled", "rejected"] });
    });
  });
}
