import { LIMITS } from "../limits.ts";
import { clockOf, scheduledId, type Schedule } from "./schedule.ts";

/** A start that was decided and is not acknowledged. */
export interface PendingStart {
  readonly id: string;
  /** As it was when the start was decided: the same start must not become one of another workflow. */
  readonly workflow: string;
  /** The time that it is for; of a trigger, when that came. */
  readonly at: number;
  readonly by: "time" | "trigger";
  /** When it is sent, or sent again. */
  readonly dueAt: number;
  /** Tries in a row that got no answer. */
  readonly failures: number;
}

export interface LastStart extends Pick<PendingStart, "id" | "workflow" | "at" | "by"> {
  readonly startedAt: number;
  /** How it ended, once that was asked; `gone`: its execution is purged. */
  readonly ended?: ScheduledEnd;
}

export type ScheduledEnd = "completed" | "failed" | "cancelled" | "gone";

/** What is kept of one schedule. */
export interface ScheduleState {
  /** What its times were told by. */
  readonly clock: string;
  /** The first time that nothing was decided for; absent where none comes any more. */
  readonly nextAt?: number | undefined;
  readonly pausedAt?: number | undefined;
  /** Not deployed any more since then. */
  readonly removedAt?: number | undefined;
  readonly pending: readonly PendingStart[];
  readonly last?: LastStart;
  /** The latest time that was not started because it had passed long before it was seen. */
  readonly lastMissedAt?: number;
  /** The latest time that was not started because of an overlap. */
  readonly lastSkippedAt?: number;
  /** The latest start that was refused. */
  readonly lastRefused?: Refusal;
}

export interface Refusal {
  /** The time of the start. */
  readonly at: number;
  readonly code: RefusalCode;
  readonly message: string;
}

/** Of a workflow that is not deployed any more, or of an input that its schema does not take. */
export type RefusalCode = "NOT_FOUND" | "VALIDATION_ERROR" | "VALUE_TOO_LARGE" | "UNSUPPORTED";

/** The state under what is deployed now. What is new, came back or has other times counts from now on. */
export function adoptSchedule(state: ScheduleState | undefined, schedule: Schedule, now: number): ScheduleState {
  const clock = clockOf(schedule);
  if (state?.clock === clock && state.removedAt === undefined) return state;
  return { pending: [], ...state, clock, nextAt: schedule.times.after(now), removedAt: undefined };
}

/**
 * The state of a schedule that is not deployed; `undefined` where it has been so for long. Kept for a while, because two
 * deployments may take turns while one replaces the other: a pause must survive that.
 */
export function abandonSchedule(state: ScheduleState, now: number): ScheduleState | undefined {
  const { removedAt = now } = state;
  if (now - removedAt > LIMITS.removedScheduleMs) return undefined;
  return state.removedAt === undefined ? { ...state, removedAt, nextAt: undefined } : state;
}

/** Decides about every time up to now. */
export function takeDue(state: ScheduleState, schedule: Schedule, now: number): ScheduleState {
  const { nextAt, pausedAt, pending } = state;
  if (pausedAt !== undefined || nextAt === undefined || nextAt > now) return state;
  // What was decided or accepted is never dropped for what is new.
  const room = LIMITS.pendingStarts - pending.length;
  const { starts, missedAt } = dueTimes(schedule, { from: nextAt, now, room });
  const { name, workflow } = schedule;
  const taken = starts.map((at): PendingStart => {
    return { id: scheduledId(name, at), workflow, at, by: "time", dueAt: now, failures: 0 };
  });
  return {
    ...state,
    nextAt: schedule.times.after(now),
    pending: [...pending, ...taken],
    ...(missedAt !== undefined && { lastMissedAt: missedAt }),
  };
}

interface DueRange {
  readonly from: number;
  readonly now: number;
  /** How many starts may become pending. */
  readonly room: number;
}

interface DueTimes {
  readonly starts: readonly number[];
  /** The latest of those that are not started. */
  readonly missedAt: number | undefined;
}

/** Which of the times from `from` to `now` are started, in their order. One that is hardly late was not missed. */
export function dueTimes(
  { catchUp, times }: Pick<Schedule, "catchUp" | "times">,
  { from, now, room }: DueRange,
): DueTimes {
  const count = catchUp === "all" ? room : Math.min(1, room);
  const due = times.upTo(now, count + 1).filter((at) => at >= from);
  const [latest] = due;
  const isLate = latest !== undefined && now - latest > LIMITS.scheduleLatenessMs;
  if (catchUp === "none" && isLate) return { starts: [], missedAt: latest };
  return { starts: due.slice(0, count).reverse(), missedAt: due[count] };
}

/** What is to be sent next; times wait while the schedule is paused. Those of one schedule go one after the other. */
export function nextPending({ pausedAt, pending }: ScheduleState): PendingStart | undefined {
  return pausedAt === undefined ? pending[0] : pending.find(({ by }) => by === "trigger");
}

/** When something is to be done for a schedule, where `isUnderWay` tells that a start of it is being sent. */
export function scheduleWakeAt(state: ScheduleState, isUnderWay: boolean): number | undefined {
  const { nextAt, pausedAt } = state;
  const sendAt = isUnderWay ? undefined : nextPending(state)?.dueAt;
  const timeAt = pausedAt === undefined ? nextAt : undefined;
  if (sendAt === undefined || timeAt === undefined) return sendAt ?? timeAt;
  return Math.min(sendAt, timeAt);
}

/** No time is started until it is resumed. */
export function pauseSchedule(state: ScheduleState, now: number): ScheduleState {
  return state.pausedAt === undefined ? { ...state, pausedAt: now } : state;
}

/** Times that passed in the pause are not made up for: somebody did not want them. */
export function resumeSchedule(state: ScheduleState, schedule: Schedule, now: number): ScheduleState {
  if (state.pausedAt === undefined) return state;
  return { ...state, pausedAt: undefined, nextAt: schedule.times.after(now) };
}

/** One start now; `undefined` where too many are pending. */
export function triggerSchedule(
  state: ScheduleState,
  { workflow, id }: Pick<PendingStart, "workflow" | "id">,
  now: number,
): ScheduleState | undefined {
  if (state.pending.some((pending) => pending.id === id)) return state;
  if (state.pending.length >= LIMITS.pendingStarts) return undefined;
  const start: PendingStart = { id, workflow, at: now, by: "trigger", dueAt: now, failures: 0 };
  return { ...state, pending: [...state.pending, start] };
}

/** What came of a start that was sent. */
export type StartResult =
  | { readonly kind: "started"; readonly created: boolean; readonly startedAt: number }
  /** The execution that runs. */
  | { readonly kind: "skipped"; readonly running: string }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly message: string }
  /** Nobody knows: it is sent again. */
  | { readonly kind: "failed"; readonly message: string };

/** The state after a start was answered, or was not. */
export function settleStart(
  state: ScheduleState,
  { id, result }: { readonly id: string; readonly result: StartResult },
  now: number,
): ScheduleState {
  const start = state.pending.find((pending) => pending.id === id);
  if (start === undefined) return state;
  const pending = state.pending.filter((other) => other !== start);
  const { workflow, at, by } = start;
  switch (result.kind) {
    case "started":
      return { ...state, pending, last: lastOf(state, { id, workflow, at, by, startedAt: result.startedAt }, result) };
    case "skipped":
      return { ...state, pending, lastSkippedAt: at };
    case "refused":
      return { ...state, pending, lastRefused: { at, code: result.code, message: result.message } };
    case "failed": {
      const failures = start.failures + 1;
      const again = { ...start, failures, dueAt: now + retryDelayMs(failures) };
      return { ...state, pending: state.pending.map((other) => (other === start ? again : other)) };
    }
  }
}

/** A repeated trigger may have found an execution that is older than the one that was started last. */
function lastOf({ last }: ScheduleState, start: LastStart, { created }: { readonly created: boolean }): LastStart {
  return last === undefined || created || start.startedAt >= last.startedAt ? start : last;
}

function retryDelayMs(failures: number): number {
  return Math.min(LIMITS.deliveryRetryFirstMs * 2 ** (failures - 1), LIMITS.deliveryRetryMs);
}

/** The end of the execution that was started last, where it is news. */
export function learnEnd(
  state: ScheduleState,
  { id, ended }: { readonly id: string; readonly ended: ScheduledEnd },
): ScheduleState {
  const { last } = state;
  return last?.id === id && last.ended === undefined ? { ...state, last: { ...last, ended } } : state;
}
