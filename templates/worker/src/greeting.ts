import { defineWorkflow } from "stepwell";
import * as z from "zod";

/** Writes a greeting, waits until somebody answers it, and gives up after a day. */
export const greeting = defineWorkflow(
  {
    name: "greeting",
    input: z.object({ to: z.string() }),
    output: z.object({ text: z.string(), answer: z.string() }),
    signals: { answer: z.object({ text: z.string() }) },
  },
  async ({ input, step, sleep, awaitSignal }) => {
    const text = await step.run("write", () => `Hello, ${input.to}!`);
    await sleep("2s");
    const answer = await awaitSignal("answer", { timeout: "1d" });
    return { text, answer: answer.received ? answer.value.text : "none" };
  },
);
