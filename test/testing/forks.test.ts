import { describe, expect, it } from "vitest";
import { createTestEngine } from "../../src/testing/index.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";

describe("a fork in a test", () => {
  let isOut = true;
  const order = defineWorkflow({ name: "order" }, async ({ step }) => {
    const price = await step.run("price", () => (asked += 1));
    await step.run({ name: "ship", retryPolicy: { maximumAttempts: 1 } }, () => {
      if (isOut) throw new Error("no ship");
    });
    return price;
  });
  let asked = 0;

  it("tries an execution again from a step, with an id that is given or new", async () => {
    const engine = createTestEngine({ workflows: [order] });
    const original = await engine.start(order, undefined, { id: "o-1" });
    expect(original.outcome).toMatchObject({ code: "STEP_EXHAUSTED" });
    isOut = false;
    const fork = await original.fork({ id: "o-2", before: "ship" });
    expect([fork.id, fork.outcome]).toEqual(["o-2", { kind: "completed", value: 1 }]);
    expect(engine.get(order, "o-2").journal).toEqual(fork.journal);
    const whole = await original.fork();
    expect([whole.id, whole.outcome]).toEqual(["order-1", original.outcome]);
    expect(asked).toBe(1);
  });

  it("is refused with the code that an answer over HTTP has", async () => {
    const engine = createTestEngine({ workflows: [order] });
    const original = await engine.start(order, undefined, { id: "o-1" });
    const refused = (code: string) => ({ name: "OperationRefused", code });
    await expect(original.fork({ before: "pay" })).rejects.toMatchObject(refused("VALIDATION_ERROR"));
    await expect(original.fork({ id: "o-1" })).rejects.toMatchObject(refused("ID_CONFLICT"));
    await expect(engine.get(order, "nobody").fork()).rejects.toMatchObject(refused("NOT_FOUND"));
    await expect(original.fork({ id: "a b" })).rejects.toThrow(RangeError);
    // The cast: what JavaScript lets through.
    await expect(original.fork({ before: true as unknown as string })).rejects.toThrow("Cannot use before as");
    await expect(original.fork({ from: "ship" } as object)).rejects.toThrow(TypeError);
  });
});
