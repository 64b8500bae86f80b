import { defineWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../../test/support/memory-host.ts";
import type { Family } from "./figures.ts";
import { rounded } from "./list-times.ts";

const SIZES = [100, 1_000, 3_000];

const child = defineWorkflow({ name: "child" }, async ({ step }) => {
  await step.run("work", async () => 1);
});

const parents = SIZES.map((children) =>
  defineWorkflow({ name: `parent-of-${children}` }, async ({ runExecution }) => {
    await Promise.all(Array.from({ length: children }, () => runExecution(child)));
  }),
);

/** Parents that start all of their children at once, by the engine itself on a virtual clock. */
export async function measureFamilies(most: number, log: (line: string) => void): Promise<readonly Family[]> {
  const families: Family[] = [];
  for (const [index, children] of SIZES.entries()) {
    const parent = parents[index];
    if (parent === undefined || 10 * children > most) continue;
    const host = new MemoryHost({ workflows: [child, parent] });
    const begunAt = performance.now();
    const execution = await host.start(parent);
    await host.runToEnd();
    const ms = rounded(performance.now() - begunAt);
    const { rowsWritten, entries, operations } = (await execution.view()).usage;
    families.push({ children, rowsWritten, entries, operations, ms });
    log(`a parent of ${children} children was looked at`);
  }
  return families;
}
