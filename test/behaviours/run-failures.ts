import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";
import { every, Hits } from "../support/hits.ts";

const SECOND = 1_000;

export function describeRunFailures(makeHost: MakeHost): void {
  describe("failures of runs", () => {
    it("S47 a run that fails outside every step is attempted 20 times with the policy's intervals, then pauses", async () => {
      const flow = defineWorkflow({ name: "buggy" }, async () => {
        hits.add("run");
        throw new TypeError("undefined is not a function");
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(await probe.alarm()).toBe(host.now() + SECOND);
      await host.runToEnd();
      expect(hits.gaps("run")).toEqual(
        [1, 2, 4, 8, 16, 32, ...Array.from({ length: 13 }, () => 60)].map((s) => s * SECOND),
      );
      const { state, reason, outcome } = await probe.view();
      expect([state, reason?.code, outcome]).toEqual(["paused", "RUN_FAILED", undefined]);
      expect(reason?.message).toMatch(/undefined is not a function.*NonRetryableError.*errors/s);
      expect(await probe.alarm()).toBeUndefined();
      await host.advance(3_600 * SECOND);
      expect(hits.count("run")).toBe(20);
    });

    it("S47 a run takes its intervals and its attempts from the workflow's policy", async () => {
      const retryPolicy = { initialInterval: "3s", backoffCoefficient: 3, maximumAttempts: 3 } as const;
      const flow = defineWorkflow({ name: "buggy", retryPolicy }, async () => {
        hits.add("run");
        throw new Error("bug");
      });
      const host = makeHost({ workflows: [flow], retryPolicy: { maximumAttempts: 9 } });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.at("run")).toEqual([0, 3, 12].map((s) => s * SECOND));
      expect((await probe.view()).state).toBe("paused");
    });

    it("S18 S47 neither a maximumDuration nor names of errors bound the attempts of a run", async () => {
      const retryPolicy = { maximumDuration: "5s", nonRetryableErrors: ["TypeError"] } as const;
      const flow = defineWorkflow({ name: "buggy" }, async () => {
        hits.add("run");
        throw new TypeError("bug");
      });
      const host = makeHost({ workflows: [flow], retryPolicy });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.count("run")).toBe(20);
      expect((await probe.view()).state).toBe("paused");
    });

    it("S47 a run that is attempted again repeats no completed step", async () => {
      const flow = defineWorkflow({ name: "once-buggy" }, async ({ step }) => {
        const value = await step.run("a", hits.ok("a"));
        if (hits.add("run") < 3) throw new Error("bug");
        return [value, await step.run("b", hits.ok("b"))];
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(await probe.view()).toMatchObject({
        waitingFor: [{ kind: "run", until: host.now() + SECOND, because: "failure of run 1 (Error)" }],
        reason: { code: "RUN_FAILED", message: "Run 1 failed outside every step (Error: bug). It is tried again." },
      });
      await host.runToEnd();
      expect([hits.at("a"), hits.at("run"), hits.at("b")]).toEqual([[0], [0, 1000, 3000], [3000]]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["a", "b"] });
    });

    it("S47 resume goes on from the pause on corrected code, with a whole budget", async () => {
      let bug = true;
      const flow = defineWorkflow({ name: "corrected", retryPolicy: every("1s", 2) }, async ({ step }) => {
        const value = await step.run("a", hits.ok("a"));
        hits.add("run");
        if (bug) throw new Error("bug");
        return value;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect((await probe.view()).state).toBe("paused");
      await probe.command("resume");
      await host.runToEnd();
      expect([hits.count("run"), (await probe.view()).state]).toEqual([4, "paused"]);
      bug = false;
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "a" });
      expect(hits.count("a")).toBe(1);
    });

    it("S47 cancel leaves the pause and ends the execution, although its code is still wrong", async () => {
      const flow = defineWorkflow({ name: "wrong", retryPolicy: every("1s", 2) }, async () => {
        hits.add("run");
        throw new Error("bug");
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      await probe.command("cancel");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect(hits.count("run")).toBe(3);
    });

    it("S21 S48 retries of steps, sleeps, wake-ups and lost objects spend no run attempt and no step budget", async () => {
      const options = { name: "busy", retryPolicy: every("1s", 2), signals: { go: staticSchema<number>() } };
      const flow = defineWorkflow(options, async ({ step, sleep, awaitSignal }) => {
        for (let i = 0; i < 5; i += 1) {
          await step.run("flaky", ({ attempt }) => {
            hits.add("flaky");
            if (attempt === 1) throw new Error("fails");
          });
          await sleep("1s");
          await awaitSignal("go");
        }
        // Two attempts for each run: had any been spent, this one would pause the execution.
        if (hits.add("bug") === 1) throw new Error("bug");
        return "done";
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      for (let i = 0; i < 5; i += 1) {
        await probe.evict();
        await host.advance(SECOND);
        await probe.evict();
        await host.advance(SECOND);
        await probe.ring();
        await probe.signal("go", i);
        await probe.evict();
      }
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "done" });
      expect(hits.count("flaky")).toBe(10);
      expect(hits.count("bug")).toBe(2);
    });

    it("S21 a failing run leaves the budget of a step in flight alone, and adopts its attempt", async () => {
      const flow = defineWorkflow({ name: "adopts" }, async ({ step }) => {
        const slow = step.run({ name: "slow", retryPolicy: { maximumAttempts: 1 } }, async () => {
          hits.add("slow");
          await host.delay(5 * SECOND);
          return "slow";
        });
        await step.run("fast", hits.ok("fast"));
        if (hits.add("run") === 1) throw new Error("bug");
        return await slow;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect([hits.at("slow"), hits.at("run")]).toEqual([[0], [0, 1000]]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "slow" });
    });

    it("S48 a step that is spent uncaught fails the execution and is no failure of the run", async () => {
      const flow = defineWorkflow({ name: "spent" }, async ({ step }) => {
        hits.add("run");
        await step.run({ name: "x", retryPolicy: { maximumAttempts: 1 } }, hits.failing("x"));
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "STEP_EXHAUSTED" });
      expect(hits.count("run")).toBe(1);
    });
  });
}
