import { stepwell } from "stepwell";
import { greeting } from "./greeting.ts";

const app = stepwell({
  workflows: [greeting],
  schedules: [{ name: "every-morning", cron: "0 9 * * *", workflow: greeting, input: { to: "the new day" } }],
});

/** One Durable Object for each execution: binding `EXECUTIONS` in wrangler.toml. */
export class Execution extends app.Execution {}

/** The index of them: binding `DIRECTORY`. */
export class Directory extends app.Directory {}

/** The one that keeps the schedules: binding `SCHEDULER`. */
export class Scheduler extends app.Scheduler {}

/** `fetch`, and `scheduled` for the Cron Trigger in wrangler.toml. */
export default app;
