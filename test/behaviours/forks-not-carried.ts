import { describe, expect, it } from "vitest";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { CancelledError, NonRetryableError } from "../../src/steps/errors.ts";
import { entryOf, forkOf } from "../support/forking.ts";
import { every, Hits } from "../support/hits.ts";
import type { MakeHost } from "../support/host.ts";

const HOUR_MS = 3_600_000;

/** What was done to the original, or happened to its object, is no fact of its fork. */
export function describeOriginalAlone(makeHost: MakeHost): void {
  describe("a fork does not carry", () => {
    it("a pause, by hand or by a fault, nor run failures", async () => {
      const workflow = defineWorkflow({ name: "pauses", retryPolicy: every("1s", 2) }, async ({ step, sleep }) => {
        await step.run("a", () => {});
        await sleep("1m");
        if (isBroken) throw new TypeError("broken");
        return "done";
      });
      let isBroken = true;
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      await original.command("pause");
      const byHand = await forkOf(original);
      expect(await original.view()).toMatchObject({ state: "paused" });
      expect(await byHand.view()).toMatchObject({ state: "waiting" });
      await original.command("resume");
      await host.advance(61_000);
      expect(await original.view()).toMatchObject({ state: "paused", reason: { code: "RUN_FAILED" } });
      isBroken = false;
      const byFault = await forkOf(original);
      const failedOnce = await forkOf(original, { before: (await entryOf(original, "run-failed")) + 1 });
      for (const fork of [byFault, failedOnce])
        expect(await fork.outcome()).toEqual({ kind: "completed", value: "done" });
      expect(await original.view()).toMatchObject({ state: "paused" });
    });

    it("a cancellation that the code was not told of", async () => {
      const workflow = defineWorkflow({ name: "untold" }, async ({ step, sleep }: WorkflowContext) => {
        await step.run("a", hits.ok("a"));
        await sleep("1h");
        return await step.run("b", hits.ok("b"));
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const original = await host.start(workflow);
      await original.command("cancel");
      expect(await original.outcome()).toEqual({ kind: "cancelled" });
      const fork = await forkOf(original, { before: await entryOf(original, "cancel-delivered") });
      expect(await fork.view()).not.toHaveProperty("cancelRequestedAt");
      const beforeStep = await forkOf(original, { before: "a" });
      const terminated = await host.start(workflow);
      await terminated.command("terminate");
      const revived = await forkOf(terminated);
      const unstarted = await host.start(workflow, { startAt: host.now() + HOUR_MS });
      await unstarted.command("cancel");
      const started = await forkOf(unstarted);
      await host.runToEnd();
      for (const probe of [fork, beforeStep, revived, started]) {
        expect(await probe.outcome()).toEqual({ kind: "completed", value: "b" });
        // It can be cancelled as any other.
        expect(await probe.command("cancel")).toBe("EXECUTION_ENDED");
      }
    });

    it("a deadline as a moment: it counts from the fork, unless the code was told that it passed", async () => {
      const workflow = defineWorkflow(
        { name: "deadline", deadline: "2h" },
        async ({ sleep, step }: WorkflowContext) => {
          try {
            await sleep("1h");
            await step.run("a", () => {});
            await sleep("3h");
          } catch (error) {
            if (CancelledError.is(error)) await step.run("late", hits.ok("late"));
            throw error;
          }
        },
      );
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const startedAt = host.now();
      const original = await host.start(workflow);
      await host.runToEnd();
      expect(await original.outcome()).toMatchObject({ code: "DEADLINE_EXCEEDED" });
      await host.advance(24 * HOUR_MS);
      const forkedAt = host.now();
      const before = await forkOf(original, { before: "a" });
      expect(await before.view()).toMatchObject({ state: "waiting", deadlineAt: forkedAt + 2 * HOUR_MS });
      const told = await forkOf(original, { before: "late" });
      expect(await told.outcome()).toMatchObject({
        code: "DEADLINE_EXCEEDED",
        details: { deadlineAt: startedAt + 2 * HOUR_MS },
      });
      await host.runToEnd();
      expect(host.now()).toBe(forkedAt + 2 * HOUR_MS);
      expect(await before.outcome()).toMatchObject({ code: "DEADLINE_EXCEEDED" });
      expect(hits.count("late")).toBe(3);
    });

    it("what rollbacks did; one before the end of the code begins as if nothing were undone", async () => {
      const workflow = defineWorkflow({ name: "saga" }, async ({ step }: WorkflowContext) => {
        await step.run("a", hits.ok("a"), hits.ok("undo a"));
        await step.run("b", hits.ok("b"), async () => {
          hits.add("undo b");
          await host.delay(1_000);
        });
        await step.run("check", () => {});
        if (isWrong) throw new NonRetryableError("Wrong.");
        return "right";
      });
      let isWrong = true;
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const original = await host.start(workflow);
      await host.advance(500);
      // Its first rollback is in flight.
      const rolling = await forkOf(original, { before: (await entryOf(original, "rollback-started")) + 1 });
      await host.runToEnd();
      expect(await original.outcome()).toMatchObject({ kind: "failed" });
      const undone = (await entryOf(original, "rollback-completed")) + 1;
      const half = await forkOf(original, { before: undone });
      for (const probe of [rolling, half]) expect(await probe.outcome()).toMatchObject({ kind: "failed" });
      expect([hits.count("undo b"), hits.count("undo a")]).toEqual([2, 3]);
      isWrong = false;
      const again = await forkOf(original, { before: "check" });
      expect(await again.outcome()).toEqual({ kind: "completed", value: "right" });
      expect([hits.count("a"), hits.count("b"), hits.count("undo a")]).toEqual([1, 1, 3]);
    });

    it("deaths of the original's object", async () => {
      const workflow = defineWorkflow({ name: "deaths" }, async () => await new Promise(() => {}));
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      for (let death = 0; death < 9; death += 1) {
        await original.evict();
        expect(await original.view()).toMatchObject({ state: "running" });
      }
      const fork = await forkOf(original);
      await fork.evict();
      expect(await fork.view()).toMatchObject({ state: "running" });
      await original.evict();
      expect(await original.view()).toMatchObject({ state: "paused", reason: { code: "CRASH_LOOP" } });
    });
  });
}
