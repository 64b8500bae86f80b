import { readBody, refuseEmpty, sentValue } from "../body.ts";
import { deliverSignal, receiverOf } from "../deliver-signal.ts";
import type { Answer, Visit } from "../visit.ts";
import { ask, tell } from "../execution-stub.ts";
import { checkIdentifier, idempotencyKeyOf } from "../identifiers.ts";
import { viewDocument } from "../view-document.ts";
import { addressInPath, workflowInPath } from "./addressed.ts";
import { appliedHeader, waitOf } from "./executions.ts";

/**
 * `POST …/{id}/signals/{name}`: 202 once the signal is durable, or with `Prefer: wait` 200 and the view when the
 * execution next waits or ends. The body is the value itself; without a body it is `undefined`.
 */
export async function sendSignal(visit: Visit): Promise<Answer> {
  const { deployment } = visit.site;
  const address = addressInPath(visit);
  const name = checkIdentifier("signal name", visit.parameter("signal"));
  const key = idempotencyKeyOf(visit.request.headers);
  const wait = waitOf(visit);
  const receiver = await receiverOf(workflowInPath(visit), deployment, (call) => ask(address, call));
  const sent = refuseEmpty(await readBody(visit.request, deployment.maximumValueBytes));
  const raw = sent.kind === "none" ? undefined : sentValue(sent.document, sent.form);
  const signal = { name, raw, key, waitMs: wait?.waitMs ?? 0 };
  const answer = await deliverSignal(signal, { deployment, receiver, tell: (call) => tell(address, call) });
  if (wait === undefined) {
    return { kind: "document", status: 202, document: { accepted: true, duplicate: answer.duplicate } };
  }
  const document = viewDocument(answer.view, visit);
  return { kind: "document", status: 200, document, headers: appliedHeader(wait) };
}
