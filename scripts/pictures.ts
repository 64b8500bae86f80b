import { planPolicy } from "../src/steps/attempt-plan.ts";
import { planPicture } from "../src/steps/plan-picture.ts";
import { DEFAULT_RETRY_POLICY, resolveRetryPolicy, type RetryPolicy } from "../src/steps/retry-policy.ts";

const TIMEOUT_MS = 10_000;

/** One policy for each field, so that the pictures show what the field does. */
const POLICIES: Readonly<Record<string, RetryPolicy>> = {
  default: {},
  "initial-interval": { initialInterval: "10s", maximumAttempts: 6 },
  "backoff-coefficient": { backoffCoefficient: 1, maximumAttempts: 6 },
  "maximum-interval": { maximumInterval: "4s", maximumAttempts: 6 },
  "maximum-attempts": { maximumAttempts: 6 },
  "maximum-duration": { maximumDuration: "1m" },
  jitter: { jitter: 0.5, maximumAttempts: 6 },
};

/** The pictures of `docs/retries.md`, by their names. */
export function pictures(): ReadonlyMap<string, string> {
  const drawn = Object.entries(POLICIES).map(([name, declared]): [string, string] => {
    const plan = planPolicy(resolveRetryPolicy(declared, DEFAULT_RETRY_POLICY), TIMEOUT_MS);
    // A picture of its own has no text around it to take a colour from.
    return [`retry-${name}.svg`, planPicture(plan).replace("<svg ", '<svg color="#6a737d" ')];
  });
  return new Map(drawn);
}
