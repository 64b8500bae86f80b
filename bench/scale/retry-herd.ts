import { decideRetry } from "../../src/steps/retry-decision.ts";
import { DEFAULT_RETRY_POLICY } from "../../src/steps/retry-policy.ts";
import { LIMITS } from "../../src/limits.ts";
import type { RetryHerd } from "./figures.ts";
import { seededDraw } from "../../test/support/seeded-draw.ts";

interface RetryHerdOptions {
  readonly steps: number;
  readonly seed: number;
}

const JITTERS = [0, 0.1, 0.5, 1];
const DOWN_MS = 30_000;
/** First attempts come within this. */
const TOGETHER_MS = 100;
const TENTH_MS = 100;
const UNIT = 2 ** 30;

/** A service is down for half a minute; every step is tried again when the engine's own decision says. */
export function retryHerds({ steps, seed }: RetryHerdOptions): readonly RetryHerd[] {
  return JITTERS.map((jitter) => herdOf(jitter, { steps, seed }));
}

function herdOf(jitter: number, { steps, seed }: RetryHerdOptions): RetryHerd {
  const draw = seededDraw(seed);
  const tenths = new Map<number, number>();
  let attempts = 0;
  let doneAfterMs = 0;
  for (let step = 0; step < steps; step += 1) {
    const times = timesOf(jitter, draw);
    attempts += times.length;
    doneAfterMs = Math.max(doneAfterMs, times.at(-1) ?? 0);
    for (const at of times) tenths.set(Math.floor(at / TENTH_MS), (tenths.get(Math.floor(at / TENTH_MS)) ?? 0) + 1);
  }
  const busiest = (from: number) =>
    [...tenths].reduce((most, [tenth, count]) => (tenth * TENTH_MS >= from ? Math.max(most, count) : most), 0);
  return {
    jitter,
    steps,
    attempts,
    busiestTenth: busiest(2 * TOGETHER_MS),
    busiestTenthUp: busiest(DOWN_MS),
    doneAfterMs,
  };
}

/** When one step is tried, until it succeeds. */
function timesOf(jitter: number, draw: (low: number, high: number) => number): readonly number[] {
  const firstAt = draw(0, TOGETHER_MS);
  const times = [firstAt];
  const terms = {
    step: "call",
    policy: { ...DEFAULT_RETRY_POLICY, jitter },
    maximumRetryAfterMs: LIMITS.retryAfterMs,
    random: () => draw(0, UNIT - 1) / UNIT,
  };
  for (let at = firstAt; at < DOWN_MS;) {
    const failed = { thrown: new Error("down"), attempt: times.length, charged: times.length };
    const decision = decideRetry({ ...failed, elapsedMs: at - firstAt, now: at }, terms);
    if (decision.kind === "spent") throw new Error("A budget of the default policy outlasts half a minute.");
    at = decision.retryAt;
    times.push(at);
  }
  return times;
}
