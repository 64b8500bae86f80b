import { defineWorkflow, defineWorkflowSpec } from "stepwell";
import { createTestEngine } from "stepwell/testing";
import * as z from "zod";
import { describe, expect, it } from "vitest";

const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string(), cents: z.int().positive(), express: z.boolean().default(false) }),
    output: z.object({ tracking: z.string() }),
    signals: { approval: z.object({ approved: z.boolean() }) },
    errors: { NOT_APPROVED: z.object({ by: z.string() }) },
  },
  async ({ input, step, awaitSignal, errors }) => {
    await step.run("charge-card", () => `${input.cents}`);
    const approval = await awaitSignal("approval", { timeout: "24h" });
    if (!approval.received || !approval.value.approved) throw errors.NOT_APPROVED({ by: "boss" });
    return { tracking: await step.run("ship", () => `${input.sku} ${input.express}`) };
  },
);
const LAMP = { sku: "lamp", cents: 4900 };

describe("a start", () => {
  it("validates its input as over HTTP, and gives the code what the schema made of it", async () => {
    const engine = createTestEngine({ workflows: [order] });
    await expect(engine.start(order, { sku: "lamp", cents: -1 })).rejects.toMatchObject({
      name: "OperationRefused",
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("input.cents"),
    });
    const execution = await engine.start(order, LAMP);
    expect(execution.journal[0]).toMatchObject({ type: "started", input: { ...LAMP, express: false } });
  });

  it("S74 made twice gives one execution; with another input it is refused", async () => {
    const engine = createTestEngine({ workflows: [order] });
    const starts = await Promise.all([1, 2].map(() => engine.start(order, LAMP, { id: "o-1" })));
    expect(starts.map(({ attempts }) => attempts)).toEqual([1, 1]);
    await expect(engine.start(order, { sku: "desk", cents: 1 }, { id: "o-1" })).rejects.toMatchObject({
      code: "ID_CONFLICT",
    });
  });

  it("has an id of its own where none is given, beside those that are", async () => {
    const engine = createTestEngine({ workflows: [order] });
    await engine.start(order, LAMP, { id: "order-2" });
    const ids = [await engine.start(order, LAMP), await engine.start(order, LAMP)].map(({ id }) => id);
    expect(ids).toEqual(["order-1", "order-3"]);
    await expect(engine.start(order, LAMP, { id: "no/slash" })).rejects.toThrow("Cannot use the id of an execution");
  });

  it("takes the terms that it takes over HTTP", async () => {
    const workflow = defineWorkflow({ name: "later" }, ({ sleep }) => sleep("2h"));
    const engine = createTestEngine({ workflows: [workflow] });
    const options = { startAt: 3_600_000, deadline: "1h", attributes: { customer: "c-7" } } as const;
    const execution = await engine.start(workflow, undefined, options);
    expect([execution.attempts, execution.attributes]).toEqual([0, { customer: "c-7" }]);
    expect(execution.waitingFor).toMatchObject([{ kind: "start", until: 3_600_000 }]);
    await engine.runToEnd();
    expect(execution.outcome).toMatchObject({ code: "DEADLINE_EXCEEDED", details: { deadlineAt: 7_200_000 } });
    await expect(engine.start(workflow, undefined, { startAt: "tomorrow" })).rejects.toThrow("Cannot use startAt");
  });

  it("may have a budget", async () => {
    const workflow = defineWorkflow({ name: "bounded" }, async ({ step }) => {
      for (let i = 0; i < 3; i += 1) await step.run("work", () => i);
    });
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow, undefined, { budget: { attempts: 2 } });
    expect([execution.state, execution.failure]).toMatchObject(["paused", { code: "BUDGET_EXCEEDED" }]);
    await expect(engine.start(workflow, undefined, { budget: { attempts: 0 } })).rejects.toThrow("Cannot use budget");
  });

  it("is of one of the engine's workflows, in the version that is given", async () => {
    const spec = defineWorkflowSpec({ name: "versions", output: z.string() });
    const v1 = defineWorkflow({ name: "versions", version: "1" }, async () => "one");
    const v2 = defineWorkflow({ name: "versions", version: "2" }, async () => "two");
    const engine = createTestEngine({ workflows: [v1, v2] });
    const outcomes = [await engine.start(v1), await engine.start(v2), await engine.start(spec)].map((e) => e.outcome);
    expect(outcomes).toMatchObject([{ value: "one" }, { value: "two" }, { value: "two" }]);
    await expect(engine.start(order, LAMP)).rejects.toThrow(
      "Cannot use workflow as it must be one of the engine's workflows: current value is order",
    );
    expect(() => engine.get({ name: "order" }, "o-1")).toThrow("Cannot use workflow as it must be what defineWorkflow");
  });
});

describe("a signal", () => {
  it("is validated as over HTTP", async () => {
    const engine = createTestEngine({ workflows: [order] });
    const execution = await engine.start(order, LAMP);
    // The casts: what a caller without types may do.
    await expect(execution.signal("approval", { approved: "yes" } as never)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("approved"),
    });
    await expect(execution.signal("refusal" as "approval", { approved: true })).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: 'Cannot take the signal as order must declare it: current value is "refusal"',
    });
    await expect(execution.signal("approval", { approved: true }, { idempotencyKey: "" })).rejects.toThrow(
      "Cannot use idempotencyKey as it must be a string of 1 to 256 characters",
    );
    await execution.signal("approval", { approved: true });
    const { outcome } = execution;
    expect(outcome?.kind === "completed" && outcome.value.tracking).toBe("lamp false");
    await expect(execution.signal("approval", { approved: true })).rejects.toMatchObject({ code: "EXECUTION_ENDED" });
  });

  it("may be sent by a step, as by whoever the step calls", async () => {
    const workflow = defineWorkflow(
      { name: "answers", signals: { answer: z.string() } },
      async ({ step, awaitSignal, execution: { id } }) => {
        await step.run("ask", () => engine.get(workflow, id).signal("answer", "yes"));
        return (await awaitSignal("answer")).value;
      },
    );
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow);
    expect(execution.outcome).toEqual({ kind: "completed", value: "yes" });
  });
});

describe("an execution in a test", () => {
  it("is found by its id, and says so where it does not exist", async () => {
    const engine = createTestEngine({ workflows: [order], retention: "1h" });
    const early = engine.get(order, "o-1");
    const absent = { name: "OperationRefused", code: "NOT_FOUND" };
    expect(() => early.state).toThrow(expect.objectContaining(absent));
    await expect(early.cancel()).rejects.toMatchObject(absent);
    await engine.start(order, LAMP, { id: "o-1" });
    expect(early.state).toBe("waiting");
    await early.cancel();
    await engine.advance("1h");
    expect(() => early.outcome).toThrow("There is no execution order/o-1, or its retention is over.");
  });

  it("is replayed after its eviction, and looking at it does not wake it", async () => {
    const engine = createTestEngine({ workflows: [order] });
    const execution = await engine.start(order, LAMP);
    execution.evict();
    expect([execution.state, execution.steps.length, execution.attempts]).toEqual(["waiting", 2, 1]);
    await engine.advance("1h");
    expect(execution.attempts).toBe(1);
    await execution.signal("approval", { approved: false });
    expect([execution.attempts, execution.steps[0]?.attempts]).toEqual([2, 1]);
    expect(execution.outcome).toMatchObject({ declared: true, code: "NOT_APPROVED", details: { by: "boss" } });
    expect(execution.failure).toBeUndefined();
  });

  it("shows its progress", async () => {
    const workflow = defineWorkflow({ name: "progress" }, async ({ setProgress, setAttributes, sleep }) => {
      setProgress({ done: 1n });
      setAttributes({ stage: "paid" });
      await sleep("1h");
    });
    const execution = await createTestEngine({ workflows: [workflow] }).start(workflow);
    expect([execution.progress, execution.attributes]).toEqual([{ done: 1n }, { stage: "paid" }]);
  });
});
