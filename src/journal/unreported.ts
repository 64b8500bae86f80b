import { describeFailure } from "../steps/failure.ts";
import { LIMITS } from "../limits.ts";
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

/** What is journaled of an acknowledgement: nothing, where something is still to be told. */
export function reportAcknowledged({ unreported }: State, upTo: number, at: number): Reported | undefined {
  return unreported !== undefined && unreported.entry < upTo ? { type: "reported", upTo, at } : undefined;
}

/** What is journaled of a failure. The directory never holds an execution up: it is told less and less often. */
export function reportFailed({ unreported }: State, thrown: unknown, at: number): ReportFailed | undefined {
  if (unreported === undefined) return undefined;
  const attempt = unreported.failures + 1;
  const delayMs = Math.min(LIMITS.reportRetryFirstMs * 2 ** unreported.failures, LIMITS.reportRetryMs);
  return { type: "report-failed", attempt, failure: describeFailure(thrown), retryAt: at + delayMs, at };
}
