import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fate } from "../../src/testing/memory-network.ts";
import { EVERY_MINUTE, MINUTE_MS, NOON, ScheduledHost, SECOND_MS } from "../support/scheduled.ts";

const RUNS = process.env["STEPWELL_LONG"] === "1" ? 2_000 : 25;
const LONGEST_MS = 6 * MINUTE_MS;

/** What becomes of the calls of a scheduler, one after the other, and after which of them it dies. */
const troubles = fc.array(
  fc.record({
    fate: fc.constantFrom<Fate>("delivered", "lost", "unanswered", "repeated", "late"),
    isLast: fc.nat({ max: 4 }).map((chance) => chance === 0),
  }),
  { maxLength: 40 },
);

type Step = { readonly kind: "advance" | "sleep"; readonly ms: number } | { readonly kind: "evict" | "touch" | "end" };

const length = fc.integer({ min: 1, max: LONGEST_MS });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("advance", "sleep"), ms: length }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("evict", "touch", "end") }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 1, maxLength: 12 },
);

async function take(host: ScheduledHost, step: Step): Promise<void> {
  switch (step.kind) {
    case "advance":
      return await host.advance(step.ms);
    case "sleep":
      return await host.sleepThrough(step.ms);
    case "evict":
      return host.scheduler.evict();
    case "touch":
      return void (await host.begin());
    case "end":
      for (const name of host.started) if ((await host.stateOf(name)) === "waiting") await host.end(name);
  }
}

function makeTrouble(host: ScheduledHost, list: readonly { readonly fate: Fate; readonly isLast: boolean }[]): void {
  let calls = 0;
  host.fate = ({ from }) => {
    if (from !== "scheduler") return "delivered";
    const { fate, isLast } = list[calls] ?? { fate: "delivered", isLast: false };
    calls += 1;
    if (isLast) host.scheduler.evict();
    return fate;
  };
}

/** Everything that was decided is sent, and everything that is late arrives. */
async function calmDown(host: ScheduledHost): Promise<void> {
  host.fate = undefined;
  host.scheduler.evict();
  await host.begin();
  await host.advance(2 * MINUTE_MS);
}

function minutesUntil(now: number): readonly number[] {
  return Array.from({ length: Math.floor((now - NOON) / MINUTE_MS) }, (_, index) => index + 1);
}

describe("schedules among deaths and lost calls", () => {
  it("start every time once, where all are made up for", async () => {
    await fc.assert(
      fc.asyncProperty(steps, troubles, async (taken, list) => {
        const host = await ScheduledHost.of({ ...EVERY_MINUTE, catchUp: "all", overlap: "allow" });
        makeTrouble(host, list);
        for (const step of taken) await take(host, step);
        await calmDown(host);
        const minutes = minutesUntil(host.objects.now);
        expect(host.started).toEqual(ScheduledHost.named("quick", "minutely", minutes).toSorted());
        expect(host.scheduler.states.get("minutely")?.pending).toEqual([]);
        expect(host.scheduler.alarm).toBe(NOON + (minutes.length + 1) * MINUTE_MS);
      }),
      { numRuns: RUNS },
    );
  });

  it("never have two executions that have not ended, where an overlap is skipped", async () => {
    await fc.assert(
      fc.asyncProperty(steps, troubles, async (taken, list) => {
        const slow = { ...EVERY_MINUTE, workflow: "slow" } as const;
        const host = await ScheduledHost.of({ ...slow, catchUp: "all" });
        makeTrouble(host, list);
        for (const step of taken) {
          await take(host, step);
          let open = 0;
          for (const name of host.started) if ((await host.stateOf(name)) === "waiting") open += 1;
          expect(open).toBeLessThanOrEqual(1);
        }
        await calmDown(host);
        expect(host.scheduler.states.get("minutely")?.pending).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it("wake no more often than they have something to do", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, cron: "30 12 * * *" });
    const { rowsWritten } = host.scheduler;
    for (let look = 0; look < 20; look += 1) await host.advance(SECOND_MS);
    expect(host.scheduler.rowsWritten).toBe(rowsWritten);
  });
});
