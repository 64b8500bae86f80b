import { randomUUID } from "node:crypto";
import { insiders, type Bench, type Scenario } from "../bench.ts";
import type { Inside, ObjectUsage } from "../contestant.ts";
import { priceOf } from "../prices.ts";
import type { Program } from "../program.ts";

const MILLION = 1_000_000;

/** What an execution is billed for. These are counts, and the same on every machine. */
export const rows: Scenario = {
  letter: "W",
  title: "rows written, alarms, price",
  async run(bench) {
    for (const { name, inside } of insiders(bench)) await count(bench, name, inside);
  },
};

async function count({ figures, service, log }: Bench, contestant: string, inside: Inside): Promise<void> {
  log(`W ${contestant}`);
  const add = (what: string, unit: "rows" | "times" | "$", value: number) =>
    figures.add({ scenario: "W", what, contestant, unit, samples: [value] });
  const ten = await usageOf(inside, { kind: "steps", count: 10 });
  const hundred = await usageOf(inside, { kind: "steps", count: 110 });
  add("10 steps", "rows", ten.rowsWritten);
  add("each further step", "rows", (hundred.rowsWritten - ten.rowsWritten) / 100);
  add("10 steps, alarms that rang", "times", ten.alarmsRung);
  const retried = await usageOf(inside, {
    kind: "retries",
    url: `${service.url}/once/${randomUUID()}`,
    delaysMs: [100],
    bodyMs: 0,
  });
  const accepted = await usageOf(inside, {
    kind: "retries",
    url: `${service.url}/ok/${randomUUID()}`,
    delaysMs: [100],
    bodyMs: 0,
  });
  add("each retry", "rows", retried.rowsWritten - accepted.rowsWritten);
  // A start, which waits for the result, goes through the Worker to the object.
  const price = priceOf({
    rowsWritten: ten.rowsWritten * MILLION,
    requestsToWorker: MILLION,
    requestsToObjects: (1 + ten.alarmsRung) * MILLION,
  });
  add("a million executions of 10 steps", "$", price);
}

async function usageOf(inside: Inside, program: Program): Promise<ObjectUsage> {
  const id = randomUUID();
  await inside.run(id, program);
  return await inside.usage(id);
}
