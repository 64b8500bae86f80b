import { describe, expect, it } from "vitest";
import { WakeAlarm } from "../../src/execution/wake-alarm.ts";
import { LIMITS } from "../../src/limits.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const NOW = 60_000;
const LEASE_AT = NOW + LIMITS.leaseFirstMs;

/** An alarm over storage that holds `stored`, and the times that it is set to. */
function alarmOver(stored: number | undefined) {
  const sets: (number | undefined)[] = [];
  const clock = new VirtualClock(NOW);
  const alarm = new WakeAlarm({ get: async () => stored, set: (at) => void sets.push(at) }, clock);
  return { alarm, clock, sets };
}

/** An alarm over storage that puts it so much later than it was set for. */
function alarmPutOff(lateMs: number) {
  const sets: number[] = [];
  const get = async () => (sets.at(-1) ?? Number.NaN) + lateMs;
  return { alarm: new WakeAlarm({ get, set: (at) => void sets.push(at ?? Number.NaN) }, new VirtualClock(NOW)), sets };
}

describe("the lease", () => {
  it.each([
    ["a time that has passed: it was lost", 5_000],
    ["this very time", NOW],
    ["a later time", LEASE_AT + 1],
    ["nothing", undefined],
  ])("is armed where storage shows %s", async (_, stored) => {
    const { alarm, sets } = alarmOver(stored);
    await alarm.read();
    alarm.lease();
    expect(sets).toEqual([LEASE_AT]);
  });

  it.each([
    ["the lease itself", LEASE_AT],
    ["a sooner time that will come", NOW + 1],
  ])("is not armed, which would cost a row, where storage shows %s", async (_, stored) => {
    const { alarm, sets } = alarmOver(stored);
    await alarm.read();
    alarm.lease();
    expect(sets).toEqual([]);
  });
});

describe("the lease of a burst that goes on", () => {
  /** An object that is never idle takes no alarm, so it has to move the lease itself. */
  it("is moved once it has passed, by twice as long each time, and never for each commit", () => {
    const { alarm, clock, sets } = alarmOver(undefined);
    for (let ms = 0; ms <= 10_000; ms += 10) {
      clock.moveTo(NOW + ms);
      alarm.lease();
      expect(sets.at(-1)).toBeGreaterThan(clock.now());
    }
    expect(sets).toEqual([1_000, 3_000, 7_000, 15_000].map((ms) => NOW + ms));
  });
});

describe("the alarm at rest", () => {
  it("stands at the next wake, also where a lease happened to stand a millisecond after it", () => {
    const { alarm, sets } = alarmOver(undefined);
    alarm.lease();
    alarm.rest(LEASE_AT - 1);
    expect(sets).toEqual([LEASE_AT, LEASE_AT - 1]);
  });

  it("stands there also where that lease was read meanwhile", async () => {
    const { alarm, sets } = alarmPutOff(0);
    alarm.lease();
    expect(await alarm.read()).toBe(LEASE_AT);
    alarm.rest(LEASE_AT - 1);
    expect(sets).toEqual([LEASE_AT, LEASE_AT - 1]);
  });

  it("is not set again where the platform put it a millisecond later", async () => {
    const { alarm, sets } = alarmPutOff(1);
    alarm.rest(NOW + 5_000);
    expect(await alarm.read()).toBe(NOW + 5_001);
    alarm.rest(NOW + 5_000);
    expect(sets).toEqual([NOW + 5_000]);
  });

  it("is removed where nothing is due", () => {
    const { alarm, sets } = alarmOver(undefined);
    alarm.lease();
    alarm.rest(undefined);
    expect(sets).toEqual([LEASE_AT, undefined]);
  });
});
