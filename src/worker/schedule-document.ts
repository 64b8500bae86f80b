import type { ScheduleView } from "../execution/wire-schedules.ts";
import type { ScheduleDocument, ScheduledStartDocument } from "./openapi/schedule-answers.ts";
import { executionPath } from "./view-document.ts";

/** A schedule as the interface shows it; `prefix` is where its routes are. */
export function scheduleDocument(view: ScheduleView, prefix: string): ScheduleDocument {
  const { pausedAt, nextTimes, pending, last, ...rest } = view;
  const self = `${prefix}/v1/schedules/${view.name}`;
  return {
    ...rest,
    paused: pausedAt !== undefined,
    ...(pausedAt !== undefined && { pausedAt }),
    nextAt: nextTimes[0] ?? null,
    nextTimes: [...nextTimes],
    pending: [...pending],
    ...(last !== undefined && { lastStart: startDocument(last, prefix) }),
    links: { pause: `${self}/pause`, resume: `${self}/resume`, trigger: `${self}/trigger` },
  };
}

function startDocument({ ended, ...start }: NonNullable<ScheduleView["last"]>, prefix: string): ScheduledStartDocument {
  if (ended === "gone") return { ...start, purged: true, links: {} };
  return {
    ...start,
    ...(ended !== undefined && { outcome: ended }),
    links: { execution: executionPath(prefix, start.workflow, start.id) },
  };
}
