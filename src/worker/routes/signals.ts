import { acceptSignal } from "../../execution/accept.ts";
import { receiverOf } from "../../execution/receiver.ts";
import type { WorkflowTerms } from "../../execution/workflow.ts";
import { readBody, refuseEmpty, sentValue } from "../body.ts";
import type { Answer, Visit } from "../visit.ts";
import { type Address, ask, tell } from "../execution-stub.ts";
import { checkIdentifier, idempotencyKeyOf } from "../identifiers.ts";
import { Problem } from "../problem.ts";
import { viewDocument } from "../view-document.ts";
import { accepted, addressInPath, granted } from "./addressed.ts";
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
  const definition = await receiver(address);
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

/** The code that will read the signal. */
async function receiver(address: Address): Promise<WorkflowTerms> {
  const { deployment } = address.site;
  const found = granted(await receiverOf(deployment, address.workflow, () => ask(address, (port) => port.view())));
  if (found.kind === "not-deployed") throw new Problem("NOT_CONFIGURED", found.message);
  return found.terms;
}
