import { abandoned, cancelUntold, endOf, isCancelPending, pausedByFault, type EndTerms } from "../journal/ending.ts";
import type { Encoded, Ended, Entry } from "../journal/entry.ts";
import { stepsToRollBack } from "../journal/rollback.ts";
import { RUN_FAILED, runFailed } from "../journal/run-failed.ts";
import type { State } from "../journal/state.ts";
import { encodeValue, ValueFault } from "../journal/value.ts";
import { describeFailure } from "../steps/failure.ts";
import type { ResolvedRetryPolicy } from "../steps/retry-policy.ts";
import type { Mismatch, RunResult } from "./run.ts";

export interface ConclusionTerms {
  readonly state: State;
  readonly now: number;
  readonly maximumValueBytes: number;
  /** The workflow's policy: a failed run takes its intervals and its attempts from it. */
  readonly policy: ResolvedRetryPolicy;
  readonly skipsBackoff: boolean | undefined;
  /** As `Journal.encoded`. */
  readonly encoded: (text: string, ahead: number) => Encoded;
}

/** What is journaled of the end of a workflow's function: the execution's end, or a failure of the run. */
export function concludeRun(result: RunResult, terms: ConclusionTerms): Entry[] {
  const { state, now } = terms;
  const ahead = abandoned(state, now);
  try {
    const end = endOfResult(result, terms, ahead.length);
    if (end !== undefined) return [...ahead, withRollbacks(end, state)];
    return failRun(RUN_FAILED, result.kind === "threw" ? result.thrown : undefined, terms);
  } catch (fault) {
    if (!(fault instanceof ValueFault)) throw fault;
    return failRun(RUN_FAILED, fault, terms);
  }
}

/** Rollbacks come before an end that is no success; where there are none, nothing is written of them. */
function withRollbacks(end: Ended, state: State): Entry {
  if (end.type === "completed" || stepsToRollBack(state).length === 0) return end;
  return { type: "ending", outcome: end, at: end.at };
}

function endOfResult(result: RunResult, terms: ConclusionTerms, ahead: number): Ended | undefined {
  const endTerms = endTermsOf(terms, ahead);
  if (result.kind === "threw") return endOf(result.thrown, endTerms);
  return { type: "completed", value: endTerms.encode(result.value), at: terms.now };
}

/** The end comes after so many other entries. */
function endTermsOf({ state, now, maximumValueBytes, encoded }: ConclusionTerms, ahead: number): EndTerms {
  return { state, at: now, encode: (value) => encoded(encodeValue(value, maximumValueBytes), ahead) };
}

/** A run that failed is called again later and paused at last; a cancelled one that cannot be told so just ends. */
export function failRun(code: string, thrown: unknown, terms: ConclusionTerms): Entry[] {
  const { state, now, policy, skipsBackoff } = terms;
  const failure = describeFailure(thrown);
  if (isCancelPending(state)) return cancelUntold(state, `${code}: ${failure.name}: ${failure.message}`, now);
  return [runFailed(state, { code, failure }, { policy, now, skipsBackoff })];
}

/** Code that asks for something else than it did: nothing is written but the pause. */
export function pauseMismatch(mismatch: Mismatch, state: State, at: number): Entry[] {
  const { position, recorded, asked } = mismatch;
  const why = `JOURNAL_MISMATCH: ${recorded}, not ${asked}`;
  const message =
    `The workflow's code does not fit the journal: at operation ${position} the journal has ${recorded}, ` +
    `the code asked for ${asked}. Deploy the code that the execution started with, or code that asks alike, and resume.`;
  return pausedByFault(state, { code: "JOURNAL_MISMATCH", message, ...mismatch, at }, why);
}
