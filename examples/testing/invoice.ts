import { defineWorkflow, type StepContext } from "stepwell";
import * as z from "zod";

/** What the invoice needs of the outside. */
export interface Bank {
  hold(cents: number, key: string): Promise<{ readonly id: string }>;
  release(id: string, key: string): Promise<void>;
}

declare global {
  namespace Cloudflare {
    interface Env {
      readonly BANK: Bank;
    }
  }
}

export async function hold(bank: Bank, cents: number, { attempt, idempotencyKey, log }: StepContext) {
  if (attempt > 1) log.info("The bank is asked again.", { cents, attempt });
  return await bank.hold(cents, idempotencyKey);
}

/** Holds the money, waits four weeks for the payment, and reminds once a week. */
export const invoice = defineWorkflow(
  {
    name: "invoice",
    input: z.object({ customer: z.string(), cents: z.int().positive() }),
    output: z.object({ paidBy: z.string(), reminders: z.int() }),
    signals: { paid: z.object({ by: z.string() }) },
    errors: { NOT_PAID: z.object({ customer: z.string() }) },
  },
  async ({ input, env, step, awaitSignal, errors }) => {
    await step.run(
      { name: "hold", retryPolicy: { initialInterval: "1s", maximumAttempts: 3 } },
      (context) => hold(env.BANK, input.cents, context),
      (held, { idempotencyKey }) => env.BANK.release(held.id, idempotencyKey),
    );
    for (let reminders = 0; reminders < 4; reminders += 1) {
      const paid = await awaitSignal("paid", { timeout: "7d" });
      if (paid.received) return { paidBy: paid.value.by, reminders };
      await step.run("remind", () => `Dear ${input.customer}, …`);
    }
    throw errors.NOT_PAID({ customer: input.customer });
  },
);
