import { explore } from "stepwell/testing";
import { expect, it } from "vitest";
import { FakeBank } from "./fake-bank.ts";
import { invoice } from "./invoice.ts";

it("holds the money once and gives it back once, whenever the object dies", async () => {
  await explore(
    invoice,
    { customer: "ada", cents: 4900 },
    {
      world: () => {
        const bank = new FakeBank();
        return { bank, env: { BANK: bank } };
      },
      check: ({ outcome }, { bank }) => {
        expect(outcome).toMatchObject({ kind: "failed", code: "NOT_PAID" });
        expect([bank.held.size, bank.released.length]).toEqual([0, 1]);
      },
    },
  );
});
