import {
  type Attributes,
  defineWorkflow,
  defineWorkflowSpec,
  type ExecutionRef,
  executionRef,
  type InputOf,
  type OutputOf,
  stepwell,
} from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";

export const treeSpec = defineWorkflowSpec({
  name: "tree",
  input: z.object({ n: z.number().default(3) }),
  output: z.object({ sum: z.number().default(0) }),
  signals: { go: z.string() },
});
expectTypeOf<InputOf<typeof treeSpec>>().toEqualTypeOf<{ n?: number | undefined }>();
expectTypeOf<OutputOf<typeof treeSpec>>().toEqualTypeOf<{ sum: number }>();

export const tree = defineWorkflow(treeSpec, async ({ input, awaitSignal, execution, setAttributes, patched }) => {
  expectTypeOf(input).toEqualTypeOf<{ n: number }>();
  const go: string = (await awaitSignal("go")).value;
  expectTypeOf(execution.attributes).toEqualTypeOf<Attributes>();
  setAttributes({ go, n: input.n, patched: patched("twice") });
  // @ts-expect-error dates are no attributes
  setAttributes({ at: new Date(0) });
  // @ts-expect-error unknown signal
  await awaitSignal("stop");
  return input.n === 0 ? {} : { sum: go.length };
});
expectTypeOf<OutputOf<typeof tree>>().toEqualTypeOf<{ sum: number }>();

// @ts-expect-error the return value does not fit the output schema
defineWorkflow(treeSpec, async () => ({ sum: "x" }));
// @ts-expect-error a spec says what its code returns
defineWorkflowSpec({ name: "no-output" });
// @ts-expect-error months are no duration
defineWorkflow({ name: "wrong", deadline: "1 month" }, async () => 1);

expectTypeOf(executionRef(tree, "t-1")).toEqualTypeOf<ExecutionRef<typeof tree>>();
expectTypeOf(executionRef<typeof tree>("tree", "t-1")).toEqualTypeOf<ExecutionRef<typeof tree>>();
expectTypeOf(executionRef(treeSpec, "t-1").id).toEqualTypeOf<string>();
// @ts-expect-error an id is a string
executionRef(tree, 1);

stepwell({ workflows: [tree, defineWorkflow({ name: "slow", deadline: "2h" }, async () => 1)] });
