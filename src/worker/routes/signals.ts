import { addressInPath } from "../addressed.ts";
import { readBody, refuseEmpty, sentValue } from "../body.ts";
import { sendSignal as send } from "../execution-requests.ts";
import { idempotencyKeyOf } from "../identifiers.ts";
import { viewDocument } from "../view-document.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";
import { appliedHeader, WAITED, waitOf } from "./executions.ts";

export const SIGNAL: Endpoint = {
  route: sendSignal,
  describe: () => ({
    id: "sendSignal",
    summary: "Sends a signal, which is kept until it is awaited",
    description: "The body is the value of the signal. Under a key that is known it is a duplicate, whatever its body.",
    headers: ["Idempotency-Key", "Prefer"],
    body: { example: { approved: true } },
    answers: {
      202: { description: "It is taken", schema: "Taken" },
      200: {
        description: "With `Prefer: wait`: the view when the execution next rests or ends",
        schema: "View",
        headers: WAITED,
      },
    },
    problems: ["UNSUPPORTED", "EXECUTION_ENDED", "SIGNAL_LIMIT"],
  }),
};

/**
 * `POST …/{id}/signals/{name}`: 202 once the signal is durable, or with `Prefer: wait` 200 and the view when the
 * execution next waits or ends. The body is the value itself; without a body it is `undefined`.
 */
async function sendSignal(visit: Visit): Promise<Answer> {
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
