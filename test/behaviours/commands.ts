import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Command } from "../../src/execution/wire.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const signals = { s: staticSchema<string>() };

export function describePause(makeHost: MakeHost): void {
  describe("pause and resume", () => {
    it("case 62: time goes on while paused, nothing happens, and what fell due happens at resume", async () => {
      const hits: number[] = [];
      const workflow = defineWorkflow({ name: "paused" }, async ({ sleep, step, now, execution }) => {
        await sleep("10s");
        await step.run("after", () => void hits.push(host.now()));
        return now() - execution.startedAt;
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      await host.advance(4 * SECOND_MS);
      expect(await probe.command("pause")).toBe("done");
      expect(await probe.alarm()).toBeUndefined();
      await probe.evict();
      await host.advance(16 * SECOND_MS);
      await probe.ring();
      expect((await probe.view()).state).toBe("paused");
      expect(hits).toEqual([]);
      expect(await probe.command("resume")).toBe("done");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 20 * SECOND_MS });
      expect(hits).toEqual([start + 20 * SECOND_MS]);
    });

    it.each([false, true])(
      "case 62: retries, timeouts and sleeps that fell due while paused settle in due order (evicted: %s)",
      async (evicts) => {
        const workflow = defineWorkflow(
          { name: "due", signals },
          async ({ sleep, step, awaitSignal, now, execution }) => {
            const order: unknown[] = [];
            const note = (what: string) => () => order.push([what, now() - execution.startedAt]);
            const policy = { initialInterval: "5s" } as const;
            const flaky = step.run({ name: "x", retryPolicy: policy }, ({ attempt }) => {
              if (attempt === 1) throw new Error("no");
            });
            await Promise.all([
              sleep("30s").then(note("sleep")),
              awaitSignal("s", { timeout: "20s" }).then(note("timeout")),
              flaky.then(note("retry")),
              sleep("2m").then(note("later")),
            ]);
            return order;
          },
        );
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        await host.advance(SECOND_MS);
        await probe.command("pause");
        await host.advance(59 * SECOND_MS);
        await probe.signal("s", "too late");
        if (evicts) await probe.evict();
        await probe.command("resume");
        await host.runToEnd();
        const outcome = await probe.outcome();
        expect(outcome).toEqual({ kind: "completed", value: expect.anything() });
        const order = outcome?.kind === "completed" ? (outcome.value as [string, number][]) : [];
        expect(order.filter(([what]) => what !== "retry")).toEqual([
          ["timeout", MINUTE_MS],
          ["sleep", MINUTE_MS],
          ["later", 2 * MINUTE_MS],
        ]);
        expect(order).toContainEqual(["retry", MINUTE_MS]);
      },
    );

    it("an attempt in flight may end while paused, and its outcome is delivered at resume", async () => {
      const seen: string[] = [];
      const workflow = defineWorkflow({ name: "flight" }, async ({ step }) => {
        seen.push(await step.run("a", async () => (await host.delay(5 * SECOND_MS), "a")));
        seen.push(await step.run("b", () => "b"));
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("pause");
      expect((await probe.view()).state).toBe("paused");
      expect(await probe.alarm()).toBeDefined();
      await host.advance(10 * SECOND_MS);
      expect((await probe.facts()).map(({ type }) => type)).toContain("step-completed");
      expect(seen).toEqual([]);
      expect(await probe.alarm()).toBeUndefined();
      await probe.evict();
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(seen).toEqual(["a", "b"]);
    });

    it("signals that come while paused are kept for the resume", async () => {
      const workflow = defineWorkflow(
        { name: "kept", signals },
        async ({ awaitSignal }) => (await awaitSignal("s")).value,
      );
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("pause", "maintenance");
      expect(await probe.signal("s", "x")).toBe("accepted");
      expect(await probe.view()).toMatchObject({
        state: "paused",
        unreadSignals: 1,
        reason: { code: "PAUSED", message: "maintenance" },
      });
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "x" });
    });

    it("S15 a step is never exhausted by paused time alone", async () => {
      const at: number[] = [];
      const workflow = defineWorkflow({ name: "duration" }, async ({ step }) => {
        const retryPolicy = { initialInterval: "10s", backoffCoefficient: 1, maximumDuration: "30s" } as const;
        return await step.run({ name: "x", retryPolicy }, ({ attempt }) => {
          at.push(host.now() - start);
          if (attempt < 3) throw new Error("no");
          return attempt;
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      await host.advance(5 * SECOND_MS);
      await probe.command("pause");
      await host.advance(3_600 * SECOND_MS);
      await probe.evict();
      await probe.command("resume");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 3 });
      expect(at).toEqual([0, 3_605 * SECOND_MS, 3_615 * SECOND_MS]);
    });

    it("a cancel of a paused execution resumes it to compensate", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "compensates", signals }, async ({ awaitSignal, step }) => {
        try {
          await awaitSignal("s");
        } catch (error) {
          await step.run("undo", () => void hits.push("undo"));
          throw error;
        }
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("pause");
      await probe.evict();
      await probe.command("cancel");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect(hits).toEqual(["undo"]);
    });

    it("a cancel of an execution whose runs failed makes one run, which may compensate or fail", async () => {
      const runs: string[] = [];
      const workflow = defineWorkflow<boolean, unknown, typeof signals>(
        { name: "failed", signals, retryPolicy: { maximumAttempts: 1 } },
        async ({ input: waits, awaitSignal, step }) => {
          runs.push("run");
          if (runs.length > 1 && waits)
            await awaitSignal("s").catch(() => step.run("undo", () => void runs.push("undo")));
          throw new Error("bug");
        },
      );
      for (const { waits, expected } of [
        { waits: false, expected: ["run", "run"] },
        { waits: true, expected: ["run", "run", "undo"] },
      ]) {
        runs.length = 0;
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow, { input: waits });
        expect((await probe.view()).state).toBe("paused");
        await probe.command("cancel");
        expect(runs).toEqual(expected);
        const { state } = await probe.view();
        // Once told, the code decides: that its bug is still there is a failed run like any other.
        expect(state).toBe(waits ? "paused" : "cancelled");
      }
    });

    it("S49 case 196: a bug outside every step pauses in the end, is in the view, and corrected code resumes", async () => {
      let isBroken = true;
      const runs: number[] = [];
      const workflow = defineWorkflow({ name: "broken", retryPolicy: { maximumAttempts: 3 } }, async ({ step }) => {
        if (isBroken) {
          runs.push(host.now());
          throw new TypeError("x is not a function");
        }
        return await step.run("a", () => "mended");
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      expect(await probe.view()).toMatchObject({ state: "waiting", nextWakeAt: start + SECOND_MS });
      await host.runToEnd();
      expect(runs).toEqual([start, start + SECOND_MS, start + 3 * SECOND_MS]);
      const { state, reason } = await probe.view();
      expect(state).toBe("paused");
      expect(reason?.code).toBe("RUN_FAILED");
      expect(reason?.message).toContain("x is not a function");
      expect(await probe.alarm()).toBeUndefined();
      isBroken = false;
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "mended" });
    });
  });
}

export function describeCommands(makeHost: MakeHost): void {
  describe("commands", () => {
    it("S49 an execution is running, waiting, paused, and at last completed", async () => {
      const workflow = defineWorkflow({ name: "states" }, async ({ step, sleep }) => {
        await step.run("work", () => host.delay(SECOND_MS));
        await sleep("1m");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const states = [(await probe.view()).state];
      await host.advance(SECOND_MS);
      states.push((await probe.view()).state);
      await probe.command("pause");
      states.push((await probe.view()).state);
      await probe.command("resume");
      states.push((await probe.view()).state);
      await host.runToEnd();
      states.push((await probe.view()).state);
      expect(states).toEqual(["running", "waiting", "paused", "waiting", "completed"]);
    });

    it("terminate ends at once: no code runs, what is in flight is aborted, nothing starts any more", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "killed" }, async ({ step, sleep }) => {
        try {
          const long = step.run("long", async ({ signal }) => {
            signal.addEventListener("abort", () => hits.push("aborted"));
            await host.delay(10 * SECOND_MS);
          });
          const flaky = step.run({ name: "flaky", retryPolicy: { initialInterval: "5s" } }, () => {
            hits.push("flaky");
            throw new Error("no");
          });
          await Promise.all([long, flaky, sleep("1m")]);
        } catch {
          hits.push("caught");
        } finally {
          hits.push("finally");
        }
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.command("terminate", "enough")).toBe("done");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      await host.advance(5 * MINUTE_MS);
      expect(hits).toEqual(["flaky", "aborted"]);
      const [abandoned, cancelled] = (await probe.facts()).slice(-2);
      expect(abandoned).toMatchObject({
        type: "abandoned",
        ops: [{ name: "long" }, { name: "flaky" }, { name: "sleep" }],
      });
      expect(cancelled).toMatchObject({ type: "cancelled", by: "terminated", reason: "enough" });
    });

    it("commands to an execution that has ended are refused, but for a cancel of what was cancelled", async () => {
      const workflow = defineWorkflow<boolean, unknown, typeof signals>({ name: "ended", signals }, async (context) => {
        if (context.input) await context.awaitSignal("s");
      });
      const host = makeHost({ workflows: [workflow] });
      const commands: readonly Command[] = ["cancel", "terminate", "pause", "resume"];
      const completed = await host.start(workflow, { input: false });
      const facts = await completed.facts();
      for (const command of commands) expect(await completed.command(command)).toBe("EXECUTION_ENDED");
      expect(await completed.facts()).toEqual(facts);
      const cancelled = await host.start(workflow, { input: true });
      await cancelled.command("cancel");
      const answers: string[] = [];
      for (const command of commands) answers.push(await cancelled.command(command));
      expect(answers).toEqual(["done", "done", "EXECUTION_ENDED", "EXECUTION_ENDED"]);
    });

    it("a pause or a resume that changes nothing writes nothing", async () => {
      const workflow = defineWorkflow({ name: "again" }, async ({ sleep }) => await sleep("1m"));
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("resume");
      await probe.command("pause");
      await probe.command("pause", "again");
      expect((await probe.facts()).map(({ type }) => type)).toEqual(["started", "timer-set", "paused"]);
    });
  });
}
