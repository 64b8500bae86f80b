import { decodeValue } from "./decode-value.ts";
import { encodeValue } from "./encode-value.ts";
import { type ProblemDocument, RequestRefused } from "./errors.ts";
import type { Paged, ScheduleOrder, Signal, Start, Transport, Verbs } from "./transport.ts";

/** JSON whose values are in the value codec's flat JSON. */
const VALUE_TYPE = "application/vnd.stepwell+json";

/** Fields of answers that hold a value, and those that hold parts with such fields: `showEntry` has those of entries. */
const VALUES = ["value", "details", "progress", "input", "error"];
const PARTS = ["outcome", "entries", "message"];

/** Where a client sends its requests. */
export interface Destination {
  /** Up to `/v1`. */
  readonly url: string;
  readonly token: string | undefined;
  readonly fetcher: { readonly fetch: typeof fetch };
}

type Verb = keyof Verbs;

/** What the requests of all verbs have. */
type AnyRequest = Partial<Omit<Start, "body"> & Signal & Paged & ScheduleOrder>;

export function httpTransport({ url, token, fetcher }: Destination): Transport {
  return async (verb, request: AnyRequest) => {
    const { query = {}, key, waitMs, signal = null } = request;
    const target = new URL(`${url}/v1/${pathOf(verb, request).map(segment).join("/")}`);
    target.search = String(new URLSearchParams(given(query)));
    const document = bodyOf(verb, request);
    // No body where there is no document.
    const body = JSON.stringify(document);
    const method = verb === "delete" ? "DELETE" : body ? "POST" : "GET";
    const headers = given({
      accept: VALUE_TYPE,
      authorization: token && `Bearer ${token}`,
      "content-type": document && VALUE_TYPE,
      "idempotency-key": key,
      prefer: waitMs ? `wait=${waitMs / 1_000}` : undefined,
    });
    // A redirect would make a GET of a POST, and carry the token to wherever it leads.
    const init = { method, headers, redirect: "manual", signal, body } as const;
    const response = await fetcher.fetch(new Request(target, init));
    return answerOf(verb, response.status, read(response, await response.text()));
  };
}

/** What there is to say, as text. */
function given(fields: Paged["query"]): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value.valueOf())]],
  );
}

function pathOf(verb: Verb, { workflow, id, name, schedule, command }: AnyRequest): readonly (string | undefined)[] {
  if (schedule !== undefined) return ["schedules", schedule, command ?? verb];
  if (workflow === undefined) return [verb];
  const executions = ["workflows", workflow, "executions"];
  if (verb === "start") return executions;
  if (verb === "signal") return [...executions, id, "signals", name];
  return verb === "view" || verb === "delete" ? [...executions, id] : [...executions, id, verb];
}

/** URLs swallow these whole: the path would be another resource's. Everything else is for the Worker to judge. */
function segment(text = ""): string {
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  const detail = `Cannot use a name or id as it must not be empty, "." or "..": current value is "${text}"`;
  throw new RequestRefused({ status: 422, code: "INVALID_ID", detail });
}

function bodyOf(verb: Verb, { body, input, value }: AnyRequest): object | number | undefined {
  if (verb === "signal") return encodeValue(value);
  return verb === "start" ? { ...body, input: encodeValue(input) } : body;
}

function answerOf(verb: Verb, status: number, document: object | undefined): unknown {
  if (verb === "start" || verb === "trigger") {
    return { ...document, created: status === 202 ? undefined : status === 201 };
  }
  return status === 202 && verb === "result" ? undefined : document;
}

function read({ status, ok, headers }: Response, text: string): object | undefined {
  const type = headers.get("content-type") ?? "nothing";
  if (status === 204) return undefined;
  // The cast: every document is an object.
  if (ok && type.startsWith(VALUE_TYPE)) return withValues(JSON.parse(text)) as object;
  const detail = `Cannot use the answer as it must be ${VALUE_TYPE}: current value is ${type} with status ${status}`;
  // The cast: so does the interface speak of problems. Others on the way may leave out what it always says.
  const problem = type.startsWith("application/problem+json") ? (JSON.parse(text) as ProblemDocument) : {};
  throw refusal({ status, code: "UNEXPECTED_ANSWER", detail, ...problem }, headers);
}

/** `Retry-After` is seconds or an HTTP date; nothing else is one. */
function refusal(problem: ProblemDocument, headers: Headers): RequestRefused {
  const after = headers.get("retry-after") ?? "";
  const ms = after.endsWith("GMT") ? Date.parse(after) - Date.now() : Number(/^\d+$/.exec(after) ?? Number.NaN) * 1_000;
  return new RequestRefused(problem, ms >= 0 ? ms : undefined);
}

/** A document with its values as what they are. */
function withValues(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(withValues);
  if (typeof document !== "object" || document === null) return document;
  return Object.fromEntries(
    Object.entries(document).map(([key, part]: [string, unknown]) => {
      // A reference to a large value is an object, which the codec never begins with.
      if (VALUES.includes(key) && (typeof part === "number" || Array.isArray(part))) return [key, decodeValue(part)];
      return [key, PARTS.includes(key) ? withValues(part) : part];
    }),
  );
}
