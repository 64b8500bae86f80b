import { defineWorkflow, stepwell } from "stepwell";
import * as z from "zod";

/** Ends by itself, after two steps. */
const double = defineWorkflow(
  { name: "double", input: z.object({ n: z.int() }), output: z.object({ doubled: z.int() }) },
  async ({ input, step }) => {
    const once = await step.run("once", () => input.n);
    return { doubled: await step.run("twice", () => once + input.n) };
  },
);

/** Waits for a signal between two steps. */
const add = defineWorkflow(
  {
    name: "add",
    input: z.object({ n: z.int() }),
    output: z.object({ sum: z.int() }),
    signals: { number: z.object({ m: z.int() }) },
  },
  async ({ input, step, awaitSignal, setProgress }) => {
    const n = await step.run("first", () => input.n);
    setProgress({ n });
    const { value } = await awaitSignal("number");
    return { sum: await step.run("second", () => n + value.m) };
  },
);

const app = stepwell({ workflows: [double, add] });

export class Execution extends app.Execution {}
export class Directory extends app.Directory {}

export default app;
