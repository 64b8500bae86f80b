import { describeFailure } from "../steps/failure.ts";
import { decideAttempt, retryTimes, type FailureTerms } from "./attempt-failed.ts";
import type { RollbackRetried, RollbackSpent } from "./rollback-entry.ts";
import type { Rollback, State } from "./state.ts";

/** What is journaled of an attempt of a rollback that failed: its retry with its time, or that it is given up. */
export function rollbackFailed(
  state: State,
  failed: { readonly rollback: Rollback; readonly thrown: unknown },
  terms: FailureTerms,
): RollbackRetried | RollbackSpent {
  const { rollback, thrown } = failed;
  const { op, attempts: attempt } = rollback;
  const jitter = `jitter rollback ${op} ${attempt}`;
  const decision = decideAttempt(state, { attempted: rollback, thrown, jitter }, terms);
  const fact = { type: "rollback-failed" as const, op, attempt, failure: describeFailure(thrown) };
  if (decision.kind === "retry") return { ...fact, ...retryTimes(decision, terms), at: terms.now };
  // Nobody is thrown the error: the code has ended. Operators read the failure.
  const { spent, retryAt } = decision;
  return { ...fact, spent, ...(retryAt !== undefined && { retryAt }), at: terms.now };
}
