import { type ContextOf, defineWorkflow, type WorkflowContext } from "stepwell";
import * as z from "zod";
import { order } from "./order.ts";

async function notify({ step, sleep, env }: WorkflowContext, to: string) {
  await step.run("notify", () => env.DB.prepare("select ?").bind(to).first<{ id: string }>());
  await sleep("1s");
}

export async function exact({ errors, awaitSignal }: ContextOf<typeof order>) {
  const approval = await awaitSignal("approval");
  if (!approval.value.approved) throw errors.NOT_APPROVED({});
}

export const a = defineWorkflow(
  {
    name: "a",
    input: z.object({ to: z.string() }),
    signals: { go: z.object({ ok: z.boolean() }) },
    errors: { NO: z.object({ x: z.string() }) },
  },
  async (context) => {
    await notify(context, context.input.to);
  },
);
