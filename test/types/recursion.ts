import { defineWorkflow, defineWorkflowSpec } from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";

export const treeSpec = defineWorkflowSpec({
  name: "tree",
  input: z.object({ n: z.number().default(3) }),
  output: z.object({ sum: z.number() }),
  signals: { go: z.string() },
});

export const tree = defineWorkflow(treeSpec, async (context) => {
  const { input, runExecution, awaitSignal, startExecution, awaitExecution } = context;
  const go: string = (await awaitSignal("go")).value;
  if (input.n === 0) return { sum: go.length };
  const left = await runExecution(treeSpec, { n: input.n - 1 });
  expectTypeOf(left).toEqualTypeOf<{ sum: number }>();
  const right = await awaitExecution(await startExecution(treeSpec, {}));
  // By its name, with the type alone.
  const named = await runExecution<typeof treeSpec>("tree", { n: 1 }, { id: "named" });
  return { sum: left.sum + named.sum + (right.kind === "completed" ? right.value.sum : 0) };
});

// @ts-expect-error another value
export const bad = defineWorkflow(treeSpec, async () => ({ sum: "x" }));
