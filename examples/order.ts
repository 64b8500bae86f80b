import { defineWorkflow } from "stepwell";
import * as z from "zod";
import { post } from "./post.ts";

const Stock = z.object({ id: z.string(), reserved: z.boolean() });
const Receipt = z.object({ id: z.string() });

/** Reserves, charges, waits for a person's approval, ships. Each step has the retry policy that its service needs. */
export const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string(), cents: z.int().positive() }),
    output: z.object({ payment: z.string(), tracking: z.string() }),
    signals: { approval: z.object({ approved: z.boolean() }) },
    errors: { OUT_OF_STOCK: z.object({ sku: z.string() }), NOT_APPROVED: z.object({}) },
  },
  async ({ input, env, step, awaitSignal, errors }) => {
    const stock = await step.run("reserve-stock", async (context) =>
      Stock.parse(await post(`${env.FLAKY_URL}/stock/${encodeURIComponent(input.sku)}`, context)),
    );
    if (!stock.reserved) throw errors.OUT_OF_STOCK({ sku: input.sku });

    // The service answers 503 and 429 with `Retry-After`: those times count, not the intervals below.
    const payment = await step.run(
      {
        name: "charge-card",
        retryPolicy: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "30s", maximumAttempts: 5 },
        timeout: "10s",
      },
      async (context) => Receipt.parse(await post(`${env.FLAKY_URL}/payments/${input.cents}`, context)),
    );

    // Nothing runs and nothing is billed while it waits. A timeout is an outcome, not an error.
    const approval = await awaitSignal("approval", { timeout: "24h" });
    if (!approval.received || !approval.value.approved) throw errors.NOT_APPROVED({});

    // The connection breaks once, and one answer takes longer than the timeout: both are ordinary failed attempts.
    const parcel = await step.run(
      { name: "ship", retryPolicy: { initialInterval: "500ms", maximumAttempts: 6 }, timeout: "2s" },
      async (context) => Receipt.parse(await post(`${env.FLAKY_URL}/parcels/${stock.id}`, context)),
    );
    return { payment: payment.id, tracking: parcel.id };
  },
);
