import { defineWorkflow, staticSchema } from "stepwell";
import { createTestEngine } from "stepwell/testing";
import { describe, expect, it } from "vitest";

const signals = { paid: staticSchema<number>() };
const invoice = defineWorkflow({ name: "invoice", input: staticSchema<number>(), signals }, async (context) => {
  const { input, awaitSignal } = context;
  const paid = await awaitSignal("paid", { timeout: "30d" });
  return paid.received ? input - paid.value : input;
});
const month = defineWorkflow({ name: "month" }, async ({ startExecution, awaitExecution, execution }) => {
  const refs = await Promise.all(
    [5, 7].map((cents) => startExecution(invoice, cents, { id: `${execution.id}-${cents}` })),
  );
  const outcomes = await Promise.all(refs.map((ref) => awaitExecution(ref)));
  return outcomes.map((outcome) => (outcome.kind === "completed" ? outcome.value : -1));
});

describe("executions that talk to each other, in a test", () => {
  it("are reached by their ids, moved by one clock, and shown as operations of each other", async () => {
    const engine = createTestEngine({ workflows: [month, invoice], now: 0 });
    const execution = await engine.start(month, undefined, { id: "m" });
    expect(execution.waitingFor.map(({ kind, name }) => [kind, name])).toEqual([
      ["execution", "invoice/m-5"],
      ["execution", "invoice/m-7"],
    ]);
    execution.evict();
    const child = engine.get(invoice, "m-5");
    await child.signal("paid", 5);
    expect([child.state, child.outcome]).toEqual(["completed", { kind: "completed", value: 0 }]);
    await engine.runToEnd();
    expect(execution.outcome).toEqual({ kind: "completed", value: [0, 7] });
    const seen = execution.steps.map(({ kind, name, state, value }) => [kind, name, state, value]);
    expect(seen).toEqual([
      ["child", "invoice", "completed", { workflow: "invoice", id: "m-5" }],
      ["child", "invoice#2", "completed", { workflow: "invoice", id: "m-7" }],
      ["execution", "invoice/m-5", "completed", { kind: "completed", value: 0 }],
      ["execution", "invoice/m-7", "completed", { kind: "completed", value: 7 }],
    ]);
  });

  it("are cancelled with the one that started them", async () => {
    const engine = createTestEngine({ workflows: [month, invoice], now: 0 });
    const execution = await engine.start(month, undefined, { id: "m" });
    await execution.cancel();
    expect([execution.state, engine.get(invoice, "m-5").state]).toEqual(["cancelled", "cancelled"]);
    const refused = await engine.start(month, undefined, { id: "n" });
    await refused.terminate();
    expect(engine.get(invoice, "n-7").outcome).toEqual({ kind: "cancelled" });
  });
});
