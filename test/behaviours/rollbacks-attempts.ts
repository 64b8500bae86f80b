import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { every, Hits } from "../support/hits.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;

export function describeRollbackAttempts(makeHost: MakeHost): void {
  describe("attempts of rollbacks", () => {
    it("are retried under the policy of their step, and the view says so", async () => {
      const seen: unknown[] = [];
      const workflow = defineWorkflow({ name: "retried" }, async ({ step }) => {
        await step.run(
          { name: "x", retryPolicy: every("10s", 3) },
          () => "v",
          (_, { attempt, lastFailure }) => {
            seen.push([attempt, lastFailure?.message]);
            hits.failing("x", 2)();
          },
        );
        throw new NonRetryableError("over", { code: "OVER" });
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const startedAt = host.now();
      const probe = await host.start(workflow);
      expect(await probe.view()).toMatchObject({
        state: "waiting",
        waitingFor: [
          { kind: "rollback", name: "x", until: startedAt + 10 * SECOND_MS, because: "backoff after attempt 1 of 3" },
        ],
        nextWakeAt: startedAt + 10 * SECOND_MS,
        reason: { code: "OVER", message: "over" },
        rollbacks: { waiting: 1, rolledBack: 0 },
      });
      expect(await probe.alarm()).toBe(startedAt + 10 * SECOND_MS);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0, 10 * SECOND_MS, 20 * SECOND_MS]);
      expect(seen).toEqual([
        [1, undefined],
        [2, "x fails"],
        [3, "x fails"],
      ]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "OVER" });
    });

    it("one whose budget is spent is recorded, and the rest still run", async () => {
      const workflow = defineWorkflow({ name: "spent" }, async ({ step }) => {
        const x = (name: string) => ({ name, retryPolicy: every("1s", 2) });
        await step.run(x("a"), () => 1, hits.ok("a"));
        await step.run(x("b"), () => 2, hits.failing("b"));
        await step.run(
          x("c"),
          () => 3,
          () => {
            hits.add("c");
            throw new NonRetryableError("hopeless");
          },
        );
        throw new NonRetryableError("over");
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const probe = await host.start(workflow);
      await host.runToEnd();
      expect([hits.count("c"), hits.count("b"), hits.count("a")]).toEqual([1, 2, 1]);
      const failures = (await probe.facts()).filter((fact) => fact.type === "rollback-failed");
      expect(failures).toMatchObject([
        { op: 2, attempt: 1, spent: "terminal", failure: { message: "hopeless" } },
        { op: 1, attempt: 1, retryAt: expect.any(Number), because: "backoff" },
        { op: 1, attempt: 2, spent: "attempts", failure: { message: "b fails" } },
      ]);
      expect((await probe.view()).rollbacks).toMatchObject({ rolledBack: 1, exhausted: 1, failed: 1 });
      expect((await probe.outcome())?.kind).toBe("failed");
    });

    it("have keys of their own, the same on every attempt", async () => {
      const keys: Record<string, string[]> = { step: [], rollback: [], labelled: [] };
      const workflow = defineWorkflow({ name: "keys" }, async ({ step }) => {
        await step.run(
          "x",
          ({ idempotencyKey, key }) => void keys["step"]?.push(idempotencyKey, key("l")),
          (_, context) => {
            keys["rollback"]?.push(context.idempotencyKey);
            keys["labelled"]?.push(context.key("l"));
            hits.failing("x", 1)();
          },
        );
        throw new NonRetryableError("over");
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const probe = await host.start(workflow);
      await probe.evict();
      await host.runToEnd();
      const { step = [], rollback = [], labelled = [] } = keys;
      expect([rollback.length, labelled.length]).toEqual([2, 2]);
      expect([new Set(rollback).size, new Set(labelled).size]).toEqual([1, 1]);
      expect(new Set([...step, ...rollback, ...labelled]).size).toBe(4);
    });

    it("an attempt that takes too long is aborted by the timeout of its step", async () => {
      const aborted: unknown[] = [];
      const workflow = defineWorkflow({ name: "slow" }, async ({ step }) => {
        await step.run(
          { name: "x", timeout: "2s", retryPolicy: every("1s", 1) },
          () => 1,
          async (_, { signal }) => {
            signal.addEventListener("abort", () => aborted.push(signal.reason));
            await host.delay(60 * SECOND_MS);
          },
        );
        throw new NonRetryableError("over");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.view()).toMatchObject({ state: "running", rollbacks: { running: 1 } });
      await host.advance(2 * SECOND_MS);
      expect(aborted).toMatchObject([{ name: "StepTimeout" }]);
      expect((await probe.outcome())?.kind).toBe("failed");
      expect((await probe.view()).rollbacks).toMatchObject({ exhausted: 1 });
    });

    it("an operation inside one ends it, as it does a step", async () => {
      const workflow = defineWorkflow({ name: "nested" }, async ({ step, sleep }) => {
        await step.run(
          "x",
          () => 1,
          async () => await sleep("1s"),
        );
        throw new NonRetryableError("over");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const failed = (await probe.facts()).filter(({ type }) => type === "rollback-failed");
      expect(failed).toMatchObject([{ spent: "terminal", failure: { code: "NESTED_STEP" } }]);
      expect((await probe.outcome())?.kind).toBe("failed");
    });

    it("get large values whole, and a large end is kept while they run", async () => {
      const large = "x".repeat(200_000);
      const got: number[] = [];
      const workflow = defineWorkflow({ name: "large" }, async ({ step }) => {
        await step.run(
          "x",
          () => large,
          (value) => {
            got.push(value.length);
            hits.failing("x", 1)();
          },
        );
        throw new NonRetryableError("over", { details: large });
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const probe = await host.start(workflow);
      await probe.evict();
      await host.runToEnd();
      expect(got).toEqual([large.length, large.length]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", details: large });
    });

    it("what is no function is refused before the step takes a number", async () => {
      const workflow = defineWorkflow({ name: "no-function" }, async ({ step }) => {
        const run = step.run as (...args: readonly unknown[]) => Promise<unknown>;
        return await run("x", () => 1, "undo").catch(String);
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const message = 'TypeError: Cannot run step x as its rollback must be a function: current value is "undo"';
      expect(await probe.outcome()).toEqual({ kind: "completed", value: message });
      expect((await probe.view()).usage.operations).toBe(0);
    });
  });
}
