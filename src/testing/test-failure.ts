import type { Journal } from "../execution/journal.ts";
import type { Entry } from "../journal/entry.ts";
import { readProperty } from "../steps/read-property.ts";
import type { Failure } from "../steps/failure.ts";

/** What stands behind a pause, a failed run or an end by the engine, as operators see it in the journal. */
export interface TestFailure extends Failure {
  /** Of a `JOURNAL_MISMATCH`: the operation's number, what stands there and what the code asked for. */
  readonly position?: number;
  readonly recorded?: string;
  readonly asked?: string;
}

/**
 * Why an execution is paused; what its last run failed with, if it is to run again; what the last attempt threw of the
 * step that ended it. `undefined` where none of these is so, and for errors that the workflow declares.
 */
export function failureOf(journal: Journal): TestFailure | undefined {
  const { state } = journal;
  const entries = () => [...journal.entries(0)].map(({ entry }) => entry);
  if (state.end !== undefined) return state.end.type === "failed" ? spentFailure(journal, entries()) : undefined;
  if (state.pause !== undefined) {
    const { code, message, failure, position, recorded, asked } = state.pause;
    return {
      ...(failure ?? { name: "Paused", message }),
      code,
      ...(position !== undefined && { position }),
      ...(recorded !== undefined && { recorded }),
      ...(asked !== undefined && { asked }),
    };
  }
  return state.runFailure?.failure;
}

/** How the last attempt of the step failed that ended the execution; of the step spent last where the end names none. */
function spentFailure(journal: Journal, entries: readonly Entry[]): TestFailure | undefined {
  const { end, operations } = journal.state;
  if (end?.type !== "failed" || end.declared) return undefined;
  const step = readProperty(journal.decode(end.details), "step");
  const named = operations.find(({ kind, name }) => kind === "step" && name === step)?.op;
  const spent = entries.filter((entry) => entry.type === "attempt-failed" && entry.spent !== undefined);
  const last = spent.findLast((entry) => entry.type === "attempt-failed" && (named ?? entry.op) === entry.op);
  return last?.type === "attempt-failed" ? last.failure : undefined;
}
