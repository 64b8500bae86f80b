import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { every } from "../support/hits.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;
const signals = { s: staticSchema<string>() };

async function typesOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

export function describeDeadlinesAndRollbacks(makeHost: MakeHost): void {
  describe("a deadline of an execution with rollbacks", () => {
    it.each([false, true])(
      "undoes what was done before it ends the execution as failed (evicted: %s)",
      async (lost) => {
        const undone: string[] = [];
        const workflow = defineWorkflow({ name: "late", deadline: "10s" }, async ({ step, sleep }) => {
          const attempts = every("6s", 3);
          await step.run(
            { name: "book", retryPolicy: attempts },
            () => "b-1",
            (value, { attempt }) => {
              undone.push(`${value} ${attempt}`);
              if (attempt < 3) throw new Error("not yet");
            },
          );
          await sleep("1h");
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        await host.advance(10 * SECOND_MS);
        expect(await probe.view()).toMatchObject({ state: "waiting", reason: { code: "DEADLINE_EXCEEDED" } });
        if (lost) await probe.evict();
        await host.runToEnd();
        // The retries of the rollback come after the deadline, which does not bound them.
        expect(undone).toEqual(["b-1 1", "b-1 2", "b-1 3"]);
        expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "DEADLINE_EXCEEDED" });
        expect((await probe.view()).rollbacks).toMatchObject({ rolledBack: 1, notRun: 0 });
      },
    );

    it("undoes, too, where a step is spent as its next attempt would come too late", async () => {
      const undone: unknown[] = [];
      const workflow = defineWorkflow({ name: "spent", deadline: "10s" }, async ({ step }) => {
        await step.run(
          "book",
          () => "b-1",
          (value) => undone.push(value),
        );
        await step.run({ name: "ship", retryPolicy: every("20s", 3) }, () => {
          throw new Error("not yet");
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toMatchObject({
        code: "DEADLINE_EXCEEDED",
        details: { step: "ship", attempts: 1 },
      });
      expect(undone).toEqual(["b-1"]);
    });

    it.each([false, true])("that passes while it is ending has no effect (evicted: %s)", async (lost) => {
      const workflow = defineWorkflow({ name: "ending", deadline: "10s" }, async ({ step }) => {
        await step.run(
          { name: "book", retryPolicy: every("8s", 3) },
          () => "b-1",
          (_, { attempt }) => {
            if (attempt < 3) throw new Error("not yet");
          },
        );
        throw new NonRetryableError("No.", { code: "NO" });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const startedAt = host.now();
      expect(await probe.alarm()).toBe(startedAt + 8 * SECOND_MS);
      if (lost) await probe.evict();
      await host.advance(12 * SECOND_MS);
      expect(await probe.alarm()).toBe(startedAt + 16 * SECOND_MS);
      await host.runToEnd();
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "NO" });
      expect(await typesOf(probe)).not.toContain("cancel-requested");
    });

    it("that a paused execution missed is told after the resume, and undoes then", async () => {
      const undone: unknown[] = [];
      const workflow = defineWorkflow({ name: "paused", deadline: "10s" }, async ({ step, sleep }) => {
        await step.run(
          "book",
          () => "b-1",
          (value) => undone.push(value),
        );
        await sleep("1h");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("pause");
      await host.advance(60 * SECOND_MS);
      expect(undone).toEqual([]);
      await probe.command("resume");
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "DEADLINE_EXCEEDED" });
      expect(undone).toEqual(["b-1"]);
    });
  });

  describe("rollbacks", () => {
    it("are none where a cancel comes before the start, and nothing is said of them", async () => {
      const workflow = defineWorkflow({ name: "later" }, async ({ step }) => {
        await step.run(
          "book",
          () => "b-1",
          () => {},
        );
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow, { startAt: host.now() + 60 * SECOND_MS });
      await probe.command("cancel");
      expect(await typesOf(probe)).toEqual(["started", "cancel-requested", "cancelled"]);
      expect((await probe.view()).rollbacks).toBeUndefined();
    });
  });

  describe("notes and rollbacks", () => {
    it.each([false, true])("the way back to a journaled end notes nothing more (evicted: %s)", async (lost) => {
      const patched: boolean[] = [];
      let isNew = false;
      const workflow = defineWorkflow({ name: "notes", signals }, async (context) => {
        const { step, setAttributes, setProgress } = context;
        patched.push(context.patched("before"));
        setAttributes({ stage: "booked" });
        await step.run(
          { name: "book", retryPolicy: every("8s", 3) },
          () => "b-1",
          (_, { attempt }) => {
            if (attempt < 2) throw new Error("not yet");
          },
        );
        setAttributes({ stage: "failing", lines: 2 });
        setProgress("failing");
        if (isNew) {
          setAttributes({ stage: "new code" });
          setProgress("new code");
          patched.push(context.patched("new code"));
        }
        throw new NonRetryableError("No.", { code: "NO" });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow, { attributes: { stage: "new", customer: "c-7" } });
      const attributes = { stage: "failing", lines: 2, customer: "c-7" };
      expect(await probe.view()).toMatchObject({ state: "waiting", attributes });
      isNew = true;
      if (lost) await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "NO" });
      expect(await probe.view()).toMatchObject({ attributes });
      const notes = (await typesOf(probe)).filter((type) => ["attributes", "progress", "patched"].includes(type));
      expect(notes).toEqual(["patched", "attributes", "attributes", "progress"]);
      expect(patched).toEqual(lost ? [true, true, false] : [true]);
    });
  });
}
