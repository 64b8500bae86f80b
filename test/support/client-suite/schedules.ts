import { describe, expect, it } from "vitest";
import type { slow, tick } from "../client-workflows.ts";
import { refusalOf } from "../refusal-of.ts";
import type { Way } from "./way.ts";

const SLOW = "yearly-slow";
const TICK = "yearly-tick";

/** Schedules, over one way. What they start belongs to the test: no other one triggers them. */
export function describeSchedules({ name, client, freshId }: Way): void {
  const { list, get, pause, resume, trigger } = client.schedules;

  describe(`schedules ${name}`, () => {
    it("are listed in the order of the options, with what comes next", async () => {
      const [slowly, quickly, ...more] = await list();
      expect(more).toEqual([]);
      expect(slowly).toMatchObject({ name: SLOW, workflow: "slow", timeZone: "Europe/Berlin", overlap: "skip" });
      expect(quickly).toMatchObject({ name: TICK, cron: "30 1 2 1 *", catchUp: "last", paused: false, pending: [] });
      const year = new Date().getUTCFullYear();
      const times = [1, 2, 3].map((n) => Date.UTC(year + n, 0, 2, 1, 30));
      expect([quickly?.nextAt, quickly?.nextTimes]).toEqual([times[0], times]);
      expect(quickly?.links["trigger"]).toMatch(/\/v1\/schedules\/yearly-tick\/trigger$/);
    });

    it("are had by name, and undefined where there is none", async () => {
      expect(await get(TICK)).toStrictEqual((await list())[1]);
      expect(await get("weekly")).toBeUndefined();
    });

    it("are paused and resumed; what already is so stays so", async () => {
      const paused = await pause(TICK);
      expect(paused).toMatchObject({ name: TICK, paused: true, nextAt: null, nextTimes: [] });
      expect(paused.pausedAt).toBeGreaterThan(0);
      expect(await pause(TICK)).toStrictEqual(paused);
      expect(await get(TICK)).toStrictEqual(paused);
      const resumed = await resume(TICK);
      expect(resumed.paused).toBe(false);
      expect(resumed).not.toHaveProperty("pausedAt");
      expect(await resume(TICK)).toStrictEqual(resumed);
    });

    it("are triggered: each time a new execution, and one for a key", async () => {
      const first = await trigger<typeof tick>(TICK);
      const second = await trigger<typeof tick>(TICK);
      expect([first.created, second.created, first.id === second.id]).toEqual([true, true, false]);
      expect(await first.result({ timeout: "20s" })).toBe(1);
      const idempotencyKey = freshId();
      const keyed = await trigger(TICK, { idempotencyKey });
      const again = await trigger(TICK, { idempotencyKey });
      expect([keyed.created, again.created, again.id]).toEqual([true, false, keyed.id]);
      const last = (await get(TICK))?.lastStart;
      expect(last).toMatchObject({ id: keyed.id, workflow: "tick", by: "trigger" });
    });

    it("are not triggered over an execution that has not ended, where they must not", async () => {
      const handle = await trigger<typeof slow>(SLOW);
      expect(await refusalOf(trigger(SLOW))).toMatchObject({ status: 409, code: "SCHEDULE_OVERLAP" });
      await handle.terminate();
      const next = await trigger(SLOW);
      expect(next.created).toBe(true);
      await next.terminate();
    });

    it("that are not deployed are refused", async () => {
      for (const refused of [pause("weekly"), resume("weekly"), trigger("weekly")]) {
        expect(await refusalOf(refused)).toMatchObject({ status: 404, code: "NOT_FOUND" });
      }
    });
  });
}
