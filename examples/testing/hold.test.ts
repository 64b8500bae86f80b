import { stepContext } from "stepwell/testing";
import { expect, it } from "vitest";
import { FakeBank } from "./fake-bank.ts";
import { hold } from "./invoice.ts";

it("asks the bank with the key of its step", async () => {
  const bank = new FakeBank();
  const context = stepContext({ attempt: 2, idempotencyKey: "key-7" });
  expect(await hold(bank, 4900, context)).toEqual({ id: "key-7" });
});
