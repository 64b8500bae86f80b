import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { every, Hits } from "../support/hits.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;
const errors = { NO_CAR: staticSchema<{ city: string }>() };

/** What is about the end: everything from the entry after the last outcome of a step. */
async function endOf(probe: Probe): Promise<readonly unknown[]> {
  const facts = await probe.facts();
  const from = facts.findIndex(({ type }) => type === "abandoned" || type === "ending");
  return facts.slice(from).map((fact) => {
    const attempt = "attempt" in fact ? ` ${fact.attempt}` : "";
    return `${fact.type}${"op" in fact ? ` ${fact.op}` : ""}${attempt}`;
  });
}

export function describeRollbacks(makeHost: MakeHost): void {
  describe("rollbacks", () => {
    it("run newest first, each with what its step completed with, before the execution fails", async () => {
      const undone: unknown[] = [];
      const workflow = defineWorkflow({ name: "saga", errors }, async ({ step, exhausted, errors: { NO_CAR } }) => {
        await step.run(
          "flight",
          () => ({ booking: new Date(1) }),
          (value) => void undone.push(value),
        );
        await step.run(
          "hotel",
          () => "h-1",
          (value) => void undone.push(value),
        );
        await step.run("mail", () => "not undone");
        try {
          await step.run({ name: "car", retryPolicy: every("1s", 2) }, hits.failing("car"), () => undone.push("car"));
        } catch (error) {
          throw exhausted(error) ? NO_CAR({ city: "Rome" }) : error;
        }
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const probe = await host.start(workflow);
      expect(undone).toEqual([]);
      await host.runToEnd();
      expect(undone).toEqual(["h-1", { booking: new Date(1) }]);
      const failed = { kind: "failed", declared: true, code: "NO_CAR", message: "NO_CAR", details: { city: "Rome" } };
      expect(await probe.outcome()).toEqual(failed);
      expect(await endOf(probe)).toEqual([
        "ending",
        "rollback-started 1 1",
        "rollback-completed 1",
        "rollback-started 0 1",
        "rollback-completed 0",
        "failed",
      ]);
      const ending = (await probe.facts()).find(({ type }) => type === "ending");
      expect(ending).toMatchObject({ outcome: { type: "failed", declared: true, code: "NO_CAR" } });
      expect((await probe.view()).rollbacks).toEqual({
        pending: 0,
        running: 0,
        waiting: 0,
        rolledBack: 2,
        exhausted: 0,
        failed: 0,
        notRun: 0,
      });
    });

    it("are for failed and cancelled ends alone: nothing is written of them where the execution completes", async () => {
      const undone: string[] = [];
      const workflow = defineWorkflow<boolean, string>({ name: "completes" }, async ({ step, input, sleep }) => {
        await step.run("bare", () => "a");
        if (input)
          await step.run(
            "undoable",
            () => "b",
            () => void undone.push("b"),
          );
        await sleep("1m");
        if (!input) throw new NonRetryableError("no");
        return "done";
      });
      const host = makeHost({ workflows: [workflow] });
      const completes = await host.start(workflow, { input: true });
      const fails = await host.start(workflow, { input: false });
      await host.runToEnd();
      expect((await completes.outcome())?.kind).toBe("completed");
      expect((await fails.outcome())?.kind).toBe("failed");
      expect(undone).toEqual([]);
      for (const probe of [completes, fails]) {
        expect((await probe.facts()).filter(({ type }) => /ending|rollback/.test(type))).toEqual([]);
        expect((await probe.view()).rollbacks).toBeUndefined();
      }
      const first = (await fails.facts()).find((fact) => "op" in fact && fact.op === 0);
      expect(first).not.toHaveProperty("rollback");
    });

    it("come in the order in which the steps completed, those included that lost a race", async () => {
      const undone: string[] = [];
      const workflow = defineWorkflow({ name: "raced" }, async ({ step, sleep }) => {
        const after = (name: string, ms: number) =>
          step.run(
            name,
            () => host.delay(ms).then(() => name),
            (value) => void undone.push(value),
          );
        const late = after("late", 3 * SECOND_MS);
        await Promise.race([after("lost", 2 * SECOND_MS), after("won", SECOND_MS)]);
        await sleep("10s");
        void late;
        throw new NonRetryableError("over");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(5 * SECOND_MS);
      await probe.evict();
      await host.runToEnd();
      expect(undone).toEqual(["late", "lost", "won"]);
    });

    it("begin after everything that is open was abandoned and aborted", async () => {
      const order: string[] = [];
      const workflow = defineWorkflow({ name: "open" }, async ({ step }) => {
        await step.run(
          "done",
          () => 1,
          () => void order.push("rolled back"),
        );
        const open = step.run(
          "open",
          async ({ signal }) => {
            signal.addEventListener("abort", () => order.push("aborted"));
            await host.delay(60 * SECOND_MS);
          },
          () => void order.push("never"),
        );
        await Promise.all([open, step.run("fails", () => Promise.reject(new NonRetryableError("no")))]);
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(order).toEqual(["aborted", "rolled back"]);
      expect(await endOf(probe)).toEqual([
        "abandoned",
        "ending",
        "rollback-started 0 1",
        "rollback-completed 0",
        "failed",
      ]);
      await host.runToEnd();
      expect(order).toEqual(["aborted", "rolled back"]);
    });
  });
}
