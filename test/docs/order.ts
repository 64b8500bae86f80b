import { defineWorkflow } from "stepwell";
import * as z from "zod";

/** The workflow that pages speak of. */
export const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string(), cents: z.int().positive() }),
    output: z.object({ tracking: z.string() }),
    signals: { approval: z.object({ approved: z.boolean() }) },
    errors: { OUT_OF_STOCK: z.object({ sku: z.string() }), NOT_APPROVED: z.object({}) },
  },
  async ({ input, step, awaitSignal, errors }) => {
    const { approved } = (await awaitSignal("approval")).value;
    if (!approved) throw errors.NOT_APPROVED({});
    return { tracking: await step.run("ship", () => input.sku) };
  },
);
