import * as z from "zod/mini";
import type { ScheduleView } from "../../execution/wire-schedules.ts";
import { readBody } from "../body.ts";
import { idempotencyKeyOf } from "../identifiers.ts";
import { parseRequest } from "../requests.ts";
import { commandSchedule, triggerSchedule, viewSchedules } from "../schedule-requests.ts";
import { executionPath } from "../view-document.ts";
import type { Answer, Route, Visit } from "../visit.ts";

/** There is nothing to be said with any of these requests. */
const NO_BODY = z.strictObject({});

/** `GET /v1/schedules`: all of them, in the order of the options. */
export async function listSchedules(visit: Visit): Promise<Answer> {
  const views = await viewSchedules(visit);
  const schedules = views.map((view) => scheduleDocument(view, visit.prefix));
  return { kind: "document", status: 200, document: { schedules } };
}

/** `POST …/{schedule}/pause` and `…/resume`: 202 and the schedule, or 200 where it already is so. */
export function scheduleCommandRoute(command: "pause" | "resume"): Route {
  return async (visit) => {
    await checkBody(visit);
    const { changed, view } = await commandSchedule(visit, { name: visit.parameter("schedule"), command });
    return { kind: "document", status: changed ? 202 : 200, document: scheduleDocument(view, visit.prefix) };
  };
}

/** `POST …/{schedule}/trigger`: 201, 200 where the same trigger had come before, 202 where the start is still to come. */
export async function triggerRoute(visit: Visit): Promise<Answer> {
  const key = idempotencyKeyOf(visit.request.headers);
  await checkBody(visit);
  const { workflow, id, answer } = await triggerSchedule(visit, visit.parameter("schedule"), key);
  const execution = executionPath(visit.prefix, workflow, id);
  const created = answer.kind === "started" && answer.created;
  const status = answer.kind === "pending" ? 202 : created ? 201 : 200;
  const document = { workflow, id, links: { execution } };
  return { kind: "document", status, document, headers: { location: execution } };
}

async function checkBody(visit: Visit): Promise<void> {
  const sent = await readBody(visit.request, visit.site.deployment.maximumValueBytes);
  if (sent.kind === "document") parseRequest(NO_BODY, sent.document);
}

function scheduleDocument(view: ScheduleView, prefix: string): Readonly<Record<string, unknown>> {
  const { pausedAt, nextTimes, last, ...rest } = view;
  const self = `${prefix}/v1/schedules/${view.name}`;
  return {
    ...rest,
    paused: pausedAt !== undefined,
    ...(pausedAt !== undefined && { pausedAt }),
    nextAt: nextTimes[0] ?? null,
    nextTimes,
    ...(last !== undefined && { lastStart: startDocument(last, prefix) }),
    links: { pause: `${self}/pause`, resume: `${self}/resume`, trigger: `${self}/trigger` },
  };
}

function startDocument(
  { ended, ...start }: NonNullable<ScheduleView["last"]>,
  prefix: string,
): Readonly<Record<string, unknown>> {
  const isGone = ended === "gone";
  return {
    ...start,
    ...(ended !== undefined && !isGone && { outcome: ended }),
    ...(isGone ? { purged: true } : { links: { execution: executionPath(prefix, start.workflow, start.id) } }),
  };
}
