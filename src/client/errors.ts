import { brandClasses, brandOf } from "../steps/brand.ts";

/** One thing that is wrong with what was sent. */
export interface RequestIssue {
  /** Where it is in what was sent, as in `input.lines[0].sku`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** What the HTTP interface says of a refusal (RFC 9457). */
export interface ProblemDocument {
  readonly type?: string;
  readonly title?: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: string;
  readonly issues?: readonly RequestIssue[];
}

/** The request was refused, or answered by something that is no Stepwell (`UNEXPECTED_ANSWER`). */
export class RequestRefused extends Error {
  /** The HTTP status, from inside the Worker too. */
  declare readonly status: number;
  /** As in `ID_CONFLICT`. */
  declare readonly code: string;
  declare readonly issues?: readonly RequestIssue[];
  declare readonly problem: ProblemDocument;
  /** How long to wait before the same is asked again, where the answer said so. */
  declare readonly retryAfterMs?: number;
  constructor(problem: ProblemDocument, retryAfterMs?: number) {
    super(problem.detail ?? problem.code);
    this.status = problem.status;
    this.code = problem.code;
    if (problem.issues !== undefined) this.issues = problem.issues;
    this.problem = problem;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
  static is(error: unknown): error is RequestRefused {
    return brandOf(error) === "RequestRefused";
  }
}

/** The execution has not ended in the time that was given; it goes on. */
export class ResultTimeout extends Error {
  static is(error: unknown): error is ResultTimeout {
    return brandOf(error) === "ResultTimeout";
  }
}

brandClasses({ RequestRefused, ResultTimeout });
