import { acceptSignal } from "../execution/accept.ts";
import { type Deployment, findWorkflow } from "../execution/deployment.ts";
import { definitionOf, type WorkflowDefinition } from "../execution/workflow.ts";
import type { SignalAnswer } from "../execution/wire.ts";
import type { Call } from "./execution-stub.ts";
import { Problem } from "./problem.ts";
import { accepted, granted } from "./routes/addressed.ts";

/** A signal as it came. */
export interface SentSignal {
  readonly name: string;
  readonly raw: unknown;
  readonly key: string | undefined;
  readonly waitMs: number;
}

/** How it gets to its execution. */
export interface SignalRoute {
  readonly deployment: Deployment;
  /** The code that reads it. */
  readonly receiver: WorkflowDefinition;
  readonly tell: Call;
}

/** Checks a signal against what the workflow declares, and sends it. */
export async function deliverSignal(
  { name, raw, key, waitMs }: SentSignal,
  { deployment, receiver, tell }: SignalRoute,
): Promise<SignalAnswer> {
  const terms = { maximumValueBytes: deployment.maximumValueBytes, at: [] };
  const { value } = accepted(await acceptSignal(receiver, { name, value: raw }, terms));
  return granted(await tell((port) => port.signal({ name, value, ...(key !== undefined && { key }), waitMs })));
}

/** The code that will read the signal. Where several versions are deployed only the execution knows which is its own. */
export async function receiverOf(
  latest: WorkflowDefinition,
  deployment: Deployment,
  ask: Call,
): Promise<WorkflowDefinition> {
  const versions = deployment.workflows.filter(({ name }) => name === latest.name);
  if (versions.length === 1) return latest;
  const { view } = granted(await ask((port) => port.view()));
  const own = definitionOf(findWorkflow(deployment, view.workflow, view.version));
  if (own !== undefined) return own;
  const version = view.version === undefined ? "without a version" : `of version ${view.version}`;
  throw new Problem("NOT_CONFIGURED", `Cannot take the signal as the workflow ${version} is not deployed`);
}
