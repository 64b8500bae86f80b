import * as z from "zod";
import { defineWorkflow } from "stepwell";

/** Waits to be approved, and says how much it costs. */
export const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string().min(1), lines: z.array(z.object({ cents: z.int() })).default([]) }),
    signals: { approval: z.object({ approved: z.boolean() }), note: z.string() },
    errors: { REJECTED: z.object({ sku: z.string(), at: z.date() }) },
  },
  async ({ input, step, awaitSignal, setProgress, errors, execution }) => {
    const price = await step.run("price", () => input.lines.reduce((sum, { cents }) => sum + cents, 0));
    setProgress({ price });
    const approval = await awaitSignal("approval");
    const at = new Date(execution.startedAt);
    if (!approval.value.approved) throw errors.REJECTED({ sku: input.sku, at }, `${input.sku} is rejected`);
    return { sku: input.sku, price, at };
  },
);

/** Gives back whatever it gets, by each way that a value can take. */
export const echo = defineWorkflow(
  { name: "echo", input: z.any(), output: z.any(), signals: { next: z.any() }, errors: { BAD: z.any() } },
  async ({ input, step, awaitSignal, setProgress, errors }) => {
    setProgress(input);
    const kept = await step.run("keep", () => input as unknown);
    const { value } = await awaitSignal("next");
    if (value === "fail") throw errors.BAD({ kept });
    return { kept, value: value as unknown };
  },
);

/** Needs no input, and ends by itself. */
export const tick = defineWorkflow({ name: "tick" }, async ({ step }) => await step.run("tick", () => 1));

/** Works until it is told to stop. */
export const slow = defineWorkflow({ name: "slow" }, async ({ sleep }) => {
  await sleep("1d");
});

/** Has a result that is too large for an entry. */
export const large = defineWorkflow(
  { name: "large" },
  async ({ step }) => await step.run("large", () => "€".repeat(100_000)),
);

const versions = { signals: { go: z.object({ word: z.string() }) } };
export const first = defineWorkflow({ name: "versioned", version: "1", ...versions }, async ({ awaitSignal }) => [
  "first",
  (await awaitSignal("go")).value.word,
]);
export const second = defineWorkflow({ name: "versioned", version: "2", ...versions }, async ({ awaitSignal }) => [
  "second",
  (await awaitSignal("go")).value.word,
]);

/** Far from now: what they start, tests trigger. */
export const CLIENT_SCHEDULES = [
  { name: "yearly-slow", cron: "0 0 1 1 *", timeZone: "Europe/Berlin", workflow: "slow" },
  { name: "yearly-tick", cron: "30 1 2 1 *", workflow: "tick", overlap: "allow", catchUp: "last" },
] as const;

export const CLIENT_WORKFLOWS = [order, echo, tick, slow, large, first, second] as const;
