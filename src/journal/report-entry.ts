import type { Failure } from "../steps/failure.ts";
import type { Fact } from "./entry.ts";

/** The directory knows what the entries before this number say. */
export interface Reported extends Fact<"reported"> {
  readonly upTo: number;
}

/** The directory could not be reached, or gave no answer. It is told again. */
export interface ReportFailed extends Fact<"report-failed"> {
  /** Failures in a row. */
  readonly attempt: number;
  readonly failure: Failure;
  readonly retryAt: number;
}

/** What is journaled of reports to the directory. */
export type ReportEntry = Reported | ReportFailed;
