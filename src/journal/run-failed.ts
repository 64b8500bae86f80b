import { backoffDelayMs } from "../steps/backoff.ts";
import type { Failure } from "../steps/failure.ts";
import { runPolicy, type ResolvedRetryPolicy } from "../steps/retry-policy.ts";
import { drawUnit } from "./draw.ts";
import type { Paused, RunFailed } from "./entry.ts";
import type { State } from "./state.ts";

/** The ordinary one of the codes of a run that failed: its code threw. */
export const RUN_FAILED = "RUN_FAILED";

/** A run that failed outside every step is attempted again, and at last paused: a bug must not burn an execution. */
export function runFailed(
  state: State,
  failed: { readonly code: string; readonly failure: Failure },
  terms: { readonly policy: ResolvedRetryPolicy; readonly now: number; readonly skipsBackoff?: boolean | undefined },
): RunFailed | Paused {
  const { now } = terms;
  const policy = runPolicy(terms.policy);
  const attempt = state.runFailures + 1;
  if (attempt >= policy.maximumAttempts) return givenUp(failed, attempt, now);
  const random = () => drawUnit(state.started?.seed ?? "", `jitter run ${attempt}`);
  const delayMs = terms.skipsBackoff === true ? 0 : backoffDelayMs(policy, attempt, random);
  const { code, failure } = failed;
  const told = code === RUN_FAILED ? {} : { code };
  return { type: "run-failed", attempt, ...told, failure, retryAt: now + delayMs, at: now };
}

function givenUp(failed: { readonly code: string; readonly failure: Failure }, attempt: number, at: number): Paused {
  const { code, failure } = failed;
  const message =
    `Run ${attempt} of ${attempt} failed outside every step (${failure.name}: ${failure.message}). ` +
    "Deploy corrected code and resume the execution, or cancel it. To fail an execution for good, let its code throw " +
    "NonRetryableError or one of its declared errors (errors.CODE).";
  return { type: "paused", by: "fault", code, message, failure, at };
}
