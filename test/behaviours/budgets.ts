import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;

export function describeBudgets(makeHost: MakeHost): void {
  describe("budgets", () => {
    const reasonOf = async (probe: Probe) => {
      const { state, reason } = await probe.view();
      return [state, reason?.code, reason?.message.split(". Deploy")[0]];
    };
    const OVER = ["paused", "BUDGET_EXCEEDED", expect.any(String) as unknown];

    /** `steps` steps, each of which fails `fails` times, one after the other. */
    const chain = (budget: { attempts?: number; rowsWritten?: number; bytes?: number } | undefined, fails = 0) =>
      defineWorkflow<number, number>({ name: "chain", ...(budget && { budget }) }, async ({ input, step }) => {
        let sum = 0;
        for (let index = 0; index < input; index += 1) {
          sum += await step.run({ name: `s${index}`, retryPolicy: { initialInterval: "1s" } }, ({ attempt }) => {
            if (attempt <= fails) throw new Error("not yet");
            return 1;
          });
        }
        return sum;
      });

    it("of attempts is kept to the last one, and the next one pauses the execution", async () => {
      const workflow = chain({ attempts: 4 }, 1);
      const host = makeHost({ workflows: [workflow] });
      const within = await host.start(workflow, { input: 2 });
      await host.runToEnd();
      expect(await within.outcome()).toEqual({ kind: "completed", value: 2 });
      expect((await within.view()).usage).toMatchObject({ attempts: 4 });
      const beyond = await host.start(workflow, { input: 3 });
      await host.runToEnd();
      expect(await reasonOf(beyond)).toEqual([
        "paused",
        "BUDGET_EXCEEDED",
        "Another attempt is due, of step s2. The execution has used 4 of its budget of 4 attempts",
      ]);
      expect((await beyond.view()).usage.attempts).toBe(4);
      expect(await beyond.alarm()).toBeUndefined();
    });

    it.each([false, true])("stops a retry when it is due, not before (evicted: %s)", async (evicts) => {
      const workflow = chain({ attempts: 2 }, 9);
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow, { input: 1 });
      await host.advance(SECOND_MS);
      expect((await probe.view()).waitingFor).toMatchObject([{ kind: "retry" }]);
      if (evicts) await probe.evict();
      await host.advance(2 * SECOND_MS);
      expect(await reasonOf(probe)).toEqual(OVER);
    });

    it("lets what has its place run, of many that are asked for at once", async () => {
      const runs: string[] = [];
      const fan = defineWorkflow({ name: "fan", budget: { attempts: 2 } }, async ({ step }) => {
        const steps = ["a", "b", "c"].map((name) =>
          step.run(name, async () => {
            await host.delay(SECOND_MS);
            runs.push(name);
          }),
        );
        await Promise.all(steps);
      });
      const host = makeHost({ workflows: [fan] });
      const probe = await host.start(fan);
      await host.advance(5 * SECOND_MS);
      expect(runs).toEqual(["a", "b"]);
      expect(await reasonOf(probe)).toEqual(OVER);
      expect((await probe.view()).steps).toMatchObject({ completed: 2, running: 1 });
      await probe.command("resume");
      expect(await reasonOf(probe)).toEqual(OVER);
      expect(runs).toEqual(["a", "b"]);
    });

    it.each(["rowsWritten", "bytes"] as const)(
      "of %s pauses beyond it, not at it, and says how much",
      async (field) => {
        const workflow = chain(undefined);
        const measure = makeHost({ workflows: [workflow] });
        const measured = await measure.start(workflow, { input: 9 });
        await measure.runToEnd();
        const used = (await measured.view()).usage[field];
        const host = makeHost({ workflows: [workflow] });
        const exact = await host.start(workflow, { input: 9, budget: { [field]: used } });
        // Its own first entry is longer by the budget, and the end is no reason to pause any more.
        const roomy = await host.start(workflow, { input: 9, budget: { [field]: used + 100 } });
        const tight = await host.start(workflow, { input: 9, budget: { [field]: Math.ceil(used / 2) } });
        await host.runToEnd();
        for (const probe of [exact, roomy]) expect(await probe.outcome()).toEqual({ kind: "completed", value: 9 });
        const [state, code, message] = await reasonOf(tight);
        expect([state, code]).toEqual(["paused", "BUDGET_EXCEEDED"]);
        const [, now, budget] = /has used (\d+) of its budget of (\d+)/.exec(message ?? "") ?? [];
        expect(Number(budget)).toBe(Math.ceil(used / 2));
        expect(Number(now)).toBeGreaterThan(Number(budget));
        expect((await tight.view()).usage[field]).toBeGreaterThanOrEqual(Number(now));
      },
    );

    it("counts large values with the bytes and the rows", async () => {
      const large = defineWorkflow({ name: "large", budget: { bytes: 1_000_000 } }, async ({ step, sleep }) => {
        for (let index = 0; index < 20; index += 1) await step.run("large", () => "x".repeat(100_000));
        await sleep("1h");
      });
      const host = makeHost({ workflows: [large] });
      const probe = await host.start(large);
      const { state, usage, steps } = await probe.view();
      expect([state, steps.completed]).toEqual(["paused", 10]);
      expect(usage.bytes).toBeGreaterThan(1_000_000);
      expect(usage.bytes).toBeLessThan(1_200_000);
      await probe.evict();
      expect((await probe.view()).usage).toEqual(usage);
    });

    it("resumed on the same code it pauses again; on a higher budget of the code it goes on", async () => {
      const host = makeHost({ workflows: [chain({ attempts: 2 })] });
      const probe = await host.start(chain({ attempts: 2 }), { input: 5 });
      expect(await reasonOf(probe)).toEqual(OVER);
      await probe.command("resume");
      expect(await reasonOf(probe)).toEqual(OVER);
      // A code without a budget, or with a lower one, raises nothing.
      for (const budget of [undefined, { attempts: 1 }, { bytes: 9 }]) {
        await host.deploy({ workflows: [chain(budget)] });
        await probe.command("resume");
        expect((await reasonOf(probe))[0]).toBe("paused");
      }
      await host.deploy({ workflows: [chain({ attempts: 5 })] });
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 5 });
      expect((await probe.facts())[0]).toMatchObject({ type: "started", budget: { attempts: 2 } });
    });

    it("of a start comes before that of the workflow", async () => {
      const workflow = chain({ attempts: 2 });
      const host = makeHost({ workflows: [workflow] });
      const more = await host.start(workflow, { input: 5, budget: { attempts: 5 } });
      expect((await more.outcome())?.kind).toBe("completed");
      const less = await host.start(workflow, { input: 2, budget: { attempts: 1 } });
      expect(await reasonOf(less)).toEqual(OVER);
      await less.command("resume");
      expect(await reasonOf(less)).toEqual(OVER);
      // It is the workflow's that a deploy can raise.
      await host.deploy({ workflows: [chain({ attempts: 3 })] });
      await less.command("resume");
      expect(await less.outcome()).toEqual({ kind: "completed", value: 2 });
    });

    it.each([false, true])(
      "a cancel lifts it, so that the code can compensate and roll back (evicted: %s)",
      async (evicts) => {
        const undone: string[] = [];
        const saga = defineWorkflow({ name: "saga", budget: { attempts: 1 } }, async ({ step }) => {
          try {
            await step.run(
              "book",
              () => 1,
              () => void undone.push("book"),
            );
            await step.run("pay", () => 2);
          } catch (error) {
            await step.run("apologise", () => undone.push("apologised"));
            throw error;
          }
        });
        const host = makeHost({ workflows: [saga] });
        const probe = await host.start(saga);
        expect(await reasonOf(probe)).toEqual(OVER);
        if (evicts) await probe.evict();
        await probe.command("cancel");
        expect(await probe.outcome()).toEqual({ kind: "cancelled" });
        expect(undone).toEqual(["apologised", "book"]);
        expect((await probe.view()).usage.attempts).toBe(3);
      },
    );

    it("a signal to one that is paused for it is kept, and what fell due is told after the resume", async () => {
      const signals = {
        go: { "~standard": { version: 1, vendor: "t", validate: (value: unknown) => ({ value }) } },
      } as const;
      const waits = (attempts: number) =>
        defineWorkflow({ name: "waits", signals, budget: { attempts } }, async ({ step, awaitSignal, sleep }) => {
          const order: string[] = [];
          const slept = sleep("5s").then(() => order.push("slept"));
          await step.run("one", () => 1);
          await step.run("two", () => 2);
          await Promise.all([slept, awaitSignal("go").then(() => order.push("signal"))]);
          return order;
        });
      const host = makeHost({ workflows: [waits(1)] });
      const probe = await host.start(waits(1));
      await host.advance(10 * SECOND_MS);
      expect(await probe.signal("go", 1)).toBe("accepted");
      expect((await reasonOf(probe))[0]).toBe("paused");
      await host.deploy({ workflows: [waits(2)] });
      await probe.command("resume");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["slept", "signal"] });
    });
  });
}
