import { describe, expect, it } from "vitest";
import type { Alarm } from "../../src/execution/ports.ts";
import { WakeAlarm } from "../../src/execution/wake-alarm.ts";
import { LIMITS } from "../../src/limits.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const START = 1_000_000;

/** An alarm whose platform puts it so much later than it was set for. */
function alarmOf(lateMs: number) {
  const set: (number | undefined)[] = [];
  const port: Alarm = {
    get: async () => {
      const at = set.at(-1);
      return at === undefined ? undefined : at + lateMs;
    },
    set: (at) => void set.push(at),
  };
  return { set, alarm: new WakeAlarm(port, new VirtualClock(START)) };
}

describe("the alarm at rest", () => {
  it.each([true, false])(
    "stands at the next wake, also where that is a millisecond before the lease, read meanwhile: %s",
    async (isRead) => {
      const { set, alarm } = alarmOf(0);
      alarm.lease();
      const leaseAt = START + LIMITS.leaseFirstMs;
      if (isRead) await alarm.read();
      alarm.rest(leaseAt - 1);
      expect(set).toEqual([leaseAt, leaseAt - 1]);
    },
  );

  it("is not set again where the platform put it a millisecond later", async () => {
    const { set, alarm } = alarmOf(1);
    alarm.rest(START + 5_000);
    expect(await alarm.read()).toBe(START + 5_001);
    alarm.rest(START + 5_000);
    expect(set).toEqual([START + 5_000]);
  });
});
