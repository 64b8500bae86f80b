import type { Unacceptable } from "../../execution/accept.ts";
import { latestWorkflow } from "../../execution/deployment.ts";
import type { Absent, Refused } from "../../execution/wire.ts";
import { definitionOf, type WorkflowDefinition } from "../../execution/workflow.ts";
import type { Address } from "../execution-stub.ts";
import { checkIdentifier } from "../identifiers.ts";
import { Problem } from "../problem.ts";
import type { Visit } from "../visit.ts";

/** The workflow that the path names, as new executions get it. */
export function workflowInPath(visit: Visit): WorkflowDefinition {
  const definition = definitionOf(latestWorkflow(visit.site.deployment, visit.parameter("workflow")));
  if (definition === undefined) throw new Problem("NOT_FOUND", "No workflow of this name is deployed");
  return definition;
}

/** The execution that the path names; whether it exists only its object knows. */
export function addressInPath(visit: Visit): Address {
  const { name } = workflowInPath(visit);
  return { site: visit.site, env: visit.env, workflow: name, id: checkIdentifier("id", visit.parameter("id")) };
}

/** The answer, unless there is no such execution or a rule forbids it: those are thrown as problems. */
export function granted<Answer extends { readonly kind: string }>(answer: Answer): Exclude<Answer, Absent | Refused> {
  const open: { readonly kind: string } | Absent | Refused = answer;
  if (isAbsent(open)) throw new Problem("NOT_FOUND", "No execution with this id exists, or its retention is over");
  if (isRefused(open)) throw new Problem(open.code, open.message);
  // The cast: the compiler does not narrow a type parameter.
  return answer as Exclude<Answer, Absent | Refused>;
}

/** What was sent, unless it cannot be taken: that is thrown as a problem. */
export function accepted<Accepted extends { readonly kind: "accepted" }>(answer: Accepted | Unacceptable): Accepted {
  if (answer.kind === "accepted") return answer;
  throw problemOfValue(answer);
}

export function problemOfValue({ code, message, issues }: Unacceptable): Problem {
  return new Problem(code, message, issues === undefined ? {} : { issues });
}

function isAbsent(answer: { readonly kind: string }): answer is Absent {
  return answer.kind === "absent";
}

function isRefused(answer: { readonly kind: string }): answer is Refused {
  return answer.kind === "refused";
}
