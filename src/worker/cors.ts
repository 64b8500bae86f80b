import { showValue } from "../steps/show-value.ts";
import type { Site } from "./site.ts";

/** What the routes take, whichever it is that a page asks for. */
const METHODS = "GET, HEAD, POST, DELETE";
const REQUEST_HEADERS = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, traceparent, tracestate";

/** What a page may read of an answer besides what every page may. */
const ANSWER_HEADERS = "Location, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate";

/** As long as browsers remember it at most. */
const PREFLIGHT_SECONDS = "7200";

/** The option: exact origins. `*` is none: on loopback, where there may be no token, it would open everything to any page. */
export function checkCors(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw new TypeError(`Cannot use cors as it must be a list: current value is ${showValue(value)}`);
  return Object.freeze(value.map((origin: unknown, index) => checkOrigin(`cors[${index}]`, origin)));
}

function checkOrigin(field: string, value: unknown): string {
  if (typeof value === "string" && /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value) {
    return value;
  }
  const rule = "it must be an origin as browsers write it, such as https://app.example.com";
  throw new TypeError(`Cannot use ${field} as ${rule}: current value is ${showValue(value)}`);
}

export function isCorsOrigin({ cors }: Site, origin: string | null): origin is string {
  return origin !== null && cors.includes(origin);
}

/** The answer to a browser that asks whether a page may send a request. It carries no token, and opens nothing. */
export function preflightAnswer(site: Site, { method, headers }: Request): Response | undefined {
  const asks = method === "OPTIONS" && headers.has("access-control-request-method");
  if (!asks || !isCorsOrigin(site, headers.get("origin"))) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": REQUEST_HEADERS,
      "access-control-max-age": PREFLIGHT_SECONDS,
    },
  });
}

/** What lets a page read the answer. Never with credentials: a page of another origin presents a token, or nothing. */
export function corsHeaders(site: Site, { headers }: Request): Readonly<Record<string, string>> {
  if (site.cors.length === 0) return {};
  const origin = headers.get("origin");
  if (!isCorsOrigin(site, origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": ANSWER_HEADERS,
  };
}
