import type { Schedule } from "../schedules/schedule.ts";
import type { ScheduleState } from "../schedules/schedule-state.ts";
import type { ScheduleView } from "./wire-schedules.ts";

/** How many times are shown ahead. */
const TIMES_SHOWN = 3;

/** What callers see of a schedule. */
export function scheduleView(schedule: Schedule, state: ScheduleState, now: number): ScheduleView {
  const { name, cron, timeZone, workflow, overlap, catchUp } = schedule;
  const { pausedAt, pending, last, lastMissedAt, lastSkippedAt, lastRefused } = state;
  return {
    name,
    cron,
    timeZone,
    workflow,
    overlap,
    catchUp,
    ...(pausedAt !== undefined && { pausedAt }),
    nextTimes: pausedAt === undefined ? timesAfter(schedule, now) : [],
    pending: pending.map(({ id, at, failures }) => ({ id, at, failures })),
    ...(last !== undefined && { last }),
    ...(lastMissedAt !== undefined && { lastMissedAt }),
    ...(lastSkippedAt !== undefined && { lastSkippedAt }),
    ...(lastRefused !== undefined && { lastRefused }),
  };
}

function timesAfter({ times }: Schedule, now: number): readonly number[] {
  const shown: number[] = [];
  for (let at = times.after(now); at !== undefined && shown.length < TIMES_SHOWN; at = times.after(at)) shown.push(at);
  return shown;
}
