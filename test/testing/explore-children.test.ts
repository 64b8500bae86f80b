import { defineWorkflow, staticSchema } from "stepwell";
import { explore, ExplorationFailed } from "stepwell/testing";
import { expect, it } from "vitest";

class Bank {
  readonly charges: string[] = [];

  charge(cents: number, key: string | undefined): void {
    if (key !== undefined && this.charges.includes(key)) return;
    this.charges.push(key ?? `${cents}`);
  }
}

function family(charge: (cents: number, key: string) => void) {
  const bill = defineWorkflow({ name: "bill", input: staticSchema<number>() }, async ({ input, step }) => {
    await step.run("charge", ({ idempotencyKey }) => charge(input, idempotencyKey));
    return input;
  });
  const bills = defineWorkflow({ name: "bills" }, async ({ startExecution, awaitExecution, runExecution }) => {
    const first = await startExecution(bill, 1);
    const second = await runExecution(bill, 2);
    const outcome = await awaitExecution(first);
    return [outcome.kind, second];
  });
  return { bill, bills };
}

it("explore lets children die as well, and those that wait for them", async () => {
  let bank = new Bank();
  const { bill, bills } = family((cents, key) => bank.charge(cents, key));
  const found = await explore(bills, undefined, {
    workflows: [bill],
    world: () => (bank = new Bank()),
    check: (execution, { charges }) => {
      expect(execution.outcome).toEqual({ kind: "completed", value: ["completed", 2] });
      expect(charges).toHaveLength(2);
    },
  });
  // Each child has two commits at least, and each commit was followed and preceded by a death.
  expect(found.commits).toBeGreaterThan(6);
  expect(found.runs).toBeGreaterThan(2 * found.commits);
  expect(found.skipped).toBe(0);
});

it("explore finds the effect without a key that a child has twice", async () => {
  let bank = new Bank();
  const { bill, bills } = family((cents) => bank.charge(cents, undefined));
  const looked = explore(bills, undefined, {
    workflows: [bill],
    world: () => (bank = new Bank()),
    check: (_, { charges }) => expect(charges).toHaveLength(2),
  });
  await expect(looked).rejects.toThrow(ExplorationFailed);
  await expect(looked).rejects.toMatchObject({ kind: "check", schedule: [expect.stringContaining("crash")] });
});
