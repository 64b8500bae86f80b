import * as z from "zod/mini";
import { readBody } from "../body.ts";
import { idempotencyKeyOf } from "../identifiers.ts";
import { lazily } from "../lazily.ts";
import type { TriggeredDocument } from "../openapi/schedule-answers.ts";
import { parseRequest } from "../requests.ts";
import { scheduleDocument } from "../schedule-document.ts";
import { commandSchedule, triggerSchedule, type Triggered, viewSchedules } from "../schedule-requests.ts";
import { executionPath } from "../view-document.ts";
import type { Answer, Endpoint, Route, Visit } from "../visit.ts";

/** There is nothing to be said with any of these requests. */
const NO_BODY = lazily(() => z.strictObject({}));

export const SCHEDULES: Endpoint = {
  route: listSchedules,
  describe: () => ({
    id: "listSchedules",
    summary: "The schedules that are deployed, with what they did last and what comes next",
    answers: { 200: { description: "In the order of the options", schema: "Schedules" } },
    problems: ["UNAVAILABLE"],
  }),
};

export const TRIGGER: Endpoint = {
  route: triggerRoute,
  describe: () => ({
    id: "triggerSchedule",
    summary: "Starts now what a schedule starts, in a pause too",
    headers: ["Idempotency-Key"],
    body: { schema: NO_BODY(), example: {} },
    answers: {
      201: { description: "It is started", schema: "Triggered", headers: { Location: "The execution" } },
      200: { description: "The same trigger had started it before", schema: "Triggered" },
      202: { description: "It is kept, and started as soon as that is possible", schema: "Triggered" },
    },
    problems: ["NOT_FOUND", "SCHEDULE_OVERLAP", "UNSUPPORTED", "INVALID_ID", "UNAVAILABLE"],
  }),
};

const SUMMARIES = {
  pause: "Pauses a schedule: its times start nothing",
  resume: "Resumes a schedule: from its next time on, and without those that passed in the pause",
} as const;

/** `POST …/{schedule}/pause` or `…/resume` */
export function scheduleCommandEndpoint(command: "pause" | "resume"): Endpoint {
  return {
    route: scheduleCommandRoute(command),
    describe: () => ({
      id: `${command}Schedule`,
      summary: SUMMARIES[command],
      body: { schema: NO_BODY(), example: {} },
      answers: {
        202: { description: "It is done", schema: "Schedule" },
        200: { description: "It already was so", schema: "Schedule" },
      },
      problems: ["NOT_FOUND", "UNAVAILABLE"],
    }),
  };
}

/** `GET /v1/schedules`: all of them, in the order of the options. */
async function listSchedules(visit: Visit): Promise<Answer> {
  const views = await viewSchedules(visit);
  const schedules = views.map((view) => scheduleDocument(view, visit.prefix));
  return { kind: "document", status: 200, document: { schedules } };
}

/** 202 and the schedule, or 200 where it already is so. */
function scheduleCommandRoute(command: "pause" | "resume"): Route {
  return async (visit) => {
    await checkBody(visit);
    const { changed, view } = await commandSchedule(visit, { name: visit.parameter("schedule"), command });
    return { kind: "document", status: changed ? 202 : 200, document: scheduleDocument(view, visit.prefix) };
  };
}

/** `POST …/{schedule}/trigger`: 201, 200 where the same trigger had come before, 202 where the start is still to come. */
async function triggerRoute(visit: Visit): Promise<Answer> {
  const key = idempotencyKeyOf(visit.request.headers);
  await checkBody(visit);
  const { workflow, id, answer } = await triggerSchedule(visit, visit.parameter("schedule"), key);
  const location = executionPath(visit.prefix, workflow, id);
  const document: TriggeredDocument = { workflow, id, links: { execution: location } };
  return { kind: "document", status: statusOf(answer), document, headers: { location } };
}

function statusOf(answer: Triggered["answer"]): 200 | 201 | 202 {
  if (answer.kind === "pending") return 202;
  return answer.created ? 201 : 200;
}

async function checkBody(visit: Visit): Promise<void> {
  const sent = await readBody(visit.request, visit.site.deployment.maximumValueBytes);
  if (sent.kind === "document") parseRequest(NO_BODY(), sent.document);
}
