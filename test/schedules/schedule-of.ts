import { readCron } from "../../src/schedules/cron-times.ts";
import type { Schedule } from "../../src/schedules/schedule.ts";

/** A schedule that starts every minute, but for what a test wants. */
export function scheduleOf(changes: Partial<Omit<Schedule, "times">> = {}): Schedule {
  const terms = {
    name: "nightly",
    cron: "* * * * *",
    timeZone: "UTC",
    workflow: "report",
    input: "-1",
    overlap: "skip",
    catchUp: "none",
    ...changes,
  } as const;
  return { ...terms, times: readCron(terms.cron, terms.timeZone, "cron") };
}
