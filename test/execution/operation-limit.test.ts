import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { OperationRefused } from "../../src/steps/errors.ts";
import { MemoryHost } from "../support/memory-host.ts";

const signals = { go: staticSchema<number>() };
const LIMIT = LIMITS.operationsPerExecution;

describe("the limit of operations", () => {
  it("S77 case 82: an execution with exactly so many completes, also on replay; one more is refused at the call", async () => {
    const hits: string[] = [];
    const workflow = defineWorkflow<number, unknown, typeof signals>({ name: "limit", signals }, async (context) => {
      const { input: more, sleep, step, awaitSignal } = context;
      const slept = Array.from({ length: LIMIT - 2 }, () => sleep(0));
      await Promise.all(slept);
      await awaitSignal("go");
      await step.run("last", () => void hits.push("last"));
      const refused: unknown[] = [];
      for (let i = 0; i < more; i += 1) {
        refused.push(await step.run("over", () => void hits.push("over")).catch((error: unknown) => error));
      }
      return refused.map((error) => OperationRefused.is(error) && [error.code, error.message]);
    });
    const host = new MemoryHost({ workflows: [workflow] });
    for (const more of [0, 2]) {
      const probe = await host.start(workflow, { input: more });
      await probe.evict();
      await probe.signal("go", 1);
      const refusal = ["OPERATIONS_LIMIT", expect.stringContaining(String(LIMIT))];
      const outcome = await probe.outcome();
      expect(outcome).toEqual({ kind: "completed", value: Array.from({ length: more }, () => refusal) });
      expect((await probe.view()).usage.operations).toBe(LIMIT);
    }
    expect(hits).toEqual(["last", "last"]);
  });

  it("case 198: a loop of steps without an end is paused in the end, with the limit's name", async () => {
    const retryPolicy = { maximumAttempts: 1 };
    const workflow = defineWorkflow({ name: "endless", retryPolicy }, async ({ step }) => {
      for (;;) await step.run("again", () => 1);
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.runToEnd();
    const { state, reason, usage } = await probe.view();
    expect(state).toBe("paused");
    expect(reason?.message).toContain(`${LIMIT} operations`);
    expect(usage.operations).toBe(LIMIT);
  });
});
