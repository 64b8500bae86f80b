import { describeFailure } from "../steps/failure.ts";
import { LIMITS } from "../limits.ts";
import { drawDelay } from "./draw.ts";
import type { Reported, ReportFailed } from "./report-entry.ts";
import type { State } from "./state.ts";

/** A fact that the directory has to be told, until it is acknowledged. */
export interface Unreported {
  /** Its number. */
  readonly entry: number;
  /** In a row. */
  readonly failures: number;
  /** When the alarm sees to it; `undefined` where others will. */
  readonly dueAt: number | undefined;
}

/** When the alarm has to see to a report. */
export function nextReportAt({ isListed, unreported, unreadable }: State): number | undefined {
  return isListed && unreadable === undefined ? unreported?.dueAt : undefined;
}

/**
 * What is journaled of an acknowledgement when the object comes to rest: that the alarm has to see to nothing, or, where
 * something else is written anyway, that nothing is left to be told. Any other is kept in memory alone: what the next
 * object tells once more is not taken for news.
 */
export function reportAcknowledged(
  { unreported, end }: State,
  { upTo, isFree }: { readonly upTo: number; readonly isFree: boolean },
  at: number,
): Reported[] {
  if (unreported === undefined || unreported.entry >= upTo) return [];
  return unreported.dueAt !== undefined || (isFree && end === undefined) ? [{ type: "reported", upTo, at }] : [];
}

/** What is journaled of a failure. The directory never holds an execution up: it is told less and less often. */
export function reportFailed(state: State, thrown: unknown, at: number): ReportFailed[] {
  const { unreported } = state;
  if (unreported === undefined) return [];
  const attempt = unreported.failures + 1;
  const longestMs = Math.min(LIMITS.reportRetryFirstMs * 2 ** unreported.failures, LIMITS.reportRetryMs);
  const delayMs = drawDelay(seedOf(state), `report ${unreported.entry} ${attempt}`, longestMs);
  return [{ type: "report-failed", attempt, failure: describeFailure(thrown), retryAt: at + delayMs, at }];
}

/** When a purge is tried again of which the directory could not be told. */
export function purgeRetryAt(state: State, now: number): number {
  return now + drawDelay(seedOf(state), `purge ${now}`, LIMITS.purgeRetryMs);
}

function seedOf({ started }: State): string {
  return started?.seed ?? "";
}
