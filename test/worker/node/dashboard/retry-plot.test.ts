import { describe, expect, it } from "vitest";
import { pastBefore } from "../../../../src/worker/dashboard/model/past.ts";
import { retryPlot, type RetryPlot } from "../../../../src/worker/dashboard/model/retry-plot.ts";
import type { ResolvedRetryPolicy } from "../../../../src/steps/retry-policy.ts";
import { fixtureJournal, FIXTURE_JOURNALS } from "./fixture-journals.ts";

const policy: ResolvedRetryPolicy = {
  initialIntervalMs: 1_000,
  backoffCoefficient: 2,
  maximumIntervalMs: 60_000,
  maximumAttempts: 4,
  jitter: 0,
  nonRetryableErrors: [],
};

const attempt = (number: number, from: number, to: number | undefined) => {
  return { kind: "attempt", attempt: number, from, to, ended: to === undefined ? undefined : "failed", entry: number };
};

const tries = (spans: readonly ReturnType<typeof attempt>[], retryAt?: number) =>
  ({ spans, attempts: spans.length, retryAt, lastFailure: undefined, spent: undefined }) as Parameters<
    typeof retryPlot
  >[0];

const shown = ({ dots }: RetryPlot) => dots.map(({ attempt: number, how, afterMs }) => [number, how, afterMs]);

describe("the plot of a retry policy", () => {
  it("shows what was made, and what comes if it fails again", () => {
    const made = tries([attempt(1, 500, 600), attempt(2, 1_600, 1_700)], 3_700);
    const plot = retryPlot(made, { policy, timeoutMs: 10_000, isOver: false });
    expect(shown(plot)).toEqual([
      [1, "failed", 0],
      [2, "failed", 1_100],
      [3, "to-come", 3_200],
      [4, "to-come", 7_200],
    ]);
    expect(plot).toMatchObject({ most: 4, lengthMs: 7_200, isCut: false, soonest: undefined });
    expect(plot.path).toBe("M0 100H0V75H13.89V50H41.67V25H97.22V0");
    expect(plot.sentences[0]).toBe(
      "Where every attempt fails at once: 4 attempts in 7 s, then its attempts are spent.",
    );
  });

  it("counts on from an attempt that is running, and shows nothing to come of what is over", () => {
    const made = tries([attempt(1, 0, 10), attempt(2, 1_010, undefined)]);
    const running = retryPlot(made, { policy, timeoutMs: 10_000, isOver: false });
    expect(shown(running).slice(1)).toEqual([
      [2, "going-on", 1_010],
      [3, "to-come", 3_010],
      [4, "to-come", 7_010],
    ]);
    expect(shown(retryPlot(made, { policy, timeoutMs: 10_000, isOver: true }))).toHaveLength(2);
  });

  it("draws the first of many attempts, and what chance may take off", () => {
    const many = { ...policy, maximumAttempts: 500, jitter: 0.5 };
    const plot = retryPlot(tries([attempt(1, 0, 10)]), { policy: many, timeoutMs: 10_000, isOver: false });
    expect([plot.most, plot.isCut, plot.dots.length]).toEqual([8, true, 8]);
    expect(plot.soonest?.match(/V/g)).toHaveLength(8);
  });

  it("holds every attempt of every fixture, within its box", () => {
    for (const { entries } of FIXTURE_JOURNALS) {
      const { history } = pastBefore(entries, entries.length);
      for (const step of history.operations) {
        if (step.policy === undefined) continue;
        const { dots } = retryPlot(step, { policy: step.policy, timeoutMs: 60_000, isOver: true });
        expect(dots).toHaveLength(step.spans.filter(({ kind }) => kind === "attempt").length);
        for (const { left, bottom } of dots) {
          expect(Math.min(left, bottom)).toBeGreaterThanOrEqual(0);
          expect(Math.max(left, bottom)).toBeLessThanOrEqual(100);
        }
      }
    }
    expect(fixtureJournal("steps-retried").entries.length).toBeGreaterThan(0);
  });
});
