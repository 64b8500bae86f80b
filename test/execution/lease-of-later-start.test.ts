import { expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";

it("a later start has its lease before the workflow's code runs, as every wake has", async () => {
  const alarms: (number | undefined)[] = [];
  const workflow = defineWorkflow({ name: "later" }, async () => {
    alarms.push(probe.object.alarm);
  });
  const host = new MemoryHost({ workflows: [workflow] });
  const probe = await host.start(workflow, { startAt: 5_000 });
  await probe.evict();
  await host.advance(5_000);
  expect(alarms).toEqual([6_000]);
  expect((await probe.view()).state).toBe("completed");
});
