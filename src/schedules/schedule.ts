import type { CronTimes } from "./cron-times.ts";

/** What happens at a time when the execution that the schedule started last has not ended. */
export type Overlap = "skip" | "allow" | "cancel-previous";

/** Which of the times that passed while nothing could be started are made up for. */
export type CatchUp = "none" | "last" | "all";

/** A schedule that was found right. */
export interface Schedule {
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  /** The name of the workflow that it starts. */
  readonly workflow: string;
  /** The value codec's text of the input, as it stands in the options. */
  readonly input: string;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly times: CronTimes;
}

/** By what its times were told: another of them gives other times. */
export function clockOf({ cron, timeZone }: Pick<Schedule, "cron" | "timeZone">): string {
  return `${timeZone} ${cron}`;
}

const FRACTION_AND_SIGNS = /\.\d+|[:-]/g;

/**
 * The id of the execution that a schedule starts for a time, as in `nightly.20260329T013000Z`: it follows from the two,
 * so that no time is started twice, whoever sends what how often.
 */
export function scheduledId(name: string, at: number): string {
  return `${name}.${new Date(at).toISOString().replaceAll(FRACTION_AND_SIGNS, "")}`;
}
