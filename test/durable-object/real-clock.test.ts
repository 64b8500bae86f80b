import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { plainObject, runPlain } from "../support/plain-object.ts";
import { medianOf } from "../support/turn-probe.ts";

/** Backoffs of twenty steps: all different, the longest a second. */
const BACKOFFS_MS = Array.from({ length: 20 }, (_, i) => (i + 1) * 50);
const MOST_OVERSHOOT_MS = 25;

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
    for (let i = 0; i < 5; i += 1) {
      const { workflow, overshoots: own } = failingOnce([150]);
      const { view } = await runPlain(workflow, plainObject(workflow));
      expect(view.state).toBe("completed");
      overshoots.push(...own());
    }
    expect(Math.min(...overshoots)).toBeGreaterThanOrEqual(0);
    expect(medianOf(overshoots)).toBeLessThanOrEqual(MOST_OVERSHOOT_MS);
  });

  it("S22 twenty steps that fail together keep their own twenty backoffs", async () => {
    const { workflow, overshoots: own } = failingOnce(BACKOFFS_MS);
    const { view } = await runPlain(workflow, plainObject(workflow));
    expect(view.state).toBe("completed");
    const overshoots = own();
    expect(overshoots).toHaveLength(20);
    expect(Math.min(...overshoots)).toBeGreaterThanOrEqual(0);
    expect(medianOf(overshoots)).toBeLessThanOrEqual(MOST_OVERSHOOT_MS);
  });
});
