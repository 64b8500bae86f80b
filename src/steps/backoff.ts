import type { ResolvedRetryPolicy } from "./retry-policy.ts";

/**
 * The delay after a failed attempt, counted from 1: a whole number of milliseconds,
 * `min(maximumInterval, initialInterval × backoffCoefficient^(n−1))`, of which jitter takes off up to its share.
 *
 * @param random A number from 0 to below 1; drawn only where the policy has jitter.
 */
export function backoffDelayMs(policy: ResolvedRetryPolicy, failedAttempt: number, random: () => number): number {
  // The power overflows to Infinity, of which the minimum is right, but 0 × Infinity is NaN.
  if (policy.initialIntervalMs === 0) return 0;
  const growth = policy.backoffCoefficient ** (failedAttempt - 1);
  const delayMs = Math.min(policy.maximumIntervalMs, Math.round(policy.initialIntervalMs * growth));
  if (policy.jitter === 0) return delayMs;
  // Rounded up, so that never more than the share comes off.
  return Math.ceil(delayMs - delayMs * policy.jitter * random());
}
