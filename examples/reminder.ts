import { defineWorkflow } from "stepwell";
import * as z from "zod";
import { post } from "./post.ts";

/** Reminds somebody once in a while, until they say that it is done. */
export const reminder = defineWorkflow(
  {
    name: "reminder",
    input: z.object({
      to: z.email(),
      nudges: z.int().min(1).max(365).default(7),
      interval: z.templateLiteral([z.number(), z.enum(["s", "m", "h", "d"])]).default("1d"),
    }),
    output: z.object({ sent: z.int(), done: z.boolean() }),
    signals: { done: z.object({}) },
  },
  async ({ input, env, step, sleep, awaitSignal }) => {
    await sleep(input.interval);
    for (let nudge = 1; nudge <= input.nudges; nudge++) {
      // The same name in a loop is fine: the journal calls them `send-mail`, `send-mail#2`, `send-mail#3`.
      await step.run("send-mail", (context) =>
        post(`${env.FLAKY_URL}/mails/${nudge}?to=${encodeURIComponent(input.to)}`, context),
      );
      const done = await awaitSignal("done", { timeout: input.interval });
      if (done.received) return { sent: nudge, done: true };
    }
    return { sent: input.nudges, done: false };
  },
);
