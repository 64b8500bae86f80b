import { defineWorkflow, type ExecutionRef, type Outcome, type OutputOf } from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";
import { order } from "./order.ts";

export const batch = defineWorkflow(
  { name: "batch", input: z.object({ skus: z.array(z.string()) }) },
  async ({ input, startExecution, awaitExecution, execution }) => {
    const refs = await Promise.all(
      input.skus.map((sku) => startExecution(order, { sku, cents: 5 }, { id: `${execution.id}-${sku}` })),
    );
    expectTypeOf(refs).toEqualTypeOf<ExecutionRef<typeof order>[]>();
    const outcomes = await Promise.all(refs.map((ref) => awaitExecution(ref)));
    expectTypeOf(outcomes).toEqualTypeOf<Outcome<typeof order>[]>();
    const tracking: string[] = [];
    for (const outcome of outcomes) {
      if (outcome.kind === "completed") tracking.push(outcome.value.tracking);
      else if (outcome.kind === "failed" && outcome.declared && outcome.code === "OUT_OF_STOCK") {
        tracking.push(`none for ${outcome.details.sku}`);
      }
    }
    const [first] = refs;
    if (first === undefined) return { tracking, late: false };
    const late = await awaitExecution(first, { timeout: "1h" });
    // @ts-expect-error a policy is a step's
    await startExecution(order, { sku: "a", cents: 5 }, { retryPolicy: {} });
    return { tracking, late: late.kind === "timeout" };
  },
);
expectTypeOf<OutputOf<typeof batch>>().toEqualTypeOf<{ tracking: string[]; late: boolean }>();
