import type { ProblemDocument } from "../../../client/errors.ts";
import { noticeDate } from "./clock.ts";
import { settings } from "./place.ts";

/** A request that was refused, or that nobody answered. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused" as const;
  readonly status: number;
  readonly code: string;
  readonly issues: readonly { readonly path: string; readonly message: string }[];
  constructor(status: number, { code, detail, issues = [] }: Pick<ProblemDocument, "code" | "detail" | "issues">) {
    super(detail);
    this.status = status;
    this.code = code;
    this.issues = issues;
  }
}

/** Nobody answered. */
const UNREACHABLE = {
  code: "UNREACHABLE",
  detail: "The Worker could not be reached. Is it still there, and the network?",
};

/** None of the dashboard's requests waits for anything. */
const ANSWERED_WITHIN_MS = 30_000;

export interface Asked {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Asks the HTTP interface for a document at a path below that of the routes.
 *
 * @throws RequestRefused
 */
export async function ask<T>(path: string, asked: Asked = {}): Promise<T> {
  return await askLink<T>(`${settings.prefix}${path}`, asked);
}

/** The same for a link that an answer has given, which holds the path of the routes. */
export async function askLink<T>(link: string, { method = "GET", body, signal }: Asked = {}): Promise<T> {
  const response = await send(link, {
    method,
    headers: { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(ANSWERED_WITHIN_MS), ...(signal === undefined ? [] : [signal])]),
  });
  noticeDate(response.headers.get("date"));
  if (response.status === 401) signIn();
  const document: unknown = response.status === 204 ? undefined : await readDocument(response);
  // The cast: the Worker that served this page answers in the form that its OpenAPI document says.
  if (response.ok) return document as T;
  throw new RequestRefused(response.status, problemIn(document, response.status));
}

async function send(link: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(link, init);
  } catch (fault) {
    if (init.signal?.aborted === true) throw fault;
    throw new RequestRefused(0, UNREACHABLE);
  }
}

async function readDocument(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    // Whatever stands between may answer with a page of its own: what it says is shown.
    return { code: "UNREADABLE", detail: `The answer is no JSON: ${text.slice(0, 200)}` };
  }
}

function problemIn(document: unknown, status: number): Pick<ProblemDocument, "code" | "detail" | "issues"> {
  const isProblem = typeof document === "object" && document !== null && "code" in document && "detail" in document;
  // The cast: a refusal is a problem document, whose form the HTTP interface promises.
  if (isProblem) return document as ProblemDocument;
  return { code: "UNREADABLE", detail: `The Worker answered ${status} without saying why.` };
}

/** The session has ended: the gate shows the page to sign in, and leads back. */
function signIn(): void {
  location.reload();
}

/** What went wrong, for the place where somebody asked for it. */
export function refusalOf(fault: unknown): RequestRefused {
  if (fault instanceof RequestRefused) return fault;
  const detail = fault instanceof Error ? fault.message : String(fault);
  return new RequestRefused(0, { code: "UNEXPECTED", detail });
}
