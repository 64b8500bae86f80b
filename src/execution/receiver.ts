import { findWorkflow, latestWorkflow, type Deployment } from "./deployment.ts";
import type { Absent, Found } from "./wire.ts";
import { definitionOf, type WorkflowTerms } from "./workflow.ts";

export type Receiver =
  | { readonly kind: "receiver"; readonly terms: WorkflowTerms }
  | Absent
  /** The execution's version is not deployed: a deploy is under way, or it waits for one. */
  | { readonly kind: "not-deployed"; readonly message: string };

/**
 * The code that will read a signal. Where several versions are deployed only the execution knows which is its own, and
 * `view` asks it.
 */
export async function receiverOf(
  deployment: Deployment,
  workflow: string,
  view: () => Promise<Found | Absent>,
): Promise<Receiver> {
  const latest = definitionOf(latestWorkflow(deployment, workflow));
  if (latest === undefined) return { kind: "absent" };
  const versions = deployment.workflows.filter(({ name }) => name === workflow);
  if (versions.length === 1) return { kind: "receiver", terms: latest };
  const found = await view();
  if (found.kind === "absent") return found;
  const { version } = found.view;
  const own = definitionOf(findWorkflow(deployment, workflow, version));
  if (own !== undefined) return { kind: "receiver", terms: own };
  const which = version === undefined ? "without a version" : `of version ${version}`;
  return { kind: "not-deployed", message: `Cannot take the signal as the workflow ${which} is not deployed` };
}
