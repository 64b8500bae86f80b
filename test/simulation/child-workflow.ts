import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { ChildInput } from "./run-child.ts";
import { runAsChild } from "./run-program.ts";
import type { World } from "./world.ts";

/** The workflow of every program that another one starts. */
export function childWorkflow(world: World) {
  return defineWorkflow(
    {
      name: "child",
      input: staticSchema<ChildInput>(),
      signals: { a: staticSchema<unknown>(), b: staticSchema<unknown>() },
    },
    (context) => runAsChild(context.input, context, world),
  );
}
