import { type PlannedAttempt, planPolicy } from "../../../steps/attempt-plan.ts";
import { totalLines } from "../../../steps/plan-text.ts";
import type { ResolvedRetryPolicy } from "../../../steps/retry-policy.ts";
import type { Tries } from "./history.ts";

/** One attempt in the plot, in percent of its width and height. */
export interface Dot {
  readonly attempt: number;
  readonly left: number;
  readonly bottom: number;
  readonly how: "failed" | "done" | "going-on" | "to-come";
  /** From the beginning of the first attempt to that of this one. */
  readonly afterMs: number;
}

/** What a retry policy allows, and beside it what has become of it: attempts upwards, time to the right. */
export interface RetryPlot {
  /** As when each attempt fails at once: an SVG path in a box of 100 by 100. */
  readonly path: string;
  /** The same with all that chance may take off, where there is chance. */
  readonly soonest: string | undefined;
  readonly dots: readonly Dot[];
  readonly most: number;
  readonly lengthMs: number;
  /** The policy allows more attempts than are drawn. */
  readonly isCut: boolean;
  /** What the policy comes to. */
  readonly sentences: readonly string[];
}

export interface RetryLimits {
  readonly policy: ResolvedRetryPolicy;
  readonly timeoutMs: number;
  /** No attempt follows any more. */
  readonly isOver: boolean;
}

/** A policy may allow a thousand: so many are drawn, and a few more than were made. */
const DRAWN = 8;
const AHEAD = 2;

type Attempt = Pick<Dot, "attempt" | "how" | "afterMs">;

export function retryPlot(tries: Tries, { policy, timeoutMs, isOver }: RetryLimits): RetryPlot {
  const plan = planPolicy(policy, timeoutMs);
  const made = madeAttempts(tries);
  const count = Math.max(DRAWN, tries.attempts + AHEAD);
  const planned = plan.atOnce.attempts.slice(0, count);
  const attempts = isOver ? made : [...made, ...attemptsToCome(tries, planned)];
  const lengthMs = Math.max(1, ...[...attempts, ...planned].map((each) => endOf(each)));
  const most = Math.max(planned.length, tries.attempts);
  const left = (afterMs: number) => (afterMs / lengthMs) * 100;
  const bottom = (attempt: number) => (attempt / most) * 100;
  const stairs = (steps: readonly PlannedAttempt[]) =>
    `M0 100${steps.map((each) => `H${short(left(each.startsAfterMs))}V${short(100 - bottom(each.attempt))}`).join("")}`;
  return {
    path: stairs(planned),
    soonest: plan.soonest === undefined ? undefined : stairs(plan.soonest.attempts.slice(0, planned.length)),
    dots: attempts.map((each) => ({ ...each, left: left(each.afterMs), bottom: bottom(each.attempt) })),
    most,
    lengthMs,
    isCut: plan.atOnce.attempts.length > planned.length,
    sentences: totalLines(plan),
  };
}

function madeAttempts({ spans }: Tries): readonly Attempt[] {
  const made = spans.filter(({ kind }) => kind === "attempt");
  const startedAt = made[0]?.from ?? 0;
  return made.map(({ attempt = 0, from, to, ended }) => {
    const how = to === undefined ? "going-on" : ended === "done" ? "done" : "failed";
    return { attempt, how, afterMs: from - startedAt };
  });
}

/** As they come if each fails at once: the first of them when it is due, where that is known. */
function attemptsToCome({ spans, attempts, retryAt }: Tries, planned: readonly PlannedAttempt[]): readonly Attempt[] {
  const made = spans.filter(({ kind }) => kind === "attempt");
  const startedAt = made[0]?.from ?? 0;
  const [first, ...others] = planned.filter(({ attempt }) => attempt > attempts);
  if (first === undefined) return [];
  const last = planned.find(({ attempt }) => attempt === attempts);
  const sinceLastMs = first.startsAfterMs - (last?.startsAfterMs ?? 0);
  const firstMs = (retryAt ?? (made.at(-1)?.from ?? 0) + sinceLastMs) - startedAt;
  return [first, ...others].map(({ attempt, startsAfterMs }) => {
    return { attempt, how: "to-come", afterMs: firstMs + startsAfterMs - first.startsAfterMs };
  });
}

function endOf(each: Attempt | PlannedAttempt): number {
  return "afterMs" in each ? each.afterMs : each.startsAfterMs;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
