import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const signals = { go: staticSchema<number>() };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function describeDeterministicContext(makeHost: MakeHost): void {
  describe("now, random and uuid", () => {
    it("case 83: two draws differ from each other and each is the same on every replay", async () => {
      const passes: (readonly [string, string, number, number])[] = [];
      const workflow = defineWorkflow({ name: "draws", signals }, async ({ uuid, random, awaitSignal }) => {
        const draws = [uuid(), uuid(), random(), random()] as const;
        passes.push(draws);
        await awaitSignal("go");
        return draws;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.ring();
      await probe.evict();
      await probe.signal("go", 1);
      expect((await probe.outcome())?.kind).toBe("completed");
      expect(passes).toHaveLength(3);
      const [[first, second, one, other] = ["", "", 0, 0]] = passes;
      expect(passes).toEqual([passes[0], passes[0], passes[0]]);
      expect(first).toMatch(UUID);
      expect(second).toMatch(UUID);
      expect(first).not.toBe(second);
      expect(one).not.toBe(other);
      for (const unit of [one, other]) {
        expect(unit).toBeGreaterThanOrEqual(0);
        expect(unit).toBeLessThan(1);
      }
    });

    it("draws differ between two executions of one workflow", async () => {
      const workflow = defineWorkflow({ name: "draws" }, async ({ uuid, random }) => `${uuid()} ${random()}`);
      const host = makeHost({ workflows: [workflow] });
      const outcomes = [await host.start(workflow), await host.start(workflow)].map((probe) => probe.outcome());
      const [a, b] = await Promise.all(outcomes);
      expect(a?.kind).toBe("completed");
      expect(a).not.toEqual(b);
    });

    it("now is the time of what the code has just seen, on replay too, and stands still between two deliveries", async () => {
      const passes: number[][] = [];
      const workflow = defineWorkflow(
        { name: "clock", signals },
        async ({ now, sleep, step, awaitSignal, execution }) => {
          const times = [now() - execution.startedAt];
          await step.run("work", () => host.delay(1_500));
          times.push(now() - execution.startedAt);
          await sleep("10s");
          times.push(now() - execution.startedAt, now() - execution.startedAt);
          await awaitSignal("go");
          passes.push(times);
          return times;
        },
      );
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(20 * SECOND_MS);
      await probe.evict();
      await host.advance(60 * SECOND_MS);
      await probe.signal("go", 1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [0, 1_500, 11_500, 11_500] });
      expect(passes).toEqual([[0, 1_500, 11_500, 11_500]]);
    });

    it("now, random, uuid and setProgress throw in a step, which has a clock of its own", async () => {
      const workflow = defineWorkflow({ name: "inside" }, async (context) => {
        const { step, now, random, uuid, setProgress } = context;
        const tried = [now, random, uuid, () => setProgress(1)] as const;
        return await step.run("try", () =>
          tried.map((call) => {
            try {
              return call();
            } catch (error) {
              return error instanceof TypeError ? "refused" : error;
            }
          }),
        );
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["refused", "refused", "refused", "refused"] });
    });

    it("nothing is written for a draw or a look at the clock", async () => {
      const workflow = defineWorkflow({ name: "free" }, async ({ now, random, uuid }) => {
        for (let i = 0; i < 100; i += 1) [now(), random(), uuid()].at(0);
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect((await probe.facts()).map(({ type }) => type)).toEqual(["started", "completed"]);
    });
  });
}

export function describeForeignAwaits(makeHost: MakeHost): void {
  describe("code that waits for something that is no operation", () => {
    it("goes on when it comes back within ten seconds, also on replay", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "foreign", signals }, async ({ step, awaitSignal }) => {
        await host.delay(3 * SECOND_MS);
        await step.run("a", () => void hits.push("a"));
        await host.delay(3 * SECOND_MS);
        await awaitSignal("go");
        await host.delay(9 * SECOND_MS);
        return "over";
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(10 * SECOND_MS);
      await probe.evict();
      await probe.signal("go", 1);
      await host.advance(20 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "over" });
      expect(hits).toEqual(["a"]);
      expect((await probe.facts()).filter(({ type }) => type === "run-failed")).toEqual([]);
    });

    it("is a failed run, STALLED, where nothing is open for ten seconds; corrected code goes on", async () => {
      let isStuck = true;
      const hits: string[] = [];
      const workflow = defineWorkflow(
        { name: "stalled", retryPolicy: { maximumAttempts: 2, initialInterval: "5s" } },
        async ({ step }) => {
          await step.run("a", () => void hits.push("a"));
          if (isStuck) await new Promise(() => {});
          return await step.run("b", () => hits.push("b"));
        },
      );
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      await host.advance(10 * SECOND_MS - 1);
      expect((await probe.view()).state).toBe("running");
      await host.advance(1);
      expect((await probe.facts()).at(-1)).toMatchObject({
        type: "run-failed",
        attempt: 1,
        code: "STALLED",
        retryAt: start + 15_000,
      });
      await host.advance(5 * SECOND_MS);
      await host.advance(10 * SECOND_MS);
      const view = await probe.view();
      expect(view.state).toBe("paused");
      expect(view.reason?.code).toBe("STALLED");
      isStuck = false;
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 2 });
      expect(hits).toEqual(["a", "b"]);
    });

    it("does not stall while an operation is open", async () => {
      const workflow = defineWorkflow({ name: "patient", signals }, async ({ awaitSignal }) => {
        const go = awaitSignal("go");
        await new Promise<void>((resolve) => void go.then(() => resolve()));
        return "over";
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(3_600 * SECOND_MS);
      await probe.evict();
      await host.advance(3_600 * SECOND_MS);
      expect((await probe.view()).state).toBe("waiting");
      await probe.signal("go", 1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "over" });
    });
  });
}

export function describeReplayedErrors(makeHost: MakeHost): void {
  describe("errors on replay", () => {
    it("case 72: S41 S45 what the code sees of an error is the same live and on replay", async () => {
      const passes: unknown[] = [];
      class Refused extends Error {
        override readonly name = "Refused";
        readonly code = 7;
      }
      const errors = { GONE: staticSchema<{ readonly sku: string }>() };
      const workflow = defineWorkflow({ name: "errors", signals, errors }, async (context) => {
        const { step, awaitSignal, exhausted, cancelled } = context;
        const seen: unknown[] = [];
        const throwing = async (name: string, make: () => unknown) => {
          try {
            await step.run({ name, retryPolicy: { maximumAttempts: 1 } }, () => {
              throw make();
            });
          } catch (error) {
            if (!(error instanceof Error)) throw error;
            const { cause } = error;
            const inner = cause instanceof Error ? cause : undefined;
            const deepest = inner?.cause instanceof Error ? inner.cause : undefined;
            seen.push([error.name, error.message, exhausted(error), cancelled(error), context.errors.GONE.is(error)]);
            seen.push([
              inner?.name,
              inner?.message,
              inner && "code" in inner && inner.code,
              deepest instanceof TypeError,
            ]);
            seen.push(context.errors.GONE.is(error) && error.details);
          }
        };
        await throwing("plain", () => new Refused("no", { cause: new TypeError("inner") }));
        await throwing("declared", () => context.errors.GONE({ sku: "a" }, "gone"));
        passes.push(seen);
        await awaitSignal("go");
        return seen;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.signal("go", 1);
      expect((await probe.outcome())?.kind).toBe("completed");
      const expected = [
        ["StepExhausted", "Workflow Step plain exhausted its retries.", true, false, false],
        ["Refused", "no", 7, true],
        false,
        ["DeclaredError", "gone", false, false, true],
        [undefined, undefined, undefined, false],
        { sku: "a" },
      ];
      expect(passes).toEqual([expected, expected]);
    });

    it("case 73: a stack that the code hands on is the same live and on replay", async () => {
      const stacks: unknown[] = [];
      const workflow = defineWorkflow({ name: "stacks", signals }, async ({ step, awaitSignal }) => {
        const failed = step.run({ name: "a", retryPolicy: { maximumAttempts: 1 } }, () =>
          Promise.reject(new Error("no")),
        );
        const stack = await failed.catch((error: unknown) => (error instanceof Error ? error.stack : undefined));
        stacks.push(stack);
        await step.run("b", () => stack);
        await awaitSignal("go");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.signal("go", 1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(stacks).toHaveLength(2);
      expect(stacks[1]).toBe(stacks[0]);
    });

    it("a rejection that nobody awaits ends nothing", async () => {
      const workflow = defineWorkflow({ name: "unheard" }, async ({ step, sleep }) => {
        const once = { maximumAttempts: 1 };
        void step.run({ name: "a", retryPolicy: once }, () => Promise.reject(new Error("unheard")));
        const late = step.run({ name: "b", retryPolicy: once }, () => Promise.reject(new Error("late")));
        void sleep(Number.NaN);
        await sleep("1m");
        return await late.catch(() => "caught late");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "caught late" });
    });
  });
}
