import * as z from "zod/mini";

/** Unix milliseconds. */
const TIME = z.int();

/** The execution that a schedule started last. */
const SCHEDULED_START = z.strictObject({
  id: z.string(),
  workflow: z.string(),
  at: TIME,
  by: z.enum(["time", "trigger"]),
  startedAt: TIME,
  outcome: z.optional(z.enum(["completed", "failed", "cancelled"])),
  purged: z.optional(z.literal(true)),
  links: z.record(z.string(), z.string()),
});

export const SCHEDULE = z.strictObject({
  name: z.string(),
  cron: z.string(),
  timeZone: z.string(),
  workflow: z.string(),
  overlap: z.enum(["skip", "allow", "cancel-previous"]),
  catchUp: z.enum(["none", "last", "all"]),
  paused: z.boolean(),
  pausedAt: z.optional(TIME),
  nextAt: z.nullable(TIME),
  nextTimes: z.array(TIME),
  pending: z.array(z.strictObject({ id: z.string(), at: TIME, failures: z.int().check(z.nonnegative()) })),
  lastStart: z.optional(SCHEDULED_START),
  lastMissedAt: z.optional(TIME),
  lastSkippedAt: z.optional(TIME),
  lastRefused: z.optional(z.strictObject({ at: TIME, code: z.string(), message: z.string() })),
  links: z.record(z.string(), z.string()),
});

export const SCHEDULES = z.strictObject({ schedules: z.array(SCHEDULE) });

export const TRIGGERED = z.strictObject({
  workflow: z.string(),
  id: z.string(),
  links: z.record(z.string(), z.string()),
});

export type ScheduleDocument = z.output<typeof SCHEDULE>;
export type ScheduledStartDocument = z.output<typeof SCHEDULED_START>;
export type TriggeredDocument = z.output<typeof TRIGGERED>;
