import { stepwell } from "stepwell";
import { CLIENT_WORKFLOWS } from "../../support/client-workflows.ts";

const app = stepwell({ workflows: CLIENT_WORKFLOWS });

export class Execution extends app.Execution {}
export class Directory extends app.Directory {}

export default app;
