import { readBody, refuseEmpty, sentValue } from "../body.ts";
import { deliverSignal, receiverOf } from "../deliver-signal.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";
import { ask, tell } from "../execution-stub.ts";
import { checkIdentifier, idempotencyKeyOf } from "../identifiers.ts";
import { viewDocument } from "../view-document.ts";
import { addressInPath, workflowInPath } from "./addressed.ts";
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
