import { describe, expect, it } from "vitest";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { afterFork, entryOf, forkOf } from "../support/forking.ts";
import { every, Hits } from "../support/hits.ts";
import type { MakeHost } from "../support/host.ts";

const HOUR_MS = 3_600_000;
const signals = { s: staticSchema<string>() };

/** What of the original is a fact of its fork, too. */
export function describeForkedState(makeHost: MakeHost): void {
  describe("a fork carries", () => {
    it("the signals before the cut, read and unread, and their keys", async () => {
      const workflow = defineWorkflow({ name: "inbox", signals }, async ({ awaitSignal, sleep }) => {
        const first = await awaitSignal("s");
        await sleep("1h");
        const second = await awaitSignal("s");
        return [first.value, second.value];
      });
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      await original.signal("s", "one", "k1");
      await original.signal("s", "two", "k2");
      const fork = await forkOf(original);
      expect(await fork.view()).toMatchObject({ unreadSignals: 1 });
      expect(await fork.signal("s", "again", "k2")).toBe("accepted");
      expect(await fork.view()).toMatchObject({ unreadSignals: 1 });
      const earlier = await forkOf(original, { before: await entryOf(original, "signal-taken") });
      await host.runToEnd();
      await earlier.signal("s", "three");
      for (const probe of [original, fork]) {
        expect(await probe.outcome()).toEqual({ kind: "completed", value: ["one", "two"] });
      }
      expect(await earlier.outcome()).toEqual({ kind: "completed", value: ["one", "three"] });
    });

    it("waits that are open with their due times", async () => {
      const workflow = defineWorkflow({ name: "waits", signals }, async ({ sleep, awaitSignal, now }) => {
        const began = now();
        const waited = awaitSignal("s", { timeout: "2h" });
        await sleep("1h");
        const slept = now() - began;
        return [slept, await waited, now() - began];
      });
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      await host.advance(HOUR_MS / 2);
      const fork = await forkOf(original);
      expect(await fork.alarm()).toBe(host.now() + HOUR_MS / 2);
      await host.runToEnd();
      const late = await forkOf(original, { before: 3 });
      const expected = { kind: "completed", value: [HOUR_MS, { received: false }, 2 * HOUR_MS] };
      expect(await fork.outcome()).toEqual(expected);
      // What is overdue settles at once.
      expect(await late.outcome()).toMatchObject({
        kind: "completed",
        value: [2 * HOUR_MS, { received: false }, 2 * HOUR_MS],
      });
    });

    it("progress, attributes and sides of patches", async () => {
      const workflow = defineWorkflow(
        { name: "notes" },
        async ({ step, setProgress, setAttributes, patched, sleep }) => {
          setAttributes({ stage: "first" });
          setProgress("half");
          const side = patched("new");
          await step.run("a", () => {});
          await sleep("1h");
          return side;
        },
      );
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow, { attributes: { customer: "c-7" } });
      const { attributes, progress } = await original.view();
      expect(attributes).toEqual({ customer: "c-7", stage: "first" });
      const fork = await forkOf(original);
      expect(await fork.view()).toMatchObject({ attributes, progress });
      await host.runToEnd();
      expect(await fork.outcome()).toEqual({ kind: "completed", value: true });
      expect((await afterFork(fork)).map(({ type }) => type)).toEqual(["forked-from", "timer-fired", "completed"]);
    });

    it("a start that is still to come", async () => {
      const workflow = defineWorkflow({ name: "later" }, async ({ now }) => now());
      const host = makeHost({ workflows: [workflow] });
      const startAt = host.now() + HOUR_MS;
      const original = await host.start(workflow, { startAt });
      const fork = await forkOf(original);
      expect(await fork.view()).toMatchObject({ state: "waiting", nextWakeAt: startAt });
      await host.runToEnd();
      expect(await fork.outcome()).toEqual({ kind: "completed", value: startAt });
      await host.advance(HOUR_MS);
      const past = await forkOf(original, { before: 1 });
      expect(await past.outcome()).toEqual({ kind: "completed", value: startAt });
    });

    it("what a step spent of its budget, but neither an attempt that was in flight nor the time since the cut", async () => {
      const workflow = defineWorkflow({ name: "budget" }, async ({ step }: WorkflowContext) => {
        const retryPolicy = { ...every("10s", 3), maximumDuration: 60_000 };
        return await step.run({ name: "a", retryPolicy }, async ({ attempt }) => {
          hits.add("a");
          await host.delay(1_000);
          throw new Error(`attempt ${attempt}`);
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const original = await host.start(workflow);
      await host.advance(11_500);
      expect(hits.count("a")).toBe(2);
      const inFlight = await forkOf(original);
      const waiting = await forkOf(original, { before: 3 });
      await host.runToEnd();
      await host.advance(24 * HOUR_MS);
      const late = await forkOf(original, { before: 4 });
      await host.runToEnd();
      for (const fork of [original, inFlight, waiting, late]) {
        expect(await fork.outcome()).toMatchObject({ code: "STEP_EXHAUSTED", details: { step: "a", attempts: 3 } });
      }
      // One more of the original; the second and third of each fork.
      expect(hits.count("a")).toBe(9);
    });

    it("what the original has used of its own budget: attempts before the cut count", async () => {
      const make = (attempts: number) =>
        defineWorkflow({ name: "spender", budget: { attempts } }, async ({ step }: WorkflowContext) => {
          for (const name of ["a", "b", "c"]) await step.run(name, hits.ok(name));
        });
      const host = makeHost({ workflows: [make(2)] });
      const hits = new Hits(host);
      const original = await host.start(make(2));
      await host.runToEnd();
      const whole = await forkOf(original);
      const early = await forkOf(original, { before: "b" });
      await host.runToEnd();
      for (const paused of [original, whole, early]) {
        expect(await paused.view()).toMatchObject({ state: "paused", reason: { code: "BUDGET_EXCEEDED" } });
      }
      expect([hits.count("a"), hits.count("b"), hits.count("c")]).toEqual([1, 2, 0]);
      await host.deploy({ workflows: [make(3)] });
      const raised = await forkOf(original);
      await host.runToEnd();
      expect(await raised.outcome()).toMatchObject({ kind: "completed" });
      expect((await raised.view()).usage.attempts).toBe(3);
    });

    it("the version that the original runs on, and its retention", async () => {
      const make = (version: string) =>
        defineWorkflow({ name: "versioned", version, retention: "3h" }, async ({ step, sleep }: WorkflowContext) => {
          await step.run("a", () => {});
          await sleep("1h");
          return version;
        });
      const [one, two] = [make("1"), make("2")];
      const host = makeHost({ workflows: [one, two] });
      const original = await host.start(one);
      const fork = await forkOf(original);
      expect(await fork.view()).toMatchObject({ version: "1" });
      await host.runToEnd();
      expect(await fork.outcome()).toEqual({ kind: "completed", value: "1" });
      expect(await fork.alarm()).toBe(host.now() + 3 * HOUR_MS);
      await host.deploy({ workflows: [two] });
      const orphan = await forkOf(original);
      expect(await orphan.view()).toMatchObject({ state: "paused", reason: { code: "VERSION_NOT_DEPLOYED" } });
      await host.deploy({ workflows: [one, two] });
      await orphan.command("resume");
      expect(await orphan.outcome()).toEqual({ kind: "completed", value: "1" });
    });

    it("large values, which outlive the original", async () => {
      const text = "é\u0000🦁".repeat(200_000);
      const workflow = defineWorkflow(
        { name: "large" },
        async ({ input, step, sleep }: WorkflowContext & { input: unknown }) => {
          const value = await step.run("large", () => text);
          await sleep("9d");
          return [input === text, value === text];
        },
      );
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow, { input: text });
      const fork = await forkOf(original);
      await original.command("terminate");
      await host.advance(8 * 24 * HOUR_MS);
      await expect(original.view()).rejects.toThrow("There is no execution");
      await host.runToEnd();
      expect(await fork.outcome()).toEqual({ kind: "completed", value: [true, true] });
    });

    it("a cancellation that the code was told of, as a part of what it has seen", async () => {
      const workflow = defineWorkflow({ name: "told" }, async ({ step, sleep }: WorkflowContext) => {
        try {
          await sleep("9d");
        } catch (error) {
          await step.run("compensate", hits.ok("compensate"));
          throw error;
        }
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const original = await host.start(workflow);
      await original.command("cancel", "not wanted");
      const fork = await forkOf(original, { before: "compensate" });
      expect(await fork.outcome()).toEqual({ kind: "cancelled" });
      expect(hits.count("compensate")).toBe(2);
    });
  });
}
