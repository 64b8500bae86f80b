import { defineWorkflow, type OutputOf, staticSchema } from "stepwell";
import { createClient } from "stepwell/client";
import { expectTypeOf } from "vitest";
import type { order } from "./order.ts";

// Types without a validator; everything else is still inferred.
export const a = defineWorkflow(
  { name: "a", input: staticSchema<{ n: number }>(), signals: { go: staticSchema<string>() } },
  async ({ input, step, awaitSignal }) => ({
    twice: await step.run("x", () => input.n * 2),
    go: (await awaitSignal("go")).value,
  }),
);
expectTypeOf<OutputOf<typeof a>>().toEqualTypeOf<{ twice: number; go: string }>();

const tick = defineWorkflow({ name: "tick" }, async ({ step, sleep }) => {
  await step.run("a", () => 1);
  await sleep("1 day");
});

export async function started() {
  const client = createClient({ url: "https://flows.example.com" });
  await client.start(tick);
  const options = { startAt: new Date(), attributes: { customer: "c" } };
  const handle = await client.start<typeof order>("order", { sku: "a", cents: 1 }, options);
  const tracking: string = (await handle.result()).tracking;
  await client.get<typeof order>("order", "x").signal("approval", { approved: true });
  // @ts-expect-error input required
  await client.start(a);
  // @ts-expect-error wrong input; a name alone is untyped only without a type argument
  await client.start<typeof order>("order", { sku: 1 });
  return tracking;
}

export const generic = defineWorkflow({ name: "generic" }, async ({ step }) => {
  const row = await step.run("q", (): Promise<{ id: string } | null> => Promise.resolve(null));
  const nothing = await step.run("u", async () => {});
  const list = await step.run("l", async ({ attempt }) => (attempt > 1 ? [1] : undefined));
  async function run<T>(callback: () => Promise<T>) {
    return await step.run("g", callback);
  }
  return { row, nothing, list, text: await run(async () => "x") };
});
expectTypeOf<OutputOf<typeof generic>>().toEqualTypeOf<{
  row: { id: string } | null;
  nothing: void;
  list: number[] | undefined;
  text: string;
}>();
