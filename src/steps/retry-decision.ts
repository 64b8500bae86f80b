import { backoffDelayMs } from "./backoff.ts";
import { brandOf } from "./brand.ts";
import { DeclaredError, NonRetryableError, StepExhausted } from "./errors.ts";
import { refusalOf } from "./failure.ts";
import { readProperty } from "./read-property.ts";
import { isInvalidDelay, prescribedRetryAt, type PrescribedRetry } from "./retry-after.ts";
import type { ResolvedRetryPolicy } from "./retry-policy.ts";

/**
 * Why a step got no further attempt. `refused`: its error asked for a longer delay than the bound. `deadline`: the next
 * attempt could only have started after the execution's deadline. `journal`: no number bounds its attempts, and the
 * journal is full of them, or of something else.
 */
export type Spent = "attempts" | "duration" | "terminal" | "refused" | "deadline" | "journal";

/** Which rule set the time of the next attempt. */
export type RetryReason = "backoff" | "retry-after";

/** One attempt that failed. */
export interface FailedAttempt {
  readonly thrown: unknown;
  /** Its number, from 1. */
  readonly attempt: number;
  /** Attempts that count against the budget, this one included. */
  readonly charged: number;
  /** Since the start of the first attempt, without the time paused. */
  readonly elapsedMs: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What the step lives under. */
export interface RetryTerms {
  /** The step's name. */
  readonly step: string;
  readonly policy: ResolvedRetryPolicy;
  /** The longest delay that an error may prescribe. */
  readonly maximumRetryAfterMs: number;
  /** Unix milliseconds: no attempt starts then or later. */
  readonly deadlineAt?: number | undefined;
  /** Then a step whose policy has no `maximumAttempts` gets no further attempt: with any other it is bounded anyway. */
  readonly isJournalFull?: boolean | undefined;
  readonly random: () => number;
}

export type RetryDecision =
  | {
      readonly kind: "retry";
      /** Unix milliseconds. */
      readonly retryAt: number;
      readonly because: RetryReason;
    }
  | {
      readonly kind: "spent";
      readonly spent: Spent;
      /** What the workflow's code sees. */
      readonly error: Error;
      /** When the service asked to be tried again, where that is beyond the bound. */
      readonly retryAt?: number;
    };

/**
 * Decides what follows a failed attempt: a retry and its time, or the end of the step and its error. A terminal error
 * comes before a prescribed delay, and that before the ordinary backoff. Never throws, whatever was thrown.
 */
export function decideRetry(failed: FailedAttempt, terms: RetryTerms): RetryDecision {
  const terminal = terminalError(failed.thrown, terms);
  if (terminal !== undefined) return { kind: "spent", spent: "terminal", error: terminal };
  const prescribed = readPrescription(failed);
  if (prescribed.kind === "invalid") {
    return { kind: "spent", spent: "terminal", error: refuseDelay(terms.step, prescribed.error) };
  }
  const beyond = prescribed.kind === "at" && prescribed.at - failed.now > terms.maximumRetryAfterMs;
  const spent = spentLimit(failed, terms.policy) ?? (beyond ? "refused" : undefined);
  if (spent !== undefined) {
    const retryAt = beyond ? prescribed.at : undefined;
    const error = exhaust(failed, terms.step, retryAt);
    return { kind: "spent", spent, error, ...(retryAt === undefined ? {} : { retryAt }) };
  }
  const retry = nextAttempt(failed, prescribed, terms);
  const hindered = hindrance(retry.retryAt, terms);
  if (hindered === undefined) return { kind: "retry", ...retry };
  return { kind: "spent", spent: hindered, error: exhaust(failed, terms.step, undefined) };
}

/** What of the execution, and not of the step, stands against another attempt. */
function hindrance(retryAt: number, { deadlineAt, isJournalFull, policy }: RetryTerms): Spent | undefined {
  if (deadlineAt !== undefined && retryAt >= deadlineAt) return "deadline";
  return isJournalFull === true && policy.maximumAttempts === undefined ? "journal" : undefined;
}

function nextAttempt(
  failed: FailedAttempt,
  prescribed: PrescribedRetry,
  terms: RetryTerms,
): { readonly retryAt: number; readonly because: RetryReason } {
  if (prescribed.kind === "at") return { retryAt: prescribed.at, because: "retry-after" };
  const delayMs = backoffDelayMs(terms.policy, failed.attempt, terms.random);
  return { retryAt: failed.now + delayMs, because: "backoff" };
}

function terminalError(thrown: unknown, terms: RetryTerms): Error | undefined {
  const branded = brandOf(thrown) !== undefined;
  if (branded && (DeclaredError.is(thrown) || NonRetryableError.is(thrown) || StepExhausted.is(thrown))) return thrown;
  if (isInvalidDelay(thrown)) return refuseDelay(terms.step, thrown);
  const name = readProperty(thrown, "name");
  if (typeof name !== "string" || !terms.policy.nonRetryableErrors.includes(name)) return undefined;
  const message = `Workflow Step ${terms.step} failed with ${name}, which its retry policy does not retry.`;
  return new NonRetryableError(message, { cause: thrown });
}

/** Only the thrown error itself prescribes a delay: one among its causes was somebody else's, and was dealt with. */
function readPrescription(
  failed: FailedAttempt,
): PrescribedRetry | { readonly kind: "invalid"; readonly error: unknown } {
  if (brandOf(failed.thrown) !== "RetryableError") return { kind: "none" };
  try {
    return prescribedRetryAt(readProperty(failed.thrown, "retryAfter"), failed.now);
  } catch (error) {
    return { kind: "invalid", error };
  }
}

/** The next delay is not part of the comparison: an attempt that is due after the duration still runs, once. */
function spentLimit(failed: FailedAttempt, policy: ResolvedRetryPolicy): Spent | undefined {
  if (policy.maximumAttempts !== undefined && failed.charged >= policy.maximumAttempts) return "attempts";
  if (policy.maximumDurationMs !== undefined && failed.elapsedMs >= policy.maximumDurationMs) return "duration";
  return undefined;
}

function refuseDelay(step: string, cause: unknown): NonRetryableError {
  return new NonRetryableError(`Workflow Step ${step} asked to retry after what is not a time.`, { cause });
}

function exhaust(failed: FailedAttempt, step: string, retryAt: number | undefined): StepExhausted {
  const cause = failed.thrown;
  return new StepExhausted({ step, attempts: failed.attempt, refusal: refusalOf(cause), retryAt, cause });
}
