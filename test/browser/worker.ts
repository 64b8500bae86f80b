import { defineWorkflow, stepwell } from "stepwell";
import * as z from "zod";
import { fanOut } from "../../examples/fan-out.ts";
import { order } from "../../examples/order.ts";
import { reminder } from "../../examples/reminder.ts";
import { saga } from "../../examples/saga.ts";

/** As many small steps as wanted, one after the other. */
const march = defineWorkflow(
  { name: "march", input: z.object({ steps: z.int().min(1).max(5_000) }) },
  async ({ input, step }) => {
    for (let index = 0; index < input.steps; index += 1) await step.run("pace", () => index);
    return input.steps;
  },
);

/** What is written in no Latin letters, is long, or is large. */
const oddities = defineWorkflow(
  {
    name: "oddities-of-every-kind-that-a-page-has-to-bear-without-breaking",
    input: z.object({
      text: z.string(),
      size: z.enum(["small", "large"]).default("small"),
      lines: z.array(z.object({ note: z.string(), count: z.int().optional() })).optional(),
    }),
    signals: { "go-on": z.object({ reason: z.string() }) },
  },
  async ({ input, step, setProgress, setAttributes, awaitSignal }) => {
    setAttributes({ customer: "Жанна d’Arc", express: true });
    setProgress({ done: 3, of: 12 });
    await step.run(`${"sehr-".repeat(20)}lang`, () => ({ echo: input.text, rtl: "שלום עולם", emoji: "👩‍👩‍👧‍👦🇺🇦" }));
    await step.run("大きな値", () => (input.size === "large" ? "x".repeat(200_000) : "x"));
    await awaitSignal("go-on");
    return { text: input.text };
  },
);

const child = defineWorkflow({ name: "child", input: z.object({ ms: z.int() }) }, async ({ input, sleep }) => {
  await sleep(input.ms);
  return "grown";
});

/** Starts another one, and waits for its end. */
const parent = defineWorkflow(
  { name: "parent", input: z.object({ ms: z.int() }) },
  async ({ input, startExecution, awaitExecution }) => {
    const started = await startExecution(child, { ms: input.ms });
    const outcome = await awaitExecution(started);
    return outcome.kind;
  },
);

/** Has a bug outside of every step, which a deploy would correct. */
const broken = defineWorkflow(
  { name: "broken", retryPolicy: { initialInterval: 10, maximumAttempts: 2 } },
  async ({ step }) => {
    await step.run("fine", () => 1);
    throw new TypeError("total is not a function");
  },
);

const app = stepwell({
  workflows: [order, fanOut, reminder, saga, march, oddities, child, parent, broken],
  directory: false,
});

export class Execution extends app.Execution {}

export default app;
