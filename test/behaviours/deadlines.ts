import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { CancelledError, exhausted } from "../../src/steps/errors.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;
const signals = { s: staticSchema<string>() };

async function typesOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

export function describeDeadlines(makeHost: MakeHost): void {
  describe("a deadline", () => {
    it("ends the execution as failed with DEADLINE_EXCEEDED when its code lets the cancellation through", async () => {
      const aborted: unknown[] = [];
      const workflow = defineWorkflow({ name: "late", deadline: "10s" }, async ({ step }) => {
        await step.run("x", async ({ signal }) => {
          signal.addEventListener("abort", () => aborted.push(signal.reason));
          await host.delay(60 * SECOND_MS);
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const started = host.now();
      const deadlineAt = started + 10 * SECOND_MS;
      const probe = await host.start(workflow);
      expect(await probe.view()).toMatchObject({ state: "running", deadlineAt });
      await host.advance(10 * SECOND_MS - 1);
      expect(aborted).toEqual([]);
      await host.advance(1);
      expect(aborted.map((reason) => CancelledError.is(reason) && reason.message)).toEqual([
        "The execution did not end before its deadline.",
      ]);
      expect(await probe.outcome()).toEqual({
        kind: "failed",
        declared: false,
        code: "DEADLINE_EXCEEDED",
        message: "The execution did not end before its deadline.",
        details: { deadlineAt },
      });
      expect(await probe.view()).toMatchObject({ endedAt: deadlineAt, reason: { code: "DEADLINE_EXCEEDED" } });
    });

    it("is the next wake of an execution at rest, and rings after the loss of memory", async () => {
      const workflow = defineWorkflow({ name: "rests", signals, deadline: "1h" }, async ({ awaitSignal }) => {
        await awaitSignal("s");
      });
      const host = makeHost({ workflows: [workflow] });
      const deadlineAt = host.now() + 600 * SECOND_MS;
      // What the start says comes before what the workflow says.
      const probe = await host.start(workflow, { deadlineMs: 600 * SECOND_MS });
      expect(await probe.alarm()).toBe(deadlineAt);
      expect(await probe.view()).toMatchObject({ state: "waiting", nextWakeAt: deadlineAt, deadlineAt });
      await probe.evict();
      await host.advance(600 * SECOND_MS);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "DEADLINE_EXCEEDED" });
      expect(await probe.alarm()).toBe(deadlineAt + 7 * 86_400 * SECOND_MS);
    });

    it("lets the code compensate, with retries; what it then does decides the outcome", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow<string>({ name: "undoes", deadline: "10s" }, async ({ input, sleep, step }) => {
        await sleep("1h").catch(async (error: unknown) => {
          await step.run("undo", ({ attempt }) => {
            hits.push(`${input} ${attempt}`);
            if (attempt < 3) throw new Error("not yet");
          });
          await sleep("1m");
          if (input === "rethrows") throw error;
        });
        return "handled";
      });
      const host = makeHost({ workflows: [workflow] });
      const rethrows = await host.start(workflow, { input: "rethrows" });
      const handles = await host.start(workflow, { input: "handles" });
      await host.advance(10 * SECOND_MS);
      await rethrows.evict();
      await handles.evict();
      await host.runToEnd();
      expect(hits.toSorted()).toEqual([1, 2, 3].flatMap((n) => [`handles ${n}`, `rethrows ${n}`]).toSorted());
      expect(await rethrows.outcome()).toMatchObject({ kind: "failed", code: "DEADLINE_EXCEEDED" });
      expect(await handles.outcome()).toEqual({ kind: "completed", value: "handled" });
      expect((await typesOf(handles)).filter((type) => type === "cancel-requested")).toHaveLength(1);
    });

    it("S73 case 26: a retry that could only start after it is not scheduled: the step is spent at once", async () => {
      const hits: number[] = [];
      const caught: unknown[] = [];
      const workflow = defineWorkflow<boolean>({ name: "spent", deadline: "10s" }, async ({ input, step }) => {
        const retryPolicy = { initialInterval: "60s" } as const;
        const failing = step.run({ name: "x", retryPolicy }, ({ attempt }) => {
          hits.push(attempt);
          throw new Error("no");
        });
        if (!input) return await failing;
        return await failing.catch((error: unknown) => {
          caught.push(exhausted(error) && [error.step, error.attempts]);
          return "went on";
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const started = host.now();
      const probe = await host.start(workflow, { input: false });
      expect(await probe.outcome()).toEqual({
        kind: "failed",
        declared: false,
        code: "DEADLINE_EXCEEDED",
        message: "The execution cannot end before its deadline as another attempt of step x could only start after it.",
        details: { deadlineAt: started + 10 * SECOND_MS, step: "x", attempts: 1 },
      });
      expect((await probe.view()).endedAt).toBe(started);
      expect((await probe.facts()).find(({ type }) => type === "attempt-failed")).toMatchObject({ spent: "deadline" });
      const catches = await host.start(workflow, { input: true });
      expect(await catches.outcome()).toEqual({ kind: "completed", value: "went on" });
      expect(caught).toEqual([["x", 1]]);
      await host.advance(120 * SECOND_MS);
      expect(hits).toEqual([1, 1]);
    });

    it("a retry that starts before it is scheduled, to the millisecond", async () => {
      const attempts: Record<string, number> = {};
      const workflow = defineWorkflow<number>({ name: "edge", deadline: "10s" }, async ({ input, step }) => {
        await step.run({ name: "x", retryPolicy: { initialInterval: input } }, ({ attempt }) => {
          attempts[input] = attempt;
          if (attempt === 1) throw new Error("no");
        });
      });
      const host = makeHost({ workflows: [workflow] });
      for (const input of [9_999, 10_000]) await host.start(workflow, { input });
      await host.runToEnd();
      expect(attempts).toEqual({ 9999: 2, 10000: 1 });
    });

    it("case 47: after a late alarm, what was due up to it settles first, and nothing that was due or came later", async () => {
      const seen: string[] = [];
      const workflow = defineWorkflow({ name: "overdue", signals, deadline: "10s" }, async (context) => {
        const { sleep, awaitSignal, step } = context;
        const see = (name: string, open: Promise<unknown>) =>
          open.then(
            () => void seen.push(name),
            (error: unknown) => void seen.push(`${name} ${context.cancelled(error) ? "cancelled" : "failed"}`),
          );
        await Promise.all([
          see("15s", sleep("15s")),
          see("10s", sleep("10s")),
          see("signal", awaitSignal("s", { timeout: "20s" })),
          see("5s", sleep("5s")).then(() =>
            see(
              "step",
              step.run("x", () => void seen.push("hit")),
            ),
          ),
        ]);
        throw new CancelledError("as it was");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.spoilAlarm(host.now() + 3_600 * SECOND_MS);
      await probe.evict();
      await host.advance(3_000 * SECOND_MS);
      // The signal's own request finds everything overdue.
      await probe.signal("s", "too late");
      expect(seen).toEqual(["5s", "10s", "15s cancelled", "signal cancelled", "step cancelled"]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "DEADLINE_EXCEEDED" });
      expect((await probe.view()).unreadSignals).toBe(1);
    });

    it("case 26: no attempt starts after it, though the code cannot be told yet", async () => {
      const hits: number[] = [];
      const workflow = defineWorkflow({ name: "elsewhere", deadline: "10s" }, async ({ step, sleep }) => {
        const failing = step.run({ name: "x", retryPolicy: { initialInterval: "5s" } }, ({ attempt }) => {
          hits.push(attempt);
          throw new Error("no");
        });
        await host.delay(SECOND_MS);
        await sleep("1s");
        await failing;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(3 * SECOND_MS);
      await probe.evict();
      await probe.spoilAlarm(host.now() + 3_600 * SECOND_MS);
      await host.runToEnd();
      expect(hits).toEqual([1]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "DEADLINE_EXCEEDED" });
    });

    it("a cancellation that was asked for before takes its place", async () => {
      const workflow = defineWorkflow({ name: "asked", signals, deadline: "10s" }, async ({ awaitSignal, sleep }) => {
        await awaitSignal("s").catch(async (error: unknown) => {
          await sleep("1h");
          throw error;
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const started = host.now();
      const probe = await host.start(workflow);
      await probe.command("cancel");
      expect(await probe.alarm()).toBe(started + 3_600 * SECOND_MS);
      await host.advance(60 * SECOND_MS);
      expect((await probe.view()).state).toBe("waiting");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
    });

    it("case 62: of a paused execution waits for the resume, and then comes at once", async () => {
      const workflow = defineWorkflow({ name: "paused", deadline: "10s" }, async ({ sleep }) => await sleep("1h"));
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("pause");
      expect(await probe.alarm()).toBeUndefined();
      await host.advance(60 * SECOND_MS);
      expect((await probe.view()).state).toBe("paused");
      await probe.command("resume");
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "DEADLINE_EXCEEDED" });
    });

    it("of code that fails outside its steps is told to one more run, and ends it all the same", async () => {
      const runs: number[] = [];
      const retryPolicy = { initialInterval: "1h", maximumInterval: "1h" } as const;
      const workflow = defineWorkflow({ name: "broken", retryPolicy, deadline: "10s" }, async () => {
        runs.push(host.now());
        throw new TypeError("a bug");
      });
      const host = makeHost({ workflows: [workflow] });
      const started = host.now();
      const probe = await host.start(workflow);
      expect(await probe.alarm()).toBe(started + 10 * SECOND_MS);
      await host.runToEnd();
      expect(runs).toEqual([started, started + 10 * SECOND_MS]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "DEADLINE_EXCEEDED" });
    });

    it("does nothing to an execution that has ended", async () => {
      const workflow = defineWorkflow({ name: "quick", deadline: "10s" }, async () => "done");
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(60 * SECOND_MS);
      await probe.evict();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "done" });
      expect(await typesOf(probe)).toEqual(["started", "completed"]);
    });
  });
}
