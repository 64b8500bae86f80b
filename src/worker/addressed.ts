import type { Unacceptable } from "../execution/accept.ts";
import { latestWorkflow } from "../execution/deployment.ts";
import type { Absent, Refused } from "../execution/wire.ts";
import { definitionOf, type WorkflowDefinition } from "../execution/workflow.ts";
import type { Address } from "./execution-stub.ts";
import { checkIdentifier } from "./identifiers.ts";
import { Problem } from "./problem.ts";
import type { Site } from "./site.ts";
import type { Visit } from "./visit.ts";

/** Whose executions are meant: those of an app in one Worker. */
export interface Place {
  readonly site: Site;
  readonly env: Cloudflare.Env;
}

/** The workflow of that name, as new executions get it. */
export function workflowNamed({ site }: Place, name: string): WorkflowDefinition {
  const definition = definitionOf(latestWorkflow(site.deployment, name));
  if (definition === undefined) throw new Problem("NOT_FOUND", "No workflow of this name is deployed");
  return definition;
}

/** Where an execution is; whether it exists only its object knows. */
export function addressOf({ site, env }: Place, ref: { readonly workflow: string; readonly id: string }): Address {
  const { name } = workflowNamed({ site, env }, ref.workflow);
  return { site, env, workflow: name, id: checkIdentifier("id", ref.id) };
}

/** The execution that the path names. */
export function addressInPath(visit: Visit): Address {
  return addressOf(visit, { workflow: visit.parameter("workflow"), id: visit.parameter("id") });
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
