import { describeFailure } from "../steps/failure.ts";
import { decideRetry, type RetryDecision } from "../steps/retry-decision.ts";
import { pendingDeadline } from "./deadline.ts";
import { drawUnit } from "./draw.ts";
import type { Encoded } from "./entry.ts";
import type { AttemptRetried, StepSpent } from "./step-entry.ts";
import { pausedUntil, type Attempted, type State, type StepOperation } from "./state.ts";

export interface FailureTerms {
  readonly now: number;
  readonly maximumRetryAfterMs: number;
  readonly maximumValueBytes: number;
  /** It takes no further operations. */
  readonly isJournalFull?: boolean | undefined;
  /** Only in tests: backoffs are not waited out. */
  readonly skipsBackoff?: boolean | undefined;
  encode(error: unknown): Encoded;
}

/** What is journaled of an attempt that failed: its retry with its time, or the end of its step. */
export function attemptFailed(
  state: State,
  failed: { readonly step: StepOperation; readonly thrown: unknown },
  terms: FailureTerms,
): AttemptRetried | StepSpent {
  const { step, thrown } = failed;
  const { now } = terms;
  const decision = decideAttempt(
    state,
    { attempted: step, thrown, jitter: `jitter ${step.op} ${step.attempts}` },
    terms,
  );
  const fact = {
    type: "attempt-failed" as const,
    op: step.op,
    attempt: step.attempts,
    failure: describeFailure(thrown),
  };
  if (decision.kind === "retry") return { ...fact, ...retryTimes(decision, terms), at: now };
  const { spent, retryAt } = decision;
  return { ...fact, spent, error: terms.encode(decision.error), ...(retryAt !== undefined && { retryAt }), at: now };
}

/** When there is another attempt. What is skipped of a backoff is at least a millisecond, or a duration had no end. */
export function retryTimes(
  { retryAt, because }: Extract<RetryDecision, { readonly kind: "retry" }>,
  { now, skipsBackoff }: FailureTerms,
): Pick<AttemptRetried, "retryAt" | "because" | "skippedMs"> {
  if (skipsBackoff !== true || because !== "backoff") return { retryAt, because };
  return { retryAt: now, because, skippedMs: Math.max(1, retryAt - now) };
}

/** Whether what failed is tried again, and when. `jitter` is the label that its share of chance is drawn by. */
export function decideAttempt(
  state: State,
  failed: { readonly attempted: Attempted; readonly thrown: unknown; readonly jitter: string },
  { now, maximumRetryAfterMs, isJournalFull }: FailureTerms,
): RetryDecision {
  const { attempted, thrown, jitter } = failed;
  const { attempts, uncharged, firstStartedAt, pausedBeforeMs, skippedMs, name, policy } = attempted;
  const pausedMs = pausedUntil(state, now) - pausedBeforeMs;
  const elapsedMs = now - firstStartedAt - pausedMs + skippedMs;
  const seed = state.started?.seed ?? "";
  return decideRetry(
    { thrown, attempt: attempts, charged: attempts - uncharged, elapsedMs, now },
    {
      step: name,
      policy,
      maximumRetryAfterMs,
      deadlineAt: pendingDeadline(state),
      isJournalFull,
      random: () => drawUnit(seed, jitter),
    },
  );
}
