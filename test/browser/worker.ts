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

/** Takes a value of every kind that a form can make. */
const forms = defineWorkflow(
  {
    name: "forms",
    input: z.object({
      title: z.string().describe("What it is called"),
      mail: z.email().optional(),
      copies: z.int().default(3),
      ratio: z.number(),
      express: z.boolean(),
      size: z.enum(["small", "large"]),
      note: z.string().nullable(),
      pay: z.discriminatedUnion("by", [
        z.object({ by: z.literal("card"), number: z.string() }),
        z.object({ by: z.literal("invoice"), address: z.object({ city: z.string(), floor: z.int().optional() }) }),
      ]),
      tags: z.array(z.string()),
      labels: z.record(z.string(), z.int()),
      place: z.tuple([z.number(), z.number()]),
      anything: z.unknown().optional(),
    }),
  },
  async ({ input }) => input.copies,
);

/** Is sent many signals, and reads one. */
const inbox = defineWorkflow({ name: "inbox", signals: { mail: z.int() } }, async ({ awaitSignal, sleep }) => {
  await sleep("1h");
  await awaitSignal("mail", { timeout: "1h" });
});

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
  workflows: [order, fanOut, reminder, saga, march, oddities, forms, inbox, child, parent, broken],
  schedules: [
    { name: "yearly-trip", cron: "0 9 1 1 *", timeZone: "Europe/Berlin", workflow: saga, input: { city: "rome" } },
    { name: "leap-day", cron: "30 6 29 2 *", workflow: child, input: { ms: 1 } },
  ],
});

export class Execution extends app.Execution {}

export class Directory extends app.Directory {}

export class Scheduler extends app.Scheduler {}

export default app;
