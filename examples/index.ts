import { stepwell } from "stepwell";
import { fanOut } from "./fan-out.ts";
import { order } from "./order.ts";
import { reminder } from "./reminder.ts";
import { saga } from "./saga.ts";

const app = stepwell({ workflows: [order, fanOut, reminder, saga] });

/** One Durable Object for each execution: binding `EXECUTIONS` in wrangler.toml. */
export class Execution extends app.Execution {}

/** The index of them: binding `DIRECTORY`. */
export class Directory extends app.Directory {}

export default app;
