import { countExecutions, listExecutions } from "../directory-requests.ts";
import { LIST_QUERY } from "../list-query.ts";
import { acceptedOnly } from "../media-type.ts";
import { openMetrics, OPEN_METRICS_TYPE } from "../open-metrics.ts";
import { queryOf } from "../requests.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

export const LIST: Endpoint = {
  route: listRoute,
  describe: () => ({
    id: "listExecutions",
    summary: "Executions by workflow, state, time and attributes",
    description:
      "From the directory, which follows what happens by a moment. `attribute.NAME=value` finds those with that " +
      "attribute; several find those that have all. `startedAfter` is a part of what is found, `startedBefore` is not. " +
      "`next` is the `cursor` of the next page; none is skipped and none comes twice. A page may hold fewer than " +
      "`limit`, and the last one is that whose `next` is null.",
    query: LIST_QUERY(),
    answers: { 200: { description: "A page, newest first unless `order` says otherwise", schema: "Executions" } },
    problems: ["INVALID_CURSOR", "NOT_FOUND", "UNAVAILABLE"],
  }),
};

export const COUNTS: Endpoint = {
  route: countsRoute,
  describe: () => ({
    id: "countExecutions",
    summary: "How many executions there are, by workflow and state",
    answers: { 200: { description: "In all, and of each workflow", schema: "Counts" } },
    problems: ["NOT_FOUND", "UNAVAILABLE"],
  }),
};

export const METRICS: Endpoint = {
  route: metricsRoute,
  acceptedForm: acceptedOnly(OPEN_METRICS_TYPE),
  describe: () => ({
    id: "metrics",
    summary: "The counts as OpenMetrics",
    answers: {
      200: {
        description: "A gauge for each workflow and state",
        mediaType: OPEN_METRICS_TYPE,
        example: 'stepwell_executions{workflow="order",state="paused"} 2\n# EOF\n',
      },
    },
    problems: ["NOT_FOUND", "UNAVAILABLE"],
  }),
};

/** `GET /v1/executions` */
async function listRoute(visit: Visit): Promise<Answer> {
  return { kind: "document", status: 200, document: await listExecutions(visit, queryOf(visit.request.url)) };
}

/** `GET /v1/counts` */
async function countsRoute(visit: Visit): Promise<Answer> {
  return { kind: "document", status: 200, document: await countExecutions(visit) };
}

/** `GET /metrics` */
async function metricsRoute(visit: Visit): Promise<Answer> {
  const text = openMetrics(await countExecutions(visit));
  const headers = { "content-type": `${OPEN_METRICS_TYPE}; version=1.0.0; charset=utf-8` };
  return { kind: "response", response: new Response(text, { headers }) };
}
