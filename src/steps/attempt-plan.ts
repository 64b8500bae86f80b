import { LIMITS } from "../limits.ts";
import { backoffDelayMs } from "./backoff.ts";
import { decideRetry, type Spent } from "./retry-decision.ts";
import type { ResolvedRetryPolicy } from "./retry-policy.ts";

/** One attempt of a step of which every attempt fails. */
export interface PlannedAttempt {
  readonly attempt: number;
  /** Since the start of the first one. */
  readonly startsAfterMs: number;
  /** From its failure to the next attempt; the last has none. */
  readonly delayMs?: number;
}

export interface AttemptPlan {
  /** At most 1,000. */
  readonly attempts: readonly PlannedAttempt[];
  /** What ends the step after the last of them; absent where there are more. */
  readonly spent?: Spent;
  /** The failure of the last of them, since the start of the first. */
  readonly endsAfterMs: number;
}

export interface AttemptLengths {
  /** How long each attempt takes until it fails. */
  readonly attemptMs: number;
  /** The share of chance in each delay, as {@link backoffDelayMs} draws it: 0 takes nothing off. */
  readonly random: () => number;
}

/** What a retry policy lets happen to a step that always fails with an ordinary error, and is never paused. */
export interface PolicyPlan {
  readonly policy: ResolvedRetryPolicy;
  readonly timeoutMs: number;
  /** Every attempt fails at once, and chance takes nothing off. */
  readonly atOnce: AttemptPlan;
  /** As that, and chance takes off as much as the jitter lets it; absent without jitter. */
  readonly soonest?: AttemptPlan;
  /** Every attempt runs into its timeout, and chance takes nothing off. */
  readonly timedOut: AttemptPlan;
  /** However long each attempt takes, the step is spent after this at the latest, where chance takes nothing off. */
  readonly longestMs: number;
}

const NO_CHANCE = () => 0;
/** The largest number that a draw gives. */
const FULL_CHANCE = () => 1 - 2 ** -53;

/** What is planned fails with this; it is never thrown. */
const FAILURE = new Error("A planned attempt fails.");

/** Asks the engine's own decision about every failure, as it is asked when a step runs. */
export function planAttempts(policy: ResolvedRetryPolicy, { attemptMs, random }: AttemptLengths): AttemptPlan {
  const attempts: PlannedAttempt[] = [];
  let startsAfterMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const now = startsAfterMs + attemptMs;
    const failed = { thrown: FAILURE, attempt, charged: attempt, elapsedMs: now, now };
    const decision = decideRetry(failed, { step: "planned", policy, maximumRetryAfterMs: 0, random });
    if (decision.kind === "spent") {
      attempts.push({ attempt, startsAfterMs });
      return { attempts, spent: decision.spent, endsAfterMs: now };
    }
    attempts.push({ attempt, startsAfterMs, delayMs: decision.retryAt - now });
    if (attempt === LIMITS.attemptsPerStep) return { attempts, endsAfterMs: now };
    startsAfterMs = decision.retryAt;
  }
}

/** What a policy means, for its author. */
export function planPolicy(policy: ResolvedRetryPolicy, timeoutMs: number): PolicyPlan {
  const atOnce = planAttempts(policy, { attemptMs: 0, random: NO_CHANCE });
  return {
    policy,
    timeoutMs,
    atOnce,
    ...(policy.jitter > 0 && { soonest: planAttempts(policy, { attemptMs: 0, random: FULL_CHANCE }) }),
    timedOut: planAttempts(policy, { attemptMs: timeoutMs, random: NO_CHANCE }),
    longestMs: longestOf(policy, atOnce, timeoutMs),
  };
}

/**
 * The most attempts come where they fail at once, and the latest end where the attempt before the last fails as late as
 * the duration lets it be retried.
 */
function longestOf(policy: ResolvedRetryPolicy, { attempts, spent }: AttemptPlan, timeoutMs: number): number {
  const lastRetriedMs = (policy.maximumDurationMs ?? Infinity) - 1;
  if (spent === undefined) {
    const longestDelayMs = backoffDelayMs(policy, Number.MAX_SAFE_INTEGER, NO_CHANCE);
    return lastRetriedMs + longestDelayMs + timeoutMs;
  }
  let longestMs = timeoutMs;
  for (const { attempt, startsAfterMs, delayMs } of attempts) {
    if (delayMs === undefined) continue;
    const failsAfterMs = Math.min(startsAfterMs + attempt * timeoutMs, lastRetriedMs);
    longestMs = Math.max(longestMs, failsAfterMs + delayMs + timeoutMs);
  }
  return longestMs;
}
