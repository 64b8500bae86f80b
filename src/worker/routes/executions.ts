import { addressInPath, granted, workflowNamed } from "../addressed.ts";
import { readBody, refuseEmpty, sentValue } from "../body.ts";
import { startExecution as start } from "../execution-requests.ts";
import { ask, tell } from "../execution-stub.ts";
import { idempotencyKeyOf } from "../identifiers.ts";
import { type PreferredWait, preferredWait } from "../prefer.ts";
import { readTraceContext } from "../../journal/trace-context.ts";
import { executionPath, outcomeDocument, viewDocument } from "../view-document.ts";
import { START_BODY } from "../requests.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

/** How soon a caller should ask again for a result that is not there. */
const RETRY_AFTER_SECONDS = "1";

/** Headers of answers that were waited for. */
export const WAITED = { "Preference-Applied": "The wait that was taken from `Prefer`" };
const STARTED = { Location: "The path of the execution", ...WAITED };

export const START: Endpoint = {
  route: startExecution,
  describe: () => ({
    id: "startExecution",
    summary: "Starts an execution",
    description:
      "The same start again is answered with the same execution. Without an `id` an `Idempotency-Key` determines it, " +
      "else it is a new UUIDv7. `startAt` and `deadline` are at most 365 days long; a repeated start ignores them.",
    headers: ["Idempotency-Key", "Prefer"],
    body: { schema: START_BODY(), example: { id: "order-42", input: { sku: "lamp", cents: 4_900 }, deadline: "2h" } },
    answers: {
      201: { description: "A new execution; with `Prefer: wait` when it has ended", schema: "View", headers: STARTED },
      200: { description: "The same start had been made before", schema: "View", headers: STARTED },
    },
    problems: ["INVALID_ID", "ID_CONFLICT"],
  }),
};

export const VIEW: Endpoint = {
  route: viewExecution,
  describe: () => ({
    id: "viewExecution",
    summary: "Shows an execution: what it does, and what it waits for",
    answers: { 200: { description: "The view", schema: "View" } },
    problems: [],
  }),
};

export const RESULT: Endpoint = {
  route: executionResult,
  describe: () => ({
    id: "executionResult",
    summary: "How an execution ended",
    headers: ["Prefer"],
    answers: {
      200: { description: "The outcome, a failure included", schema: "Outcome", headers: WAITED },
      202: {
        description: "It has not ended",
        schema: "View",
        headers: { "Retry-After": "Seconds until it is worth asking again", ...WAITED },
      },
    },
    problems: [],
  }),
};

export const PURGE: Endpoint = {
  route: deleteExecution,
  describe: () => ({
    id: "deleteExecution",
    summary: "Purges an execution that has ended, and its journal",
    answers: { 204: { description: "It is gone" } },
    problems: ["EXECUTION_NOT_ENDED", "EXECUTION_UNREACHABLE"],
  }),
};

/** `POST …/executions`: 201 for a new execution, 200 where the same start had been made before. */
async function startExecution(visit: Visit): Promise<Answer> {
  const { name: workflow } = workflowNamed(visit, visit.parameter("workflow"));
  const key = idempotencyKeyOf(visit.request.headers);
  const wait = waitOf(visit);
  const body = refuseEmpty(await readBody(visit.request, visit.site.deployment.maximumValueBytes));
  const sent =
    body.kind === "none"
      ? { document: {}, valueOf: () => undefined }
      : { document: body.document, valueOf: (part: unknown) => sentValue(part, body.form) };
  // Where its callbacks are reached, unless the options say so.
  const origin = new URL(visit.request.url).origin + visit.prefix;
  const { headers: sentHeaders } = visit.request;
  const trace = readTraceContext(sentHeaders.get("traceparent"), sentHeaders.get("tracestate"));
  const { created, view } = await start(visit, { workflow, sent, key, waitMs: wait?.waitMs ?? 0, origin, trace });
  const headers = { location: executionPath(visit.prefix, workflow, view.id), ...appliedHeader(wait) };
  return { kind: "document", status: created ? 201 : 200, document: viewDocument(view, visit), headers };
}

/** `GET …/{id}` */
async function viewExecution(visit: Visit): Promise<Answer> {
  const { view } = granted(await ask(addressInPath(visit), (port) => port.view()));
  return { kind: "document", status: 200, document: viewDocument(view, visit) };
}

/** `GET …/{id}/result`: the outcome, or 202 and the view while there is none. */
async function executionResult(visit: Visit): Promise<Answer> {
  const address = addressInPath(visit);
  const wait = waitOf(visit);
  const { view } = granted(await ask(address, (port) => port.result(wait?.waitMs ?? 0)));
  const headers = appliedHeader(wait);
  if (view.outcome !== undefined) {
    return { kind: "document", status: 200, document: outcomeDocument(view.outcome, visit), headers };
  }
  const document = viewDocument(view, visit);
  return { kind: "document", status: 202, document, headers: { ...headers, "retry-after": RETRY_AFTER_SECONDS } };
}

/** `DELETE …/{id}`: an ended execution and its journal are purged. */
async function deleteExecution(visit: Visit): Promise<Answer> {
  granted(await tell(addressInPath(visit), (port) => port.purge()));
  return { kind: "empty" };
}

export function waitOf(visit: Visit): PreferredWait | undefined {
  return preferredWait(visit.request.headers.get("prefer"));
}

export function appliedHeader(wait: PreferredWait | undefined): Readonly<Record<string, string>> {
  return wait === undefined ? {} : { "preference-applied": wait.applied };
}
