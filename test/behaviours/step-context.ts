import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import type { StepContext } from "../../src/execution/workflow-context.ts";
import type { MakeHost } from "../support/host.ts";
import { errorOf, every, Hits } from "../support/hits.ts";

const SECOND = 1_000;

class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
}

export function describeStepContext(makeHost: MakeHost): void {
  describe("what a step may rely on", () => {
    it("S56 its outcome is journaled once, and a replay returns it without running it", async () => {
      const values: unknown[] = [];
      const flow = defineWorkflow({ name: "once" }, async ({ step, sleep }) => {
        const value = await step.run("a", () => ({ drawn: hits.add("a") }));
        values.push(value);
        await sleep("1m");
        await sleep("1m");
        return value;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await probe.evict();
      await host.advance(60 * SECOND);
      await probe.evict();
      await host.runToEnd();
      expect(hits.at("a")).toEqual([0]);
      expect(values).toEqual([{ drawn: 1 }, { drawn: 1 }, { drawn: 1 }]);
      expect((await probe.facts()).filter(({ type }) => type === "step-completed")).toHaveLength(1);
    });

    it("S56 it runs again where its outcome was not journaled", async () => {
      const flow = defineWorkflow({ name: "again" }, async ({ step }) => {
        return await step.run("a", async ({ attempt }) => {
          hits.add("a");
          if (attempt === 1) await host.delay(30 * SECOND);
          return attempt;
        });
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.advance(2 * SECOND);
      await probe.evict();
      await host.runToEnd();
      expect(hits.count("a")).toBe(2);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 2 });
    });

    it("S57 its keys are equal over attempts and replays", async () => {
      const keys: unknown[] = [];
      const flow = defineWorkflow({ name: "keys" }, async ({ step }) => {
        await step.run({ name: "a", retryPolicy: every("1s", 4) }, async ({ idempotencyKey, key, attempt }) => {
          keys.push([idempotencyKey, key("refund"), key("notify")]);
          if (attempt === 2) await host.delay(30 * SECOND);
          if (attempt < 4) throw new Error("fails");
        });
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      await host.advance(2 * SECOND);
      await probe.evict();
      await host.runToEnd();
      expect(keys).toHaveLength(4);
      for (const one of keys) expect(one).toEqual(keys[0]);
      expect(new Set(keys.flat()).size).toBe(3);
    });

    it("S57 its keys are others for every step of every execution", async () => {
      const keys: string[] = [];
      const flow = defineWorkflow({ name: "keys" }, async ({ step }) => {
        const take = ({ idempotencyKey, key }: StepContext) => void keys.push(idempotencyKey, key("x"));
        await Promise.all([step.run("a", take), step.run("a", take), step.run("b", take)]);
      });
      const other = defineWorkflow({ name: "other-keys" }, async ({ step }) => {
        await step.run("a", ({ idempotencyKey }) => void keys.push(idempotencyKey));
      });
      const host = makeHost({ workflows: [flow, other] });
      await host.start(flow, { id: "k-1" });
      await host.start(flow, { id: "k-2" });
      await host.start(other, { id: "k-1" });
      expect(keys).toHaveLength(13);
      expect(new Set(keys).size).toBe(13);
    });

    it.each([
      ["a function", () => ({ deep: [{ fn: () => 0 }] }), /deep\[0\]\.fn|deep\.0\.fn/],
      ["a symbol", () => ({ deep: Symbol("s") }), /deep/],
      ["a class instance", () => ({ deep: new Money(5) }), /deep/],
      ["a promise", () => ({ deep: Promise.resolve(1) }), /deep/],
    ])("S58 its output is checked inside the attempt: %s ends it at once and names the path", async (_, make, path) => {
      let seen: unknown;
      const flow = defineWorkflow({ name: "checks" }, async ({ step }) => {
        const sibling = step.run("sibling", hits.ok("sibling"));
        seen = await errorOf(
          step.run("x", () => {
            hits.add("x");
            return make();
          }),
        );
        return await sibling;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0]);
      expect(NonRetryableError.is(seen)).toBe(true);
      expect(seen).toMatchObject({ code: "VALUE_NOT_JOURNALABLE", message: path });
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "sibling" });
      const failed = (await probe.facts()).filter(({ type }) => type === "attempt-failed");
      expect(failed).toMatchObject([{ attempt: 1, spent: "terminal", failure: { message: path } }]);
    });

    it("S56 every attempt is told its number of its attempt and how the one before failed", async () => {
      const told: unknown[] = [];
      const flow = defineWorkflow({ name: "told" }, async ({ step }) => {
        await step.run({ name: "x", retryPolicy: every("1s", 3) }, (context) => {
          told.push([context.attempt, context.lastFailure, "lastFailure" in context, Object.isFrozen(context)]);
          if (context.attempt < 3) throw new RangeError(`no ${context.attempt}`, { cause: "why" });
        });
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      await probe.evict();
      await host.runToEnd();
      expect(told).toEqual([
        [1, undefined, false, true],
        [2, { name: "RangeError", message: "no 1" }, true, true],
        [3, { name: "RangeError", message: "no 2" }, true, true],
      ]);
    });

    it("the same name again is another step, numbered in the order of the calls", async () => {
      const flow = defineWorkflow({ name: "loop" }, async ({ step, sleep }) => {
        const values: number[] = [];
        for (let i = 0; i < 3; i += 1) {
          values.push(await step.run("ship", () => hits.add("ship")));
          await sleep("1s");
        }
        return values;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      for (let i = 0; i < 3; i += 1) {
        await probe.evict();
        await host.advance(SECOND);
      }
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [1, 2, 3] });
      const names = (await probe.facts()).flatMap((fact) =>
        fact.type === "attempt-started" && fact.kind === "step" ? [fact.name] : [],
      );
      expect(names).toEqual(["ship", "ship#2", "ship#3"]);
    });

    it("case 108: a step that is not awaited is abandoned at the return, and aborted", async () => {
      let signal: AbortSignal | undefined;
      const flow = defineWorkflow({ name: "background" }, async ({ step }) => {
        void step.run("bg", async (context) => {
          ({ signal } = context);
          await host.delay(5 * SECOND);
          hits.add("late");
          throw new Error("Nobody awaits this.");
        });
        await step.run("a", () => 0);
        void step.run("never", hits.ok("never"));
        return 1;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      const view = await probe.view();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
      expect(view.steps).toMatchObject({ completed: 1, abandoned: 2, running: 0 });
      expect(signal?.aborted).toBe(true);
      const facts = await probe.facts();
      await host.advance(60 * SECOND);
      expect([hits.count("late"), hits.count("never")]).toEqual([1, 0]);
      expect(await probe.facts()).toEqual(facts);
      const abandoned = facts.flatMap((fact) => (fact.type === "abandoned" ? fact.ops.map(({ name }) => name) : []));
      expect(abandoned).toEqual(["bg", "never"]);
    });
  });
}
