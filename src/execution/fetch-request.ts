import { showValue } from "../steps/show-value.ts";

/** A body that can be sent as often as there are attempts and redirects. */
export type FetchBody = string | Uint8Array<ArrayBuffer> | URLSearchParams | FormData | Blob;

/** One request as every attempt of its step sends it: nothing that the author changes later has an effect. */
export interface FetchRequest {
  readonly url: string;
  readonly method: string;
  /** Read only: each attempt copies them. */
  readonly headers: Headers;
  readonly body: FetchBody | undefined;
  readonly redirect: "follow" | "manual" | "error";
  /** The author's own. */
  readonly signal: AbortSignal | undefined;
  /** What else the platform's `fetch` understands, such as `cf`. */
  readonly more: RequestInit;
}

const REDIRECTS = ["follow", "manual", "error"] as const;

/**
 * Reads and copies what `step.fetch` was given. As with `fetch` itself, a field of `init` goes before that of a
 * `Request`; of a `Request` url, method, headers, redirect, signal and `cf` are taken.
 *
 * @throws TypeError that names the field, the rule and the value
 */
export function readFetchRequest(input: unknown, given: unknown): FetchRequest {
  const request = input instanceof Request ? input : undefined;
  const { method, headers, body, redirect, signal, ...more } = readInit(given);
  const url = readUrl(request?.url ?? input);
  const read = {
    url,
    headers: readHeaders(headers ?? request?.headers),
    body: readBody(body ?? request?.body ?? undefined),
    redirect: readRedirect(redirect ?? request?.redirect ?? "follow"),
    signal: readSignal(signal ?? request?.signal ?? undefined),
    more: request?.cf === undefined ? more : { cf: request.cf, ...more },
  };
  return { ...read, method: readMethod(method ?? request?.method ?? "GET", read) };
}

function refused(field: string, rule: string, value: unknown): TypeError {
  return new TypeError(`Cannot use ${field} of step.fetch as ${rule}: current value is ${showValue(value)}`);
}

function readInit(init: unknown): RequestInit {
  if (init === undefined) return {};
  if (typeof init !== "object" || init === null) throw refused("init", "it must be an object", init);
  return init;
}

function readUrl(input: unknown): string {
  const text = input instanceof URL ? input.href : input;
  const rule = "it must be a Request, or an absolute URL of http or https";
  if (typeof text !== "string" || !URL.canParse(text)) throw refused("request", rule, input);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refused("request", rule, text);
  return url.href;
}

function readHeaders(headers: RequestInit["headers"]): Headers {
  try {
    return new Headers(headers ?? {});
  } catch (cause) {
    throw new TypeError(`Cannot use headers of step.fetch as Headers refuses them: ${String(cause)}`, { cause });
  }
}

/** The platform's own check of the method, also together with the body; it writes `get` as `GET`. */
function readMethod(method: string, { url, body }: Pick<FetchRequest, "url" | "body">): string {
  try {
    return new Request(url, { method, body: body ?? null }).method;
  } catch (cause) {
    throw new TypeError(`Cannot use method of step.fetch as Request refuses it: ${String(cause)}`, { cause });
  }
}

function readRedirect(redirect: string): FetchRequest["redirect"] {
  const known = REDIRECTS.find((mode) => mode === redirect);
  if (known === undefined) throw refused("redirect", `it must be one of ${REDIRECTS.join(", ")}`, redirect);
  return known;
}

function readSignal(signal: unknown): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal;
  throw refused("signal", "it must be an AbortSignal", signal);
}

/** A copy of what may change; a `Blob` cannot. */
function readBody(body: unknown): FetchBody | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof Blob) return body;
  if (body instanceof URLSearchParams) return new URLSearchParams(body);
  if (body instanceof FormData) return copyForm(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice());
  if (ArrayBuffer.isView(body)) return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  if (isStream(body)) {
    const rule = "a stream can be read only once, and a step may need several attempts";
    throw new TypeError(
      `Cannot use body of step.fetch as ${rule}: give text or bytes, also for a Request with a body.`,
    );
  }
  throw refused("body", "it must be a string, bytes, URLSearchParams, FormData or a Blob", body);
}

/** `fetch` of some platforms takes async iterables too. */
function isStream(body: unknown): boolean {
  return body instanceof ReadableStream || (typeof body === "object" && body !== null && Symbol.asyncIterator in body);
}

function copyForm(form: FormData): FormData {
  const copy = new FormData();
  for (const [name, value] of form) {
    if (typeof value === "string") copy.append(name, value);
    else copy.append(name, value, value.name);
  }
  return copy;
}
