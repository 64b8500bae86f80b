import type { ProblemDocument } from "../client/errors.ts";
import type { Issue } from "../execution/issue.ts";

/** Every code that this API answers with: its HTTP status and its title. */
const PROBLEMS = {
  INVALID_PATH: [400, "The path is not readable"],
  INVALID_JSON: [400, "The body is not readable"],
  UNAUTHORIZED: [401, "A valid token is needed"],
  FORBIDDEN: [403, "Not allowed"],
  NOT_FOUND: [404, "Not found"],
  METHOD_NOT_ALLOWED: [405, "The method is not allowed here"],
  NOT_ACCEPTABLE: [406, "No acceptable form of answer"],
  ID_CONFLICT: [409, "The id is taken"],
  EXECUTION_ENDED: [409, "The execution has ended"],
  EXECUTION_NOT_ENDED: [409, "The execution has not ended"],
  EXECUTION_UNREACHABLE: [409, "Another execution could not be reached"],
  SCHEDULE_OVERLAP: [409, "The schedule's last execution has not ended"],
  CALLBACK_USED: [410, "The callback has been answered"],
  CALLBACK_EXPIRED: [410, "The callback's time is up"],
  CALLBACK_ENDED: [410, "The callback's execution has ended"],
  FORK_INSIDE_CALLBACK: [409, "The cut lies inside of a callback"],
  VALUE_TOO_LARGE: [413, "The value is too large"],
  UNSUPPORTED_MEDIA_TYPE: [415, "The content type is not supported"],
  VALIDATION_ERROR: [422, "The request does not fit its schema"],
  INVALID_ID: [422, "The id is not valid"],
  INVALID_CURSOR: [422, "The cursor is not valid"],
  UNSUPPORTED: [422, "Not declared by the workflow"],
  SIGNAL_LIMIT: [429, "Too many unread signals"],
  VIEWER_LIMIT: [429, "Too many viewers"],
  FRAME_LIMIT: [429, "Too many frames"],
  JOURNAL_LIMIT: [429, "The journal is full"],
  INTERNAL_ERROR: [500, "Internal error"],
  NOT_CONFIGURED: [503, "The deployment is not configured"],
  UNAVAILABLE: [503, "An object could not be reached"],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

export const PROBLEM_TYPE = "application/problem+json";

export type ProblemCode = keyof typeof PROBLEMS;

// The cast: `Object.keys` knows only strings.
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

export interface ProblemOptions {
  readonly issues?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is refused: thrown wherever that is found out, answered as an RFC 9457 problem document. */
export class Problem extends Error {
  override readonly name = "Problem" as const;
  readonly code: ProblemCode;
  readonly issues: readonly Issue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.code = code;
    this.issues = options.issues;
    this.headers = options.headers ?? {};
  }
}

/** What a thrown value is to the caller. Only a `Problem` speaks for itself: other messages may hold secrets. */
export function problemOf(fault: unknown): Problem {
  if (fault instanceof Problem) return fault;
  // The caller learns nothing of it, so the log has to.
  console.error(fault);
  return new Problem("INTERNAL_ERROR", "The request could not be completed; the reason is in the Worker's log.");
}

/** A problem as the document of RFC 9457. */
export function problemDocument(problem: Problem): ProblemDocument {
  const [status, title] = PROBLEMS[problem.code];
  return {
    type: `urn:stepwell:problem:${problem.code.toLowerCase().replaceAll("_", "-")}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    ...(problem.issues === undefined ? {} : { issues: problem.issues }),
  };
}

export function problemResponse(problem: Problem): Response {
  const document = problemDocument(problem);
  const headers = { ...problem.headers, "content-type": PROBLEM_TYPE };
  return new Response(JSON.stringify(document), { status: document.status, headers });
}
