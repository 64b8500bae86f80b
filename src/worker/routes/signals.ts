import { addressInPath } from "../addressed.ts";
import { readBody, refuseEmpty, sentValue } from "../body.ts";
import { sendSignal as send } from "../execution-requests.ts";
import { idempotencyKeyOf } from "../identifiers.ts";
import { viewDocument } from "../view-document.ts";
import type { Answer, Visit } from "../visit.ts";
import { appliedHeader, waitOf } from "./executions.ts";

/**
 * `POST …/{id}/signals/{name}`: 202 once the signal is durable, or with `Prefer: wait` 200 and the view when the
 * execution next waits or ends. The body is the value itself; without a body it is `undefined`.
 */
export async function sendSignal(visit: Visit): Promise<Answer> {
  const address = addressInPath(visit);
  const name = visit.parameter("signal");
  const key = idempotencyKeyOf(visit.request.headers);
  const wait = waitOf(visit);
  const value = async () => {
    const sent = refuseEmpty(await readBody(visit.request, visit.site.deployment.maximumValueBytes));
    return sent.kind === "none" ? undefined : sentValue(sent.document, sent.form);
  };
  const answer = await send(address, { name, key, waitMs: wait?.waitMs ?? 0, value });
  if (wait === undefined) {
    return { kind: "document", status: 202, document: { accepted: true, duplicate: answer.duplicate } };
  }
  const document = viewDocument(answer.view, visit);
  return { kind: "document", status: 200, document, headers: appliedHeader(wait) };
}
