import { acceptRaw } from "../../execution/accept.ts";
import { callbackKeys } from "../../execution/callback-keys.ts";
import { type CallbackAddress, readCallback } from "../../execution/callback-token.ts";
import { accepted, granted, problemOfValue } from "../addressed.ts";
import { readBody, refuseEmpty, sentValue } from "../body.ts";
import { configurationFault } from "../configuration.ts";
import { tell } from "../execution-stub.ts";
import { idempotencyKeyOf } from "../identifiers.ts";
import { Problem } from "../problem.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

/** When to try again what cannot be judged now: who waits for a deploy has time. */
const RETRY_AFTER_SECONDS = "60";

export const CALLBACK: Endpoint = {
  route: answerCallback,
  describe: () => ({
    id: "answerCallback",
    summary: "Answers a callback, once",
    description:
      "The token in the path is all that is needed. The body is the answer itself. The same answer again under the same " +
      "key is a duplicate.",
    isPublic: true,
    headers: ["Idempotency-Key"],
    body: { example: { paid: true } },
    answers: { 200: { description: "It is taken", schema: "Taken" } },
    problems: [
      "NOT_FOUND",
      "INVALID_ID",
      "CALLBACK_USED",
      "CALLBACK_EXPIRED",
      "CALLBACK_ENDED",
      "JOURNAL_LIMIT",
      "UNAVAILABLE",
    ],
  }),
};

/**
 * `POST /v1/callbacks/{token}`: 200 once the answer is durable, and again under the same `Idempotency-Key`. The body is
 * the answer itself; without a body it is `undefined`. The token is all that is asked for, and no object is touched
 * before it is found to be right.
 */
async function answerCallback(visit: Visit): Promise<Answer> {
  const { site, env, request } = visit;
  const { workflow, id, startedAt, callback } = callbackInPath(visit);
  const { maximumValueBytes } = site.deployment;
  const key = idempotencyKeyOf(request.headers);
  const sent = refuseEmpty(await readBody(request, maximumValueBytes));
  const raw = sent.kind === "none" ? undefined : sentValue(sent.document, sent.form);
  const { value } = accepted(acceptRaw(raw, maximumValueBytes));
  const answer = await tell({ site, env, workflow, id }, (port) =>
    port.answerCallback({ callback, startedAt, value, ...(key !== undefined && { key }) }),
  );
  if (answer.kind === "absent") {
    // What was signed was there: it has ended, and was purged.
    throw new Problem(
      "CALLBACK_ENDED",
      "Cannot answer the callback as its execution has ended: current value is purged",
    );
  }
  if (answer.kind === "unacceptable") throw problemOfValue(answer);
  if (answer.kind === "refused" && answer.code === "UNAVAILABLE") {
    throw new Problem("UNAVAILABLE", answer.message, { headers: { "retry-after": RETRY_AFTER_SECONDS } });
  }
  return { kind: "document", status: 200, document: { accepted: true, duplicate: granted(answer).duplicate } };
}

/** Whom the token in the path is for. A wrong one tells nothing about what there is. */
function callbackInPath(visit: Visit): CallbackAddress {
  const { site, env, request } = visit;
  const fault = configurationFault(site, env, request.url);
  if (fault !== undefined) throw new Problem("NOT_CONFIGURED", fault);
  const { accepted: keys } = callbackKeys(env, new URL(request.url).hostname);
  if (keys.length === 0) {
    const rule = "the secret STEPWELL_CALLBACK_KEY or STEPWELL_TOKEN must be set";
    throw new Problem("NOT_CONFIGURED", `Cannot take answers to callbacks as ${rule}: current value is absent`);
  }
  const address = readCallback(visit.parameter("token"), keys);
  if (address === undefined) throw new Problem("NOT_FOUND", "No callback has this token");
  return address;
}
