import type { TraceContext } from "../journal/trace-context.ts";
import { LIMITS } from "../limits.ts";
import { RetryableError } from "../steps/errors.ts";
import type { FetchRequest } from "./fetch-request.ts";
import type { Fetch } from "./ports.ts";

const REDIRECT_STATUS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What tells who sent a request, or makes it count: another origin has no business with it. */
const FOR_ONE_ORIGIN = [
  "Authorization",
  "Cookie",
  "Idempotency-Key",
  "Proxy-Authorization",
  "traceparent",
  "tracestate",
] as const;

/** Headers that describe a body, and go with it. */
const OF_BODIES = [
  "Content-Encoding",
  "Content-Language",
  "Content-Length",
  "Content-Location",
  "Content-Type",
] as const;

/** A request on its way, from one redirect to the next. */
type Hop = Pick<FetchRequest, "url" | "method" | "headers" | "body">;

export interface Sending {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** Sent where the method is not repeatable by itself and the author gave no other. */
  readonly idempotencyKey: () => string;
  /** The span of this attempt, sent unless the author gave a trace of his own. */
  readonly trace: TraceContext | undefined;
}

/**
 * Sends a request and follows its redirects, by hand: the platforms' own following drops `Authorization` alone, and
 * not everywhere. What was dropped for another origin stays dropped when a later redirect leads back.
 *
 * @throws RetryableError where the redirects lead nowhere; whatever `fetch` throws
 */
export async function sendFollowing(request: FetchRequest, sending: Sending): Promise<Response> {
  const { redirect, more } = request;
  let hop: Hop = { ...request, headers: headersOf(request, sending) };
  for (let redirects = 0; ; redirects += 1) {
    const { url, method, headers, body = null } = hop;
    const init = { ...more, method, headers, body, redirect: "manual" as const, signal: sending.signal };
    const response = await sending.fetch(url, init);
    const location = redirect === "manual" ? undefined : locationOf(response);
    if (location === undefined) return response;
    discard(response);
    if (redirect === "error") throw refuseRedirect(`the request has redirect: "error"`, response.status);
    if (redirects === LIMITS.redirects) {
      throw refuseRedirect(`a request may be redirected ${LIMITS.redirects} times`, response.status);
    }
    hop = nextHop(hop, { location, status: response.status }, request);
  }
}

/** True for the methods that change nothing. */
function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function headersOf({ headers: given, method }: FetchRequest, { idempotencyKey, trace }: Sending): Headers {
  const headers = new Headers(given);
  if (trace !== undefined && !headers.has("traceparent")) {
    headers.set("traceparent", trace.traceparent);
    if (trace.tracestate !== undefined) headers.set("tracestate", trace.tracestate);
  }
  if (!isSafe(method) && !headers.has("Idempotency-Key")) headers.set("Idempotency-Key", idempotencyKey());
  return headers;
}

function locationOf(response: Response): string | undefined {
  if (!REDIRECT_STATUS.has(response.status)) return undefined;
  return response.headers.get("Location") ?? undefined;
}

function nextHop(hop: Hop, to: { readonly location: string; readonly status: number }, first: FetchRequest): Hop {
  const { location, status } = to;
  const url = URL.canParse(location, hop.url) ? new URL(location, hop.url) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw refuseRedirect("its Location must be a URL of http or https", status);
  }
  const headers = new Headers(hop.headers);
  if (url.origin !== new URL(hop.url).origin) for (const name of FOR_ONE_ORIGIN) headers.delete(name);
  if (!becomesGet(hop.method, status)) return { ...hop, url: url.href, headers };
  for (const name of OF_BODIES) headers.delete(name);
  // The engine's own key was for the method that there was.
  if (!first.headers.has("Idempotency-Key")) headers.delete("Idempotency-Key");
  return { url: url.href, method: "GET", headers, body: undefined };
}

/** As the Fetch standard says in "HTTP-redirect fetch". */
function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

function refuseRedirect(rule: string, status: number): RetryableError {
  return new RetryableError(`Cannot follow a redirect (${status}) as ${rule}.`);
}

function discard({ body }: Response): void {
  // Nobody wants the body of a redirect; that it broke off changes nothing.
  body?.cancel().catch(() => {});
}
