import { defineWorkflow } from "stepwell";
import * as z from "zod";

declare function mail(to: string): Promise<void>;

export const reminder = defineWorkflow(
  {
    name: "reminder",
    input: z.object({ to: z.email(), days: z.int().max(365) }),
    signals: { stop: z.object({ reason: z.string().optional() }) },
  },
  async ({ input, step, sleep, awaitSignal }) => {
    for (let day = 0; day < input.days; day += 1) {
      const stop = await awaitSignal("stop", { timeout: "1d" });
      if (stop.received) return { sent: day, reason: stop.value.reason ?? "none" };
      await step.run("send-mail", () => mail(input.to));
      await sleep("1d");
    }
    return { sent: input.days, reason: "done" };
  },
);
