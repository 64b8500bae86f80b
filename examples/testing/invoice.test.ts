import { createTestEngine } from "stepwell/testing";
import { expect, it } from "vitest";
import { FakeBank } from "./fake-bank.ts";
import { invoice } from "./invoice.ts";

const input = { customer: "ada", cents: 4900 };

function setUp() {
  const bank = new FakeBank();
  return { bank, engine: createTestEngine({ workflows: [invoice], env: { BANK: bank } }) };
}

it("completes when the customer pays after the first reminder", async () => {
  const { engine } = setUp();
  const execution = await engine.start(invoice, input, { id: "inv-1" });
  expect(execution.waitingFor).toEqual([{ kind: "signal", name: "paid", until: 604_800_000, because: "timeout" }]);

  await engine.advance("8d");
  await execution.signal("paid", { by: "card" });
  expect(execution.outcome).toEqual({ kind: "completed", value: { paidBy: "card", reminders: 1 } });
});

it("gives the money back when nobody pays for a month", async () => {
  const { bank, engine } = setUp();
  const execution = await engine.start(invoice, input);
  await engine.runToEnd();
  expect(execution.outcome).toMatchObject({ kind: "failed", declared: true, code: "NOT_PAID" });
  expect(engine.now).toBe(28 * 86_400_000);
  expect([bank.held.size, bank.released.length]).toEqual([0, 1]);
});

it("asks the bank three times, and says what it answered last", async () => {
  const { bank, engine } = setUp();
  bank.failures = 3;
  const execution = await engine.start(invoice, input);
  expect(execution.steps).toMatchObject([{ name: "hold", state: "waiting", attempts: 1, retryAt: 1_000 }]);
  await engine.runToEnd();
  expect(execution.outcome).toMatchObject({ code: "STEP_EXHAUSTED", details: { step: "hold", attempts: 3 } });
  expect(execution.failure).toMatchObject({ name: "Error", message: "the bank is closed" });
});

it("holds the money once, though the object is lost between the bank's answer and the journal", async () => {
  const { bank, engine } = setUp();
  engine.interrupt("hold");
  const execution = await engine.start(invoice, input);
  await engine.advance("1s");
  execution.evict(); // all memory is lost, and the next wake replays
  await execution.signal("paid", { by: "card" });
  expect(execution.steps.map(({ name, attempts }) => `${name} ${attempts}`)).toEqual(["hold 2", "paid 0"]);
  expect(bank.held.size).toBe(1);
});
