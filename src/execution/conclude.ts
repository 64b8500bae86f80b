import { abandoned, endOf, endOfCancellation, type EndTerms } from "../journal/ending.ts";
import type { Encoded, Ended, Entry, Paused } from "../journal/entry.ts";
import { runFailed } from "../journal/run-failed.ts";
import type { State } from "../journal/state.ts";
import { encodeValue, ValueFault } from "../journal/value.ts";
import { describeFailure } from "../steps/failure.ts";
import type { ResolvedRetryPolicy } from "../steps/retry-policy.ts";
import { pathOf } from "./context.ts";
import type { Mismatch, RunResult } from "./run.ts";
import type { WorkflowDefinition } from "./workflow.ts";

export interface ConclusionTerms {
  readonly state: State;
  readonly now: number;
  readonly maximumValueBytes: number;
  /** The workflow's policy: a failed run takes its intervals and its attempts from it. */
  readonly policy: ResolvedRetryPolicy;
  /** As `Journal.encoded`. */
  readonly encoded: (text: string, ahead: number) => Encoded;
}

/** A returned value after its schema, which may take its time; anything else as it is. */
export async function checkOutput(result: RunResult, definition: WorkflowDefinition): Promise<RunResult> {
  if (result.kind === "threw" || definition.output === undefined) return result;
  try {
    const checked = await definition.output["~standard"].validate(result.value);
    if (checked.issues === undefined) return { kind: "returned", value: checked.value };
    const issues = checked.issues.map((issue) => `${pathOf(issue.path)}: ${issue.message}`).join("; ");
    const message = `Cannot return this value as it does not fit the output schema: ${issues}`;
    return { kind: "threw", thrown: new TypeError(message) };
  } catch (thrown) {
    return { kind: "threw", thrown };
  }
}

/** What is journaled of the end of a workflow's function: the execution's end, or a failure of the run. */
export function concludeRun(result: RunResult, terms: ConclusionTerms): Entry[] {
  const { state, now } = terms;
  const ahead = abandoned(state, now);
  try {
    const end = endOfResult(result, terms, ahead.length);
    if (end !== undefined) return [...ahead, end];
    return failRun("RUN_FAILED", result.kind === "threw" ? result.thrown : undefined, terms);
  } catch (fault) {
    if (!(fault instanceof ValueFault)) throw fault;
    return failRun("RUN_FAILED", fault, terms);
  }
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
  const { state, now, policy } = terms;
  if (isCancelPending(state)) return cancelUntold(terms);
  return [runFailed(state, { code, failure: describeFailure(thrown) }, { policy, now })];
}

/** Code that asks for something else than it did: nothing is written but the pause. */
export function pauseMismatch(mismatch: Mismatch, terms: ConclusionTerms): Entry[] {
  const { position, recorded, asked } = mismatch;
  const message =
    `The workflow's code does not fit the journal: at operation ${position} the journal has ${recorded}, ` +
    `the code asked for ${asked}. Deploy the code that the execution started with, or code that asks alike, and resume.`;
  return pauseFault({ code: "JOURNAL_MISMATCH", message, ...mismatch }, terms);
}

/** Code that cannot be called, or not go on, waits for another deployment; one that was to be cancelled just ends. */
export function pauseFault(fault: Omit<Paused, "type" | "by" | "at">, terms: ConclusionTerms): Entry[] {
  if (isCancelPending(terms.state)) return cancelUntold(terms);
  return [{ type: "paused", by: "fault", ...fault, at: terms.now }];
}

/** Somebody asked for a cancellation and the workflow's code has not been told. */
export function isCancelPending(state: State): boolean {
  return state.cancelRequestedAt !== undefined && !state.cancelDelivered;
}

function cancelUntold(terms: ConclusionTerms): Entry[] {
  const ahead = abandoned(terms.state, terms.now);
  return [...ahead, endOfCancellation(endTermsOf(terms, ahead.length))];
}
