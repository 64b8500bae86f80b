import { describeFailure } from "../steps/failure.ts";
import { decideRetry } from "../steps/retry-decision.ts";
import { pendingDeadline } from "./deadline.ts";
import { drawUnit } from "./draw.ts";
import type { AttemptRetried, Encoded, StepSpent } from "./entry.ts";
import { pausedUntil, type State, type StepOperation } from "./state.ts";

export interface FailureTerms {
  readonly now: number;
  readonly maximumRetryAfterMs: number;
  readonly maximumValueBytes: number;
  readonly encode: (error: unknown) => Encoded;
}

/** What is journaled of an attempt that failed: its retry with its time, or the end of its step. */
export function attemptFailed(
  state: State,
  failed: { readonly step: StepOperation; readonly thrown: unknown },
  terms: FailureTerms,
): AttemptRetried | StepSpent {
  const { step, thrown } = failed;
  const { now } = terms;
  const pausedMs = pausedUntil(state, now) - step.pausedBeforeMs;
  const seed = state.started?.seed ?? "";
  const decision = decideRetry(
    {
      thrown,
      attempt: step.attempts,
      charged: step.attempts - step.uncharged,
      elapsedMs: now - step.firstStartedAt - pausedMs,
      now,
    },
    {
      step: step.name,
      policy: step.policy,
      maximumRetryAfterMs: terms.maximumRetryAfterMs,
      deadlineAt: pendingDeadline(state),
      random: () => drawUnit(seed, `jitter ${step.op} ${step.attempts}`),
    },
  );
  const fact = {
    type: "attempt-failed" as const,
    op: step.op,
    attempt: step.attempts,
    failure: describeFailure(thrown),
  };
  if (decision.kind === "retry") return { ...fact, retryAt: decision.retryAt, because: decision.because, at: now };
  const { spent, retryAt } = decision;
  return { ...fact, spent, error: terms.encode(decision.error), ...(retryAt !== undefined && { retryAt }), at: now };
}
