import { expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { MemoryHost } from "../support/memory-host.ts";

const LENGTH = 60_000;
const STEPS = 150;

it("a page of a journal ends where its text would be too long for a call, and the next one goes on there", async () => {
  const workflow = defineWorkflow({ name: "w" }, async ({ step }) => {
    for (let i = 0; i < STEPS; i += 1) await step.run("long", () => "x".repeat(LENGTH));
  });
  const host = new MemoryHost({ workflows: [workflow] });
  const { object } = await host.start(workflow);
  const numbers: number[] = [];
  let pages = 0;
  for (let from: number | null = 0; from !== null; pages += 1) {
    const page = await object.service.journal({ from, limit: 1_000 });
    if (page.kind === "absent") throw new Error("There is no execution.");
    // The last entry of it may go beyond.
    expect(page.entries.length).toBeLessThan(LIMITS.journalPageLength + 2 * LENGTH);
    // The cast: the text is what the object has written.
    numbers.push(...(JSON.parse(page.entries) as { readonly entry: number }[]).map(({ entry }) => entry));
    from = page.next;
  }
  expect(pages).toBe(Math.ceil((STEPS * LENGTH) / LIMITS.journalPageLength));
  expect(numbers).toEqual(object.service.entries().map(({ number }) => number));
});
