import { stepwell } from "stepwell";
import { fanOut } from "./fan-out.ts";
import { order } from "./order.ts";
import { reminder } from "./reminder.ts";
import { saga } from "./saga.ts";

const app = stepwell({ workflows: [order, fanOut, reminder, saga], directory: false });

/** One Durable Object for each execution: binding `EXECUTIONS` in wrangler.toml. */
export class Execution extends app.Execution {}

export default app;
