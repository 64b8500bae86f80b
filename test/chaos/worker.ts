import { stepwell } from "stepwell";
import { expense } from "../../examples/approval/index.ts";
import { fanOut } from "../../examples/fan-out.ts";
import { order } from "../../examples/order.ts";
import { reminder } from "../../examples/reminder.ts";
import { saga } from "../../examples/saga.ts";

/** The workflows of all examples in one Worker. */
const app = stepwell({ workflows: [order, fanOut, reminder, saga, expense], directory: false });

export class Execution extends app.Execution {}

export default app;
