import { acceptSignal } from "../../execution/accept.ts";
import { findWorkflow } from "../../execution/deployment.ts";
import { definitionOf, type WorkflowDefinition } from "../../execution/workflow.ts";
import { readBody, refuseEmpty, sentValue } from "../body.ts";
import type { Answer, Visit } from "../visit.ts";
import { type Address, ask, tell } from "../execution-stub.ts";
import { checkIdentifier, idempotencyKeyOf } from "../identifiers.ts";
import { Problem } from "../problem.ts";
import { viewDocument } from "../view-document.ts";
import { accepted, addressInPath, granted, workflowInPath } from "./addressed.ts";
import { appliedHeader, waitOf } from "./executions.ts";

/**
 * `POST …/{id}/signals/{name}`: 202 once the signal is durable, or with `Prefer: wait` 200 and the view when the
 * execution next waits or ends. The body is the value itself; without a body it is `undefined`.
 */
export async function sendSignal(visit: Visit): Promise<Answer> {
  const { maximumValueBytes } = visit.site.deployment;
  const address = addressInPath(visit);
  const name = checkIdentifier("signal name", visit.parameter("signal"));
  const key = idempotencyKeyOf(visit.request.headers);
  const wait = waitOf(visit);
  const definition = await receiver(address, workflowInPath(visit));
  const sent = refuseEmpty(await readBody(visit.request, maximumValueBytes));
  const raw = sent.kind === "none" ? undefined : sentValue(sent.document, sent.form);
  const { value } = accepted(await acceptSignal(definition, { name, value: raw }, { maximumValueBytes, at: [] }));
  const answer = granted(
    await tell(address, (port) =>
      port.signal({ name, value, ...(key === undefined ? {} : { key }), waitMs: wait?.waitMs ?? 0 }),
    ),
  );
  if (wait === undefined) {
    return { kind: "document", status: 202, document: { accepted: true, duplicate: answer.duplicate } };
  }
  const document = viewDocument(answer.view, visit);
  return { kind: "document", status: 200, document, headers: appliedHeader(wait) };
}

/** The code that will read the signal. Where several versions are deployed only the execution knows which is its own. */
async function receiver(address: Address, latest: WorkflowDefinition): Promise<WorkflowDefinition> {
  const { deployment } = address.site;
  const versions = deployment.workflows.filter(({ name }) => name === address.workflow);
  if (versions.length === 1) return latest;
  const { view } = granted(await ask(address, (port) => port.view()));
  const own = definitionOf(findWorkflow(deployment, view.workflow, view.version));
  if (own !== undefined) return own;
  const version = view.version === undefined ? "without a version" : `of version ${view.version}`;
  throw new Problem("NOT_CONFIGURED", `Cannot take the signal as the workflow ${version} is not deployed`);
}
