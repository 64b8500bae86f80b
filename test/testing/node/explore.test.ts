import { defineWorkflow } from "stepwell";
import { explore, type ExploreProgress } from "stepwell/testing";
import * as z from "zod";
import { describe, expect, it } from "vitest";

/** A service that does each thing once for each key. */
class Service {
  readonly done = new Map<string, string>();
  calls = 0;

  do(what: string, key: string): string {
    this.calls += 1;
    this.done.set(key, what);
    return what;
  }

  get all(): readonly string[] {
    return [...this.done.values()];
  }
}

let service = new Service();
const world = () => (service = new Service());

const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string() }),
    signals: { approval: z.object({ approved: z.boolean() }) },
    errors: { NOT_APPROVED: z.object({}) },
  },
  async ({ input, step, sleep, awaitSignal, errors, now, uuid }) => {
    const undo =
      (name: string) =>
      (_: string, { idempotencyKey }: { readonly idempotencyKey: string }) =>
        service.do(`undo ${name}`, idempotencyKey);
    await Promise.all(
      ["reserve", "charge", "notify"].map((name) =>
        step.run(name, ({ idempotencyKey }) => service.do(name, idempotencyKey), undo(name)),
      ),
    );
    const startedAt = now();
    await sleep("1d");
    const approval = await awaitSignal("approval", { timeout: "1d" });
    if (!approval.received || !approval.value.approved) throw errors.NOT_APPROVED({});
    const label = uuid();
    await step.run("ship", ({ idempotencyKey }) => service.do(`ship ${input.sku} ${label}`, idempotencyKey));
    return now() - startedAt >= 86_400_000;
  },
);

describe("an exploration", () => {
  it("finds nothing wrong with a workflow that is right, whatever happens to it", async () => {
    const progress: ExploreProgress[] = [];
    const exploration = await explore(
      order,
      { sku: "lamp" },
      {
        world,
        scenario: async ({ execution, engine }) => {
          await engine.advance("1h");
          await execution.signal("approval", { approved: true });
        },
        check: ({ outcome }, { all }) => {
          expect(outcome).toEqual({ kind: "completed", value: true });
          expect([...all].toSorted()).toEqual([
            "charge",
            "notify",
            "reserve",
            expect.stringMatching(/^ship lamp .{36}$/),
          ]);
        },
        onProgress: (one) => progress.push(one),
      },
    );
    expect(exploration.skipped).toBe(0);
    // Each commit twice, each turn, the other five orders of three steps, and the drawn ones.
    expect(exploration.runs).toBeGreaterThan(2 * exploration.commits + exploration.turns + 5 + 50);
    expect(progress.at(-1)).toEqual({ runs: exploration.runs, planned: exploration.runs });
    expect(progress).toHaveLength(exploration.runs);
  });

  it("finds nothing wrong with rollbacks that use their keys", async () => {
    await explore(
      order,
      { sku: "lamp" },
      {
        world,
        check: ({ outcome }, { all }) => {
          expect(outcome).toMatchObject({ kind: "failed", code: "NOT_APPROVED" });
          const undone = all.filter((what) => what.startsWith("undo"));
          expect(undone.toSorted()).toEqual(["undo charge", "undo notify", "undo reserve"]);
        },
      },
    );
  });

  it("finds nothing wrong with races between operations, though each run may have another winner", async () => {
    const quotes = defineWorkflow({ name: "quotes" }, async ({ step, sleep }) => {
      const first = await Promise.race(["a", "b", "c"].map((name) => step.run(name, () => name)));
      await sleep("1h");
      return await step.run(`accept-${first}`, () => first);
    });
    const winners = new Set<unknown>();
    await explore(quotes, undefined, {
      outcome: "any",
      check: ({ outcome }) => void winners.add(outcome?.kind === "completed" && outcome.value),
    });
    expect(winners).toEqual(new Set(["a", "b", "c"]));
  });

  it("compares what it is told to of outcomes that hold times", async () => {
    const timed = defineWorkflow({ name: "timed" }, async ({ step, now }) => {
      const value = await step.run("work", () => 7);
      return { value, at: now() };
    });
    await expect(explore(timed, undefined)).rejects.toMatchObject({ name: "ExplorationFailed", kind: "outcome" });
    await explore(timed, undefined, { outcome: (end) => end?.kind === "completed" && end.value.value });
  });

  it("keeps signals and commands that were answered, whenever the object dies", async () => {
    const waiting = defineWorkflow(
      { name: "waiting", signals: { go: z.int() } },
      async ({ awaitSignal, step, sleep, cancelled }) => {
        const seen: number[] = [];
        try {
          for (let i = 0; i < 3; i += 1) seen.push((await awaitSignal("go")).value);
          await sleep("1d");
        } catch (error) {
          if (!cancelled(error)) throw error;
          return await step.run("sum", () => seen.join(" "));
        }
        return "not cancelled";
      },
    );
    await explore(waiting, undefined, {
      scenario: async ({ execution, engine }) => {
        for (const value of [1, 2, 3]) await execution.signal("go", value);
        await execution.pause();
        await engine.advance("1h");
        await execution.cancel();
      },
      check: ({ outcome }) => expect(outcome).toEqual({ kind: "completed", value: "1 2 3" }),
    });
  });

  it("runs at most so many times, and the seed draws which", async () => {
    const runsOf = async (seed: number) => {
      const seen: unknown[] = [];
      const exploration = await explore(
        order,
        { sku: "lamp" },
        { world, seed, maximumRuns: 20, check: ({ journal }) => void seen.push(journal.length) },
      );
      expect(exploration.runs).toBeLessThanOrEqual(21);
      expect(exploration.skipped).toBeGreaterThan(0);
      return seen;
    };
    expect(await runsOf(1)).toEqual(await runsOf(1));
    expect(await runsOf(1)).not.toEqual(await runsOf(2));
  });

  it("leaves out what it is told to", async () => {
    const none = { crashes: "none", evictions: "none", orders: 0, combinations: 0 } as const;
    expect((await explore(order, { sku: "lamp" }, { world, ...none })).runs).toBe(2);
  });

  it("leaves the platform as it was", async () => {
    const before = [Date, setTimeout, fetch, Math.random, performance.now, crypto.randomUUID];
    let during: unknown[] = [];
    const check = () => void (during = [Date, setTimeout, fetch, Math.random, performance.now, crypto.randomUUID]);
    await explore(order, { sku: "lamp" }, { world, check, maximumRuns: 3 });
    expect(during.every((one, index) => one !== before[index])).toBe(true);
    expect([Date, setTimeout, fetch, Math.random, performance.now, crypto.randomUUID]).toEqual(before);
    expect(Object.hasOwn(performance, "now")).toBe(false);
  });

  it("tells what a scenario threw", async () => {
    const scenario = () => Promise.reject(new Error("no such button"));
    await expect(explore(order, { sku: "lamp" }, { world, scenario })).rejects.toMatchObject({
      kind: "scenario",
      schedule: [],
      message: expect.stringContaining("The scenario threw: no such button"),
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["crashes", { crashes: "sometimes" }, 'Cannot use crashes as it must be one of "every-commit", "none"'],
    ["evictions", { evictions: true }, 'Cannot use evictions as it must be one of "every-delivery", "none"'],
    [
      "outcomes",
      { outcome: "same" },
      'Cannot use outcome as it must be one of "equal", "any": current value is "same"',
    ],
    ["ambient", { ambient: "yes" }, 'Cannot use ambient as it must be one of "refuse", "allow"'],
    ["orders", { orders: -1 }, "Cannot use orders as it must be an integer from 0 to 1000000: current value is -1"],
    [
      "runs",
      { maximumRuns: "all" },
      'Cannot use maximumRuns as it must be an integer from 0 to 1000000: current value is "all"',
    ],
    ["seeds", { seed: "lucky" }, "Cannot use seed as it must be a finite number"],
    ["checks", { check: true }, "Cannot use check as it must be a function: current value is true"],
    ["schedules", { schedule: "crash" }, "Cannot use schedule as it must be an array of faults"],
    [
      "faults",
      { schedule: ["crash at noon"] },
      'Cannot use schedule[0] as a fault must be like "crash before commit 3"',
    ],
    ["lists of steps", { schedule: ["complete [1]"] }, "Cannot use schedule[0] as a fault must be like"],
    ["numbers of turns", { schedule: ["evict at turn 0"] }, "Cannot use schedule[0] as a fault must be like"],
    ["options that do not exist", { depth: 3 }, "Cannot use options.depth"],
    ["options of the engine", { now: Number.NaN }, "Cannot use now as it must be finite"],
    ["worlds whose env is none", { world: () => ({ env: 1 }) }, "Cannot use env as it must be an object of bindings"],
  ])("refuses wrong %s, and says why", async (_, options, message) => {
    await expect(explore(order, { sku: "lamp" }, options)).rejects.toThrow(message);
  });

  it("gives the engine what a world has for it", async () => {
    const calls = defineWorkflow({ name: "calls" }, async ({ step }) => {
      const answer = await step.fetch("call", "https://shop.example/", { method: "POST" });
      return await answer.text();
    });
    const keys: (string | null)[] = [];
    await explore(calls, undefined, {
      world: () => ({
        fetch: async (_: unknown, init?: RequestInit) => {
          keys.push(new Headers(init?.headers).get("Idempotency-Key"));
          return new Response("done");
        },
      }),
      check: ({ outcome }) => expect(outcome).toEqual({ kind: "completed", value: "done" }),
    });
    // The start may be lost with its time, which keys derive from; all runs begin at the same one.
    expect(new Set(keys).size).toBe(1);
  });
});
