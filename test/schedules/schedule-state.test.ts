import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { scheduledId } from "../../src/schedules/schedule.ts";
import {
  abandonSchedule,
  adoptSchedule,
  dueTimes,
  learnEnd,
  nextPending,
  pauseSchedule,
  resumeSchedule,
  scheduleWakeAt,
  settleStart,
  takeDue,
  triggerSchedule,
  type ScheduleState,
  type StartResult,
} from "../../src/schedules/schedule-state.ts";
import { scheduleOf } from "./schedule-of.ts";

const MINUTE_MS = 60_000;
const NOON = Date.UTC(2026, 2, 1, 12);
const minutes = (count: number) => NOON + count * MINUTE_MS;

/** Seen for the first time a moment after noon. */
function freshState(changes: Parameters<typeof scheduleOf>[0] = {}): ScheduleState {
  return adoptSchedule(undefined, scheduleOf(changes), NOON + 1);
}

const timesOf = ({ pending }: ScheduleState) => pending.map(({ at }) => at);

describe("scheduledId", () => {
  it("says schedule and time, the same for the same two", () => {
    expect(scheduledId("nightly", Date.UTC(2026, 2, 29, 1, 30))).toBe("nightly.20260329T013000Z");
    expect(scheduledId("a".repeat(LIMITS.scheduleNameLength), NOON).length).toBeLessThan(LIMITS.executionIdLength);
  });

  it("differs for different times", () => {
    const second = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(second, second, (a, b) => {
        fc.pre(a !== b);
        expect(scheduledId("nightly", a * 1_000)).not.toBe(scheduledId("nightly", b * 1_000));
      }),
    );
  });
});

describe("a deploy", () => {
  it("makes a new schedule count from then on", () => {
    expect(freshState()).toEqual({ pending: [], clock: "UTC * * * * *", nextAt: minutes(1) });
  });

  it("changes nothing for a schedule with the same times", () => {
    const state = freshState();
    expect(adoptSchedule(state, scheduleOf({ overlap: "allow", workflow: "other" }), minutes(9))).toBe(state);
  });

  it("makes other times count from then on, and keeps what is pending and a pause", () => {
    const state = { ...takeDue(freshState(), scheduleOf(), minutes(1)), pausedAt: minutes(2) };
    const changed = adoptSchedule(state, scheduleOf({ timeZone: "Europe/Berlin", cron: "0 0 * * *" }), minutes(3));
    expect(changed).toMatchObject({ nextAt: Date.UTC(2026, 2, 1, 23), pending: state.pending, pausedAt: minutes(2) });
  });

  it("keeps the state of a schedule that is gone, for as long as two deployments may take turns", () => {
    const paused = pauseSchedule(freshState(), minutes(0));
    const gone = abandonSchedule(paused, minutes(1));
    expect(gone).toMatchObject({ removedAt: minutes(1), pausedAt: minutes(0) });
    expect(abandonSchedule(gone ?? paused, minutes(2))).toBe(gone);
    const back = adoptSchedule(gone, scheduleOf(), minutes(3));
    expect(back).toMatchObject({ removedAt: undefined, pausedAt: minutes(0), nextAt: minutes(4) });
    expect(abandonSchedule(gone ?? paused, minutes(1) + LIMITS.removedScheduleMs + 1)).toBeUndefined();
  });
});

describe("takeDue", () => {
  it("decides for nothing before its time, in a pause, or where no time comes any more", () => {
    const state = freshState();
    expect(takeDue(state, scheduleOf(), minutes(1) - 1)).toBe(state);
    const paused = pauseSchedule(state, minutes(0));
    expect(takeDue(paused, scheduleOf(), minutes(5))).toBe(paused);
    const over = { ...state, nextAt: undefined };
    expect(takeDue(over, scheduleOf(), minutes(5))).toBe(over);
  });

  it("makes one start of a time", () => {
    const taken = takeDue(freshState(), scheduleOf(), minutes(1) + 5);
    const [start] = taken.pending;
    expect(start).toEqual({
      id: "nightly.20260301T120100Z",
      workflow: "report",
      at: minutes(1),
      by: "time",
      dueAt: minutes(1) + 5,
      failures: 0,
    });
    expect([taken.pending.length, taken.nextAt, taken.lastMissedAt]).toEqual([1, minutes(2), undefined]);
    expect(takeDue(taken, scheduleOf(), minutes(1) + 6)).toBe(taken);
  });

  it.each([
    { catchUp: "none", now: 1.5, starts: [1], missed: undefined },
    { catchUp: "none", now: 10.5, starts: [10], missed: 9 },
    { catchUp: "last", now: 10.5, starts: [10], missed: 9 },
    { catchUp: "all", now: 3.5, starts: [1, 2, 3], missed: undefined },
  ] as const)("with catchUp $catchUp makes up for what passed by minute $now", ({ catchUp, now, starts, missed }) => {
    const taken = takeDue(freshState(), scheduleOf({ catchUp }), minutes(now));
    expect(timesOf(taken)).toEqual(starts.map(minutes));
    expect(taken.lastMissedAt).toBe(missed === undefined ? undefined : minutes(missed));
  });

  it.each([
    ["none", [], 60],
    ["last", [60], undefined],
    ["all", [60], undefined],
  ] as const)("with catchUp %j starts of one time that passed an hour ago %j", (catchUp, starts, missed) => {
    const schedule = scheduleOf({ catchUp, cron: "0 * * * *" });
    const state = adoptSchedule(undefined, schedule, NOON + 1);
    const taken = takeDue(state, schedule, minutes(119));
    expect(timesOf(taken)).toEqual(starts.map(minutes));
    expect(taken.lastMissedAt).toBe(missed === undefined ? undefined : minutes(missed));
    expect(taken.nextAt).toBe(minutes(120));
  });

  it("takes a time for missed only when it is seen later than alarms may ring", () => {
    const schedule = scheduleOf({ cron: "0 * * * *" });
    const range = { from: minutes(60), room: 10 };
    const late = minutes(60) + LIMITS.scheduleLatenessMs;
    expect(dueTimes(schedule, { ...range, now: late }).starts).toEqual([minutes(60)]);
    expect(dueTimes(schedule, { ...range, now: late + 1 }).starts).toEqual([]);
  });

  it("makes up for the latest hundred times, and says what it has missed", () => {
    const taken = takeDue(freshState(), scheduleOf({ catchUp: "all" }), minutes(1_000));
    expect(timesOf(taken)).toEqual(Array.from({ length: 100 }, (_, index) => minutes(901 + index)));
    expect(taken.lastMissedAt).toBe(minutes(900));
  });

  it("drops no start that is pending for one that is new", () => {
    const full = takeDue(freshState(), scheduleOf({ catchUp: "all" }), minutes(100));
    const more = takeDue(full, scheduleOf({ catchUp: "all" }), minutes(101));
    expect([more.pending, more.lastMissedAt]).toEqual([full.pending, minutes(101)]);
    expect(triggerSchedule(full, { workflow: "report", id: "x" }, minutes(100))).toBeUndefined();
  });

  it("with catchUp all starts each time once, however the alarms come", () => {
    const looks = fc.array(fc.integer({ min: 0, max: 20 * MINUTE_MS }), { maxLength: 12 });
    fc.assert(
      fc.property(looks, fc.constantFrom("* * * * *", "*/7 * * * *", "13 12,13 * * *"), (gaps, cron) => {
        const schedule = scheduleOf({ catchUp: "all", cron });
        let now = NOON + 1;
        let state = adoptSchedule(undefined, schedule, now);
        const started: number[] = [];
        for (const gap of gaps) {
          now += gap;
          state = takeDue(state, schedule, now);
          started.push(...timesOf(state));
          state = { ...state, pending: [] };
        }
        const all = schedule.times.upTo(now, started.length + 1).filter((at) => at > NOON + 1);
        expect(started).toEqual([...all].reverse());
        expect(state.nextAt).toBe(schedule.times.after(now));
      }),
      { numRuns: 30 },
    );
  });
});

describe("a pause", () => {
  const schedule = scheduleOf({ catchUp: "all" });

  it("is none twice, and is over once", () => {
    const state = freshState();
    expect(resumeSchedule(state, schedule, minutes(1))).toBe(state);
    const paused = pauseSchedule(state, minutes(1));
    expect(pauseSchedule(paused, minutes(2))).toBe(paused);
    expect(resumeSchedule(paused, schedule, minutes(5))).toMatchObject({ pausedAt: undefined, nextAt: minutes(6) });
  });

  it("holds starts by time back, and lets triggers through", () => {
    const taken = takeDue(freshState(), schedule, minutes(1));
    const paused = pauseSchedule(taken, minutes(1));
    expect([nextPending(taken)?.at, nextPending(paused)]).toEqual([minutes(1), undefined]);
    const triggered = triggerSchedule(paused, { workflow: "report", id: "by-hand" }, minutes(2)) ?? paused;
    expect(nextPending(triggered)?.id).toBe("by-hand");
    expect(triggerSchedule(triggered, { workflow: "report", id: "by-hand" }, minutes(3))).toBe(triggered);
  });
});

describe("scheduleWakeAt", () => {
  it("is the next time, or the start that is to be sent before", () => {
    const state = freshState();
    expect(scheduleWakeAt(state, false)).toBe(minutes(1));
    const taken = takeDue(state, scheduleOf(), minutes(1) + 3);
    expect([scheduleWakeAt(taken, false), scheduleWakeAt(taken, true)]).toEqual([minutes(1) + 3, minutes(2)]);
    expect(scheduleWakeAt({ ...taken, nextAt: undefined }, false)).toBe(minutes(1) + 3);
    expect(scheduleWakeAt(pauseSchedule(taken, minutes(1)), false)).toBeUndefined();
  });
});

describe("settleStart", () => {
  const taken = takeDue(freshState(), scheduleOf(), minutes(1));
  const id = taken.pending[0]?.id ?? "";
  const settle = (result: StartResult, state = taken) => settleStart(state, { id, result }, minutes(2));

  it("remembers what was started", () => {
    expect(settle({ kind: "started", created: true, startedAt: 5 })).toMatchObject({
      pending: [],
      last: { id, workflow: "report", at: minutes(1), by: "time", startedAt: 5 },
    });
  });

  it("does not take an older execution, which a repeated trigger found, for the last one", () => {
    const last = { id: "newer", workflow: "report", at: 6, by: "time", startedAt: 6 } as const;
    const state = { ...taken, last };
    expect(settle({ kind: "started", created: false, startedAt: 5 }, state).last).toBe(last);
    expect(settle({ kind: "started", created: false, startedAt: 6 }, state).last?.id).toBe(id);
    expect(settle({ kind: "started", created: true, startedAt: 5 }, state).last?.id).toBe(id);
    expect(settle({ kind: "started", created: false, startedAt: 5 }).last?.id).toBe(id);
  });

  it("remembers what was skipped or refused", () => {
    expect(settle({ kind: "skipped", running: "x" })).toMatchObject({ pending: [], lastSkippedAt: minutes(1) });
    const refused = settle({ kind: "refused", code: "VALIDATION_ERROR", message: "no" });
    const lastRefused = { at: minutes(1), code: "VALIDATION_ERROR", message: "no" };
    expect(refused).toMatchObject({ pending: [], lastRefused });
  });

  it("sends again what got no answer, after twice as long each time up to a minute", () => {
    let state = triggerSchedule(taken, { workflow: "report", id: "other" }, minutes(1)) ?? taken;
    const delays: number[] = [];
    for (let round = 1; round <= 8; round += 1) {
      state = settle({ kind: "failed", message: "lost" }, state);
      expect(state.pending[0]?.failures).toBe(round);
      delays.push((state.pending[0]?.dueAt ?? 0) - minutes(2));
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
    expect(state.pending[1]).toMatchObject({ id: "other", failures: 0 });
  });

  it("changes nothing for a start that is not pending", () => {
    const state = freshState();
    expect(settle({ kind: "skipped", running: "x" }, state)).toBe(state);
  });
});

describe("learnEnd", () => {
  it("keeps the end of the last execution, once", () => {
    const last = { id: "a", workflow: "report", at: 1, by: "time", startedAt: 2 } as const;
    const state: ScheduleState = { ...freshState(), last };
    const known = learnEnd(state, { id: "a", ended: "failed" });
    expect(known.last).toEqual({ ...last, ended: "failed" });
    expect(learnEnd(known, { id: "a", ended: "gone" })).toBe(known);
    expect(learnEnd(state, { id: "b", ended: "gone" })).toBe(state);
    expect(learnEnd(freshState(), { id: "b", ended: "gone" }).last).toBeUndefined();
  });
});
