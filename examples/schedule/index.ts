import { defineWorkflow, stepwell } from "stepwell";
import * as z from "zod";

declare global {
  namespace Cloudflare {
    interface Env {
      /** The service that knows the figures, and takes the reports. */
      readonly FIGURES_URL: string;
    }
  }
}

/** How many orders there were. */
const Figures = z.object({ count: z.int() });

/** Sends the figures of a day to a team. The same for whoever starts it: a schedule, or a person. */
export const report = defineWorkflow(
  { name: "report", input: z.object({ team: z.string() }), output: z.object({ day: z.string(), count: z.int() }) },
  async ({ input, env, execution, step }) => {
    // The time that the schedule meant, however late the start was: a run that is made up for reports its own day.
    const { scheduledAt } = execution.attributes;
    const meantAt = typeof scheduledAt === "number" ? scheduledAt : execution.startedAt;
    const day = new Date(meantAt).toISOString().slice(0, 10);
    const figures = await step.run("read-figures", async ({ signal }) => {
      const response = await fetch(`${env.FIGURES_URL}/figures/${input.team}/${day}`, { signal });
      if (!response.ok) throw new Error(`The figures answered ${response.status}.`);
      return Figures.parse(await response.json());
    });
    await step.run("send-report", async ({ idempotencyKey, signal }) => {
      const headers = { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey };
      const body = JSON.stringify({ day, ...figures });
      const response = await fetch(`${env.FIGURES_URL}/reports/${input.team}`, {
        method: "POST",
        headers,
        body,
        signal,
      });
      if (!response.ok) throw new Error(`The reports answered ${response.status}.`);
    });
    return { day, count: figures.count };
  },
);

const app = stepwell({
  workflows: [report],
  schedules: [
    {
      name: "daily-report",
      // At half past two by the clock on the wall, also on the night on which that time is skipped or comes twice.
      cron: "30 2 * * *",
      timeZone: "Europe/Berlin",
      workflow: report,
      input: { team: "sales" },
      // Every day gets its report, even when nothing could be started for a while.
      overlap: "allow",
      catchUp: "all",
    },
    {
      name: "hourly-report",
      cron: "0 8-18 * * MON-FRI",
      timeZone: "Europe/Berlin",
      workflow: report,
      input: { team: "stock" },
    },
  ],
});

/** One Durable Object for each execution: binding `EXECUTIONS` in wrangler.toml. */
export class Execution extends app.Execution {}

/** The index of them: binding `DIRECTORY`. */
export class Directory extends app.Directory {}

/** The one that keeps the schedules: binding `SCHEDULER`. */
export class Scheduler extends app.Scheduler {}

/** `fetch`, and `scheduled` for the Cron Trigger in wrangler.toml. */
export default app;
