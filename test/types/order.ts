import { defineWorkflow } from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";

declare function reserve(sku: string): Promise<{ reserved: boolean; parcelId: string }>;
declare function charge(
  cents: number,
  options: { idempotencyKey: string; signal: AbortSignal },
): Promise<{ id: string }>;
declare function refund(id: string): Promise<void>;
declare function ship(id: string): Promise<string>;

export const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string(), cents: z.int().positive(), express: z.boolean().default(false) }),
    output: z.object({ tracking: z.string() }),
    signals: { approval: z.object({ approved: z.boolean() }) },
    errors: { OUT_OF_STOCK: z.object({ sku: z.string() }), NOT_APPROVED: z.object({}) },
  },
  async ({ input, step, awaitSignal, errors }) => {
    expectTypeOf(input.express).toEqualTypeOf<boolean>();
    const stock = await step.run("reserve-stock", () => reserve(input.sku));
    if (!stock.reserved) throw errors.OUT_OF_STOCK({ sku: input.sku });
    const payment = await step.run(
      {
        name: "charge-card",
        retryPolicy: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "30s", maximumAttempts: 5 },
        timeout: "10s",
      },
      ({ idempotencyKey, signal }) => charge(input.cents, { idempotencyKey, signal }),
      (charged) => refund(charged.id),
    );
    expectTypeOf(payment).toEqualTypeOf<{ id: string }>();
    const approval = await awaitSignal("approval", { timeout: "24h" });
    if (!approval.received || !approval.value.approved) throw errors.NOT_APPROVED({});
    const second = await awaitSignal("approval");
    expectTypeOf(second.value.approved).toEqualTypeOf<boolean>();
    // @ts-expect-error unknown signal
    await awaitSignal("approvals");
    // @ts-expect-error unknown code
    errors.NOPE({});
    return { tracking: await step.run("ship", () => ship(stock.parcelId)) };
  },
);
