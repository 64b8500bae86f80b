import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { OperationRefused } from "../../src/steps/errors.ts";
import { ObjectHost } from "../support/object-host.ts";

const signals = { go: staticSchema<boolean>() };

describe("many operations in one object", () => {
  it("runs 1,000 steps side by side", async () => {
    let running = 0;
    let most = 0;
    const wide = defineWorkflow({ name: "wide" }, async ({ step }) => {
      const one = async () => {
        running += 1;
        most = Math.max(most, running);
        await host.delay(1_000);
        running -= 1;
        return 1;
      };
      const all = await Promise.all(Array.from({ length: 1_000 }, () => step.run("one", one)));
      return all.reduce((sum, value) => sum + value, 0);
    });
    const host = new ObjectHost({ workflows: [wide] });
    const probe = await host.start(wide);
    await host.advance(1_000);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 1_000 });
    expect(most).toBe(1_000);
  });

  it("S77 an execution with exactly 25,000 operations completes, also on replay; one more is refused at the call", async () => {
    let hits = 0;
    const most = LIMITS.operationsPerExecution;
    const full = defineWorkflow({ name: "full", signals }, async ({ step, awaitSignal }) => {
      for (let left = most - 1; left > 0; left -= 1_000) {
        const together = Array.from({ length: Math.min(left, 1_000) }, () => step.run("one", () => void (hits += 1)));
        await Promise.all(together);
      }
      const { value } = await awaitSignal("go");
      if (!value) return "full";
      try {
        return await step.run("one more", () => void (hits += 1));
      } catch (error) {
        return error instanceof OperationRefused ? error.code : "another error";
      }
    });
    const host = new ObjectHost({ workflows: [full] });
    const exact = await host.start(full);
    expect((await exact.view()).usage.operations).toBe(most);
    await exact.evict();
    await exact.signal("go", false);
    expect(await exact.outcome()).toEqual({ kind: "completed", value: "full" });
    expect(hits).toBe(most - 1);
    const over = await host.start(full);
    await over.signal("go", true);
    expect(await over.outcome()).toEqual({ kind: "completed", value: "OPERATIONS_LIMIT" });
    expect(hits).toBe(2 * (most - 1));
  }, 120_000);
});
