import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { HttpRefusal, NonRetryableError, StepExhausted } from "../../src/steps/errors.ts";
import { MemoryHost } from "../support/memory-host.ts";

const HUGE = "m".repeat(3_000_000);

describe("an error that ends the execution", () => {
  it.each<readonly [string, () => unknown]>([
    ["a refusal whose code is huge", () => new HttpRefusal(403, {}, HUGE)],
    ["an exhausted step whose name is huge", () => new StepExhausted({ step: HUGE, attempts: 1 })],
    ["a code that is a number", () => Object.assign(new NonRetryableError("x"), { code: 5 })],
    ["a message that is an object", () => Object.assign(new NonRetryableError("x"), { message: { a: 1 } })],
    ["a message that is a bigint", () => Object.assign(new NonRetryableError("x"), { message: 5n })],
    [
      "a message that throws",
      () =>
        Object.defineProperty(new NonRetryableError("x"), "message", {
          get() {
            throw new Error("evil");
          },
        }),
    ],
  ])("is journaled as a bounded text, or is a failure of the run: %s", async (_, make) => {
    const workflow = defineWorkflow({ name: "w", retryPolicy: { maximumAttempts: 1 } }, async () => {
      throw make();
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    const { state, reason } = await probe.view();
    expect(["failed", "paused"]).toContain(state);
    expect([typeof reason?.code, typeof reason?.message]).toEqual(["string", "string"]);
    expect(Math.max(...probe.object.rows.map(({ entries }) => entries.length))).toBeLessThan(100_000);
    expect(host.logs).toEqual([]);
  });
});
