import { stepwell } from "stepwell";
import { order } from "../../../examples/order.ts";

/** Nothing is listed here, and nothing is started by the clock. */
const app = stepwell({ workflows: [order], directory: false });

export class Execution extends app.Execution {}

export default app;
