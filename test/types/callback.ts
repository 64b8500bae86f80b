import { defineWorkflow, type Callback, type OutputOf, type SignalOutcome, type WorkflowContext } from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";

const Decision = z.object({ approved: z.boolean(), note: z.string().default("") });

const asks = defineWorkflow({ name: "asks" }, async ({ createCallback }) => {
  const typed = await createCallback({ name: "approval", schema: Decision, timeout: "3d" });
  expectTypeOf(typed).toEqualTypeOf<Callback<{ approved: boolean; note: string }>>();
  expectTypeOf(typed.url).toEqualTypeOf<string>();
  const bare = await createCallback();
  expectTypeOf(await bare.result()).toEqualTypeOf<SignalOutcome<unknown>>();
  // @ts-expect-error There is no month.
  await createCallback({ timeout: "1 month" });
  const decision = await typed.result();
  return decision.received ? decision.value.note : undefined;
});
expectTypeOf<OutputOf<typeof asks>>().toEqualTypeOf<string | undefined>();

/** A function that has only the context. */
export async function ask({ createCallback, step }: WorkflowContext, send: (url: string) => Promise<void>) {
  const { url, result } = await createCallback({ schema: Decision });
  await step.run("send", () => send(url));
  return await result();
}
