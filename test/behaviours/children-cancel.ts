import { describe, expect, it } from "vitest";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflowSpec } from "../../src/execution/workflow-spec.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const signals = { go: staticSchema<string>() };

const part = defineWorkflow({ name: "part", signals }, async ({ awaitSignal }) => (await awaitSignal("go")).value);

async function typesOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

export function describeChildCancellation(makeHost: MakeHost): void {
  describe("children of an execution that is over", () => {
    it("case 161: are cancelled with it, and theirs with them, but for those that are to continue", async () => {
      const spec = defineWorkflowSpec({ name: "tree", input: staticSchema<string>(), output: staticSchema<void>() });
      const tree = defineWorkflow(spec, async ({ input, startExecution, sleep }) => {
        if (input.length < 3) {
          await startExecution(spec, `${input}c`, { id: `${input}c` });
          await startExecution(spec, `${input}g`, { id: `${input}g`, onParentEnd: "continue" });
        }
        await sleep("1h");
      });
      const host = makeHost({ workflows: [tree] });
      const probe = await host.start(tree, { id: "r", input: "r" });
      await host.advance(SECOND_MS);
      await probe.evict();
      await probe.command("cancel", "not wanted");
      await host.advance(SECOND_MS);
      const kinds: Record<string, string | undefined> = {};
      for (const id of ["r", "rc", "rg", "rcc", "rcg", "rgc", "rgg"]) {
        kinds[id] = (await host.get(tree, id).outcome())?.kind;
      }
      const cancelled = "cancelled";
      expect(kinds).toEqual({ r: cancelled, rc: cancelled, rcc: cancelled });
      const facts = await host.get(tree, "rc").facts();
      expect(facts.find(({ type }) => type === "cancel-requested")).toMatchObject({
        reason: "The parent execution tree/r was cancelled.",
      });
      await host.advance(2 * 60 * MINUTE_MS);
      for (const id of ["rg", "rcg", "rgg"]) {
        expect(await host.get(tree, id).outcome()).toEqual({ kind: "completed", value: undefined });
      }
      // Its parent completed, and it had ended by itself.
      expect(await host.get(tree, "rgc").outcome()).toEqual({ kind: "completed", value: undefined });
    });

    it.each(["returns", "fails", "terminated", "deadline"])(
      "case 161 case 167: are cancelled where it %s, at once, awaited or not",
      async (how) => {
        const whole = defineWorkflow({ name: "whole", signals }, async ({ startExecution, awaitSignal }) => {
          await startExecution(part, undefined, { id: "cancelled" });
          await startExecution(part, undefined, { id: "continues", onParentEnd: "continue" });
          await awaitSignal("go");
          if (how === "fails") throw new NonRetryableError("fails");
        });
        const host = makeHost({ workflows: [whole, part] });
        const probe = await host.start(whole, how === "deadline" ? { deadlineMs: MINUTE_MS } : {});
        await probe.evict();
        if (how === "terminated") await probe.command("terminate");
        else if (how === "deadline") await host.advance(MINUTE_MS);
        else await probe.signal("go", "on");
        expect((await probe.outcome())?.kind).toMatch(/completed|failed|cancelled/);
        expect(await host.get(part, "cancelled").outcome()).toEqual({ kind: "cancelled" });
        expect((await host.get(part, "continues").view()).state).toBe("waiting");
        const tail = (await typesOf(probe)).slice(-1);
        expect(tail).toEqual(["children-cancelled"]);
        await host.get(part, "continues").signal("go", "later");
        expect(await host.get(part, "continues").outcome()).toEqual({ kind: "completed", value: "later" });
      },
    );

    it("are left alone where they had ended, or were started by somebody else", async () => {
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, runExecution }) => {
        await startExecution(part, undefined, { id: "adopted" });
        return await runExecution(part, undefined, { id: "own" });
      });
      const host = makeHost({ workflows: [whole, part] });
      const adopted = await host.start(part, { id: "adopted" });
      const probe = await host.start(whole);
      await host.get(part, "own").signal("go", "done");
      await host.advance(SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "done" });
      expect(await typesOf(probe)).not.toContain("children-cancelled");
      expect((await adopted.view()).state).toBe("waiting");
      expect(await typesOf(host.get(part, "own"))).not.toContain("cancel-requested");
    });

    it("get the cancellation delivered and may compensate; their outcome decides what the parent sees of them", async () => {
      const kept: unknown[] = [];
      const child = defineWorkflow({ name: "child" }, async ({ sleep, step, cancelled }) => {
        const wasCancelled = await sleep("1h").catch(cancelled);
        await step.run("compensate", () => host.delay(5 * SECOND_MS));
        return wasCancelled;
      });
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, awaitExecution, cancelled }) => {
        const ref = await startExecution(child);
        kept.push(await awaitExecution(ref).catch(cancelled));
        // The cancellation was delivered: waits work again, and a child of the compensation lives.
        const helper = await startExecution(part, undefined, { id: "helper" });
        return [await awaitExecution(ref), await awaitExecution(helper)];
      });
      const host = makeHost({ workflows: [whole, child, part] });
      const probe = await host.start(whole);
      await probe.command("cancel");
      await host.advance(SECOND_MS);
      expect(kept).toEqual([true]);
      await probe.evict();
      await host.advance(10 * SECOND_MS);
      expect((await host.get(part, "helper").view()).state).toBe("waiting");
      await host.get(part, "helper").signal("go", "helped");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [
          { kind: "completed", value: true },
          { kind: "completed", value: "helped" },
        ],
      });
    });

    it("that were started in a race which was lost are cancelled at the end, before their code ran or after", async () => {
      const hits: string[] = [];
      const slow = defineWorkflow({ name: "slow", input: staticSchema<string>() }, async ({ input, step, sleep }) => {
        await step.run("hit", () => void hits.push(input));
        await sleep("1h");
      });
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution }) => {
        void startExecution(slow, "unawaited", { id: "unawaited" });
      });
      const host = makeHost({ workflows: [whole, slow] });
      const probe = await host.start(whole);
      await host.advance(SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(await host.get(slow, "unawaited").outcome()).toEqual({ kind: "cancelled" });
      expect(hits).toEqual([]);
      expect((await typesOf(host.get(slow, "unawaited"))).slice(0, 3)).toEqual([
        "started",
        "cancel-requested",
        "cancelled",
      ]);
      expect(await typesOf(probe)).toEqual(["started", "child-requested", "abandoned", "completed", "child-started"]);
    });

    it("are cancelled when its rollbacks begin", async () => {
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, step }) => {
        await startExecution(part, undefined, { id: "p" });
        await step.run(
          "undoable",
          () => 1,
          () => host.delay(MINUTE_MS / 2),
        );
        throw new NonRetryableError("fails");
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await host.advance(SECOND_MS);
      expect(await probe.outcome()).toBeUndefined();
      expect(await host.get(part, "p").outcome()).toEqual({ kind: "cancelled" });
      await host.runToEnd();
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "NON_RETRYABLE" });
    });
  });

  describe("cancelExecution", () => {
    it("cancels another execution once, with its reason, and leaves one alone that has ended", async () => {
      const whole = defineWorkflow({ name: "whole" }, async ({ cancelExecution, awaitExecution, sleep }) => {
        const ref = executionRef(part, "p");
        await cancelExecution(ref, "too slow");
        const { kind } = await awaitExecution(ref);
        await cancelExecution(ref);
        await cancelExecution(executionRef(part, "done"));
        await sleep("1m");
        return kind;
      });
      const host = makeHost({ workflows: [whole, part] });
      const child = await host.start(part, { id: "p" });
      const done = await host.start(part, { id: "done" });
      await done.signal("go", "done");
      const probe = await host.start(whole);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "cancelled" });
      expect(await done.outcome()).toEqual({ kind: "completed", value: "done" });
      const requested = (await child.facts()).filter(({ type }) => type === "cancel-requested");
      expect(requested).toMatchObject([{ reason: "too slow" }]);
    });
  });
}
