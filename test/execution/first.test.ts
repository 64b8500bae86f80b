import { expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";

it("runs ten steps, one row each", async () => {
  const ten = defineWorkflow({ name: "ten" }, async ({ step, now }) => {
    let sum = 0;
    for (let i = 0; i < 10; i += 1) sum += await step.run(`s${i}`, () => i);
    return { sum, now: now() };
  });
  const host = new MemoryHost({ workflows: [ten] });
  const probe = await host.start(ten);
  expect(host.logs).toEqual([]);
  expect(await probe.outcome()).toEqual({ kind: "completed", value: { sum: 45, now: 0 } });
  console.log(probe.object.rows, probe.object.alarmsSet, probe.object.alarm);
});

it("retries", async () => {
  const flaky = defineWorkflow({ name: "flaky" }, async ({ step, sleep, exhausted, now }) => {
    const at: number[] = [];
    const settled = await Promise.allSettled([
      step.run({ name: "a", retryPolicy: { initialInterval: "10s", maximumAttempts: 3 } }, ({ attempt }) => {
        at.push(attempt);
        if (attempt < 3) throw new Error("no");
        return attempt;
      }),
      step.run({ name: "b", retryPolicy: { initialInterval: "1s", maximumAttempts: 2 } }, () => {
        throw new Error("never");
      }),
    ]);
    await sleep("1h");
    return [settled.map((s) => s.status), exhausted((settled[1] as PromiseRejectedResult).reason), now()];
  });
  const host = new MemoryHost({ workflows: [flaky] });
  const probe = await host.start(flaky);
  console.log(await probe.alarm(), await probe.view());
  await host.advance(1000);
  console.log(await probe.alarm());
  await probe.evict();
  await host.runToEnd();
  expect(host.logs).toEqual([]);
  for (const f of await probe.facts()) console.log(JSON.stringify(f));
  expect(await probe.outcome()).toEqual({ kind: "completed", value: [["fulfilled", "rejected"], true, 3_630_000] });
});
