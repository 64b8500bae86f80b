import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const signals = { go: staticSchema<number>() };

export function describeSteps(makeHost: MakeHost): void {
  describe("what a step may rely on", () => {
    it("S56 once its outcome is journaled a step never runs again, whatever is lost afterwards", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "once", signals }, async ({ step, sleep, awaitSignal }) => {
        const a = await step.run("a", () => hits.push("a"));
        await sleep("10s");
        const b = await step.run("b", () => hits.push("b"));
        await awaitSignal("go");
        return [a, b, await step.run("c", () => hits.push("c"))];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      for (let i = 0; i < 3; i += 1) {
        await probe.evict();
        await probe.ring();
        await host.advance(5 * SECOND_MS);
      }
      await probe.evict();
      await probe.signal("go", 1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [1, 2, 3] });
      expect(hits).toEqual(["a", "b", "c"]);
    });

    it("S56 a step whose object is lost before its outcome was journaled runs again, as a further attempt", async () => {
      const attempts: number[] = [];
      const workflow = defineWorkflow({ name: "lost" }, async ({ step }) => {
        return await step.run("a", async ({ attempt, lastFailure }) => {
          attempts.push(attempt);
          await host.delay(5 * SECOND_MS);
          return lastFailure?.name;
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(SECOND_MS / 2);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "StepInterrupted" });
      expect(attempts).toEqual([1, 2]);
    });

    it("S57 its keys are equal over attempts and replays, and differ between steps, labels and executions", async () => {
      const keys: Record<string, Set<string>> = {};
      const workflow = defineWorkflow({ name: "keys", signals }, async ({ step, awaitSignal, execution }) => {
        for (const name of ["ship", "ship", "bill"]) {
          const retryPolicy = { initialInterval: "10s", maximumAttempts: 3 } as const;
          await step.run({ name, retryPolicy }, ({ attempt, idempotencyKey, key }) => {
            const of = `${execution.id} ${name} ${name === "ship" && hits++ >= 3 ? "second" : "first"}`;
            (keys[of] ??= new Set()).add(`${idempotencyKey} ${key("refund")} ${key("mail")}`);
            if (attempt < 3) throw new Error("no");
          });
        }
        await awaitSignal("go");
      });
      let hits = 0;
      const host = makeHost({ workflows: [workflow] });
      for (const id of ["one", "two"]) {
        hits = 0;
        const probe = await host.start(workflow, { id });
        for (let i = 0; i < 10; i += 1) {
          await probe.evict();
          await host.advance(10 * SECOND_MS);
        }
      }
      const texts = Object.values(keys).map((set) => [...set]);
      expect(texts).toHaveLength(6);
      expect(texts.every((equal) => equal.length === 1)).toBe(true);
      const all = texts.flat().flatMap((text) => text.split(" "));
      expect(new Set(all).size).toBe(18);
    });

    it("S58 a value that cannot be journaled is found inside the attempt, and spends no other step's budget", async () => {
      const workflow = defineWorkflow({ name: "checked" }, async ({ step }) => {
        const bad = await step.run("bad", () => Symbol("x")).catch((error: unknown) => String(error));
        return [bad, await step.run("good", () => "good")];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [expect.stringContaining("symbol"), "good"] });
      const failed = (await probe.facts()).filter(({ type }) => type === "attempt-failed");
      expect(failed).toEqual([expect.objectContaining({ attempt: 1, spent: "terminal" })]);
    });

    it("S72 lost objects and sleeps between failures change neither budget nor backoff", async () => {
      const times = async (isDisturbed: boolean) => {
        const at: number[] = [];
        const workflow = defineWorkflow({ name: "steady" }, async ({ step, sleep }) => {
          const policy = { initialInterval: "10s", maximumAttempts: 4 } as const;
          const flaky = step.run({ name: "x", retryPolicy: policy }, () => {
            at.push(host.now() - start);
            throw new Error("no");
          });
          const naps = async () => {
            for (let i = 0; i < 20; i += 1) await sleep("3s");
          };
          await Promise.allSettled(isDisturbed ? [flaky, naps()] : [flaky]);
          return at.length;
        });
        const host = makeHost({ workflows: [workflow] });
        const start = host.now();
        const probe = await host.start(workflow);
        for (let i = 0; i < 30; i += 1) {
          if (isDisturbed) await probe.evict();
          await host.advance(3 * SECOND_MS);
        }
        expect(await probe.outcome()).toEqual({ kind: "completed", value: 4 });
        return at;
      };
      const undisturbed = await times(false);
      expect(undisturbed).toEqual([0, 10, 30, 70].map((s) => s * SECOND_MS));
      expect(await times(true)).toEqual(undisturbed);
    });

    it("S51 options that do not exist are refused", () => {
      const run = async () => {};
      // The casts: what a caller without types may pass.
      expect(() => defineWorkflow({ name: "typo", retryPolcy: {} } as { name: string }, run)).toThrow(TypeError);
      expect(() => defineWorkflow({ name: "typo", retryPolcy: {} } as { name: string }, run)).toThrow("retryPolcy");
      expect(() => defineWorkflow({ name: "Not Kebab" }, run)).toThrow("name");
    });

    it("a start that is repeated finds the execution, and another input does not change it", async () => {
      const workflow = defineWorkflow<string, string>({ name: "same" }, async ({ input, sleep }) => {
        await sleep("1m");
        return input;
      });
      const host = makeHost({ workflows: [workflow] });
      const first = await host.start(workflow, { id: "a", input: "one" });
      const facts = await first.facts();
      const again = await host.start(workflow, { id: "a", input: "one" });
      await host.start(workflow, { id: "a", input: "two" }).catch(() => {});
      expect(await again.facts()).toEqual(facts);
      await host.runToEnd();
      expect(await first.outcome()).toEqual({ kind: "completed", value: "one" });
    });

    it("S74 the same start twice at once gives one execution", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "both" }, async ({ step }) => {
        return await step.run("a", async () => {
          hits.push("a");
          await host.delay(SECOND_MS);
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const [one, two] = await Promise.all([host.start(workflow, { id: "a" }), host.start(workflow, { id: "a" })]);
      await host.advance(SECOND_MS);
      expect(await one.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(await two.facts()).toEqual(await one.facts());
      expect(hits).toEqual(["a"]);
    });
  });
}
