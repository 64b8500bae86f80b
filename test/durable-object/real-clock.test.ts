import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { plainObject, runPlain } from "../support/plain-object.ts";
import { medianOf } from "../support/turn-probe.ts";

/** Backoffs of twenty steps: all different, the longest a second. */
const BACKOFFS_MS = Array.from({ length: 20 }, (_, i) => (i + 1) * 50);
/** On an idle machine. */
const MOST_OVERSHOOT_MS = 25;
const SAMPLE_MS = 20;
/** A retry waits for an alarm, a commit and a turn, each of which a busy machine makes late. */
const LATE = 4;

/** By how much timers of the platform itself are late on this machine while something runs. */
async function latenessDuring(run: Promise<unknown>): Promise<number> {
  const late: number[] = [];
  const over = run.then(() => true);
  const sample = async () => {
    const from = Date.now();
    await scheduler.wait(SAMPLE_MS);
    late.push(Date.now() - from - SAMPLE_MS);
    return false;
  };
  while (!(await Promise.race([over, sample()])));
  return medianOf(late);
}

/** A workflow whose steps fail once, side by side, each with a backoff of its own; and by how much each was missed. */
function failingOnce(backoffs: readonly number[]) {
  const attempts = new Map<number, number[]>();
  const workflow = defineWorkflow({ name: "failing-once" }, async ({ step }) => {
    const one = (backoffMs: number) =>
      step.run({ name: `after-${backoffMs}`, retryPolicy: { initialInterval: backoffMs } }, ({ attempt }) => {
        attempts.set(backoffMs, [...(attempts.get(backoffMs) ?? []), Date.now()]);
        if (attempt === 1) throw new Error("Not yet.");
      });
    await Promise.all(backoffs.map(one));
  });
  const overshoots = () =>
    [...attempts].map(([backoffMs, [first = 0, second = 0, ...more]]) => {
      if (more.length > 0) throw new Error(`Step after-${backoffMs} ran ${more.length + 2} times.`);
      return second - first - backoffMs;
    });
  return { workflow, overshoots };
}

describe("on the real clock, with the platform's own alarms", () => {
  it("a backoff of 150 ms is never shorter, and hardly longer", async () => {
    const overshoots: number[] = [];
    const lateness: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { workflow, overshoots: own } = failingOnce([150]);
      const run = runPlain(workflow, plainObject(workflow));
      lateness.push(await latenessDuring(run));
      expect((await run).view.state).toBe("completed");
      overshoots.push(...own());
    }
    expect(Math.min(...overshoots)).toBeGreaterThanOrEqual(0);
    expect(medianOf(overshoots)).toBeLessThanOrEqual(MOST_OVERSHOOT_MS + LATE * medianOf(lateness));
  });

  it("S22 twenty steps that fail together keep their own twenty backoffs", async () => {
    const { workflow, overshoots: own } = failingOnce(BACKOFFS_MS);
    const run = runPlain(workflow, plainObject(workflow));
    const lateness = await latenessDuring(run);
    expect((await run).view.state).toBe("completed");
    const overshoots = own();
    expect(overshoots).toHaveLength(20);
    expect(Math.min(...overshoots)).toBeGreaterThanOrEqual(0);
    expect(medianOf(overshoots)).toBeLessThanOrEqual(MOST_OVERSHOOT_MS + LATE * lateness);
  });
});
