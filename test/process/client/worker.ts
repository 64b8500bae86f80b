import { stepwell } from "stepwell";
import { CLIENT_SCHEDULES, CLIENT_WORKFLOWS } from "../../support/client-workflows.ts";

const app = stepwell({ workflows: CLIENT_WORKFLOWS, schedules: CLIENT_SCHEDULES });

export class Execution extends app.Execution {}
export class Directory extends app.Directory {}
export class Scheduler extends app.Scheduler {}

export default app;
