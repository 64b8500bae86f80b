import { endOf } from "../journal/ending.ts";
import type { Encoded, Ended, Entry } from "../journal/entry.ts";
import type { RollbackNotRun } from "../journal/rollback-entry.ts";
import { RUN_FAILED } from "../journal/run-failed.ts";
import type { State } from "../journal/state.ts";
import { failRun, pauseMismatch, type ConclusionTerms } from "./conclude.ts";
import type { Run, RunResult } from "./run.ts";

/** The end is journaled already, with what it holds: that of a replay is compared, and nothing of it is kept. */
const NOTHING: Encoded = [];

/**
 * After a death the function is called again to get the rollbacks, and has to come to the end that the journal holds.
 * Nothing is journaled where it does; else what is wrong with it.
 */
export function compareEnd(result: RunResult, terms: ConclusionTerms): Entry[] {
  const { state, now } = terms;
  if (state.ending === undefined) return [];
  const end = result.kind === "threw" ? endOf(result.thrown, { state, at: now, encode: () => NOTHING }) : undefined;
  if (end === undefined && result.kind === "threw") return failRun(RUN_FAILED, result.thrown, terms);
  const recorded = nameOf(state.ending);
  const asked = end === undefined ? "return" : nameOf(end);
  if (asked === recorded) return [];
  return pauseMismatch({ position: state.operations.length, recorded, asked }, state, now);
}

/** Rollbacks that were there when their steps began, and that the present code does not have. */
export function rollbacksWithoutCode(run: Run, { openRollbacks }: State, at: number): RollbackNotRun[] {
  return [...openRollbacks.keys()]
    .filter((op) => run.rollbackOf(op) === undefined)
    .map((op) => ({ type: "rollback-not-run", op, reason: "The workflow's code has no rollback for this step.", at }));
}

function nameOf(end: Ended): string {
  return end.type === "failed" ? `the end failed ${end.code}` : `the end ${end.type}`;
}
