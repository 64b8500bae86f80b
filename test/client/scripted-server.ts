import { createClient } from "../../src/client/create-client.ts";
import type { Client } from "../../src/client/types.ts";
import { encodeValue } from "../../src/journal/value.ts";

export const VALUES = "application/vnd.stepwell+json";
export const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A value as the engine writes it. */
export function flat(value: unknown): unknown {
  return JSON.parse(encodeValue(value, 1_000_000));
}

/** One request, as the server got it. */
export interface Got {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** The clock of the test. */
  readonly at: number;
}

/** Answers a request, or throws as a network does that fails. */
export type Answer = (got: Got, signal: AbortSignal) => Response | Promise<Response>;

/** A document as the Worker sends it. */
export function document(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return () => new Response(JSON.stringify(body), { status, headers: { "content-type": VALUES, ...headers } });
}

/** A refusal as the Worker sends it. */
export function problem(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const body = { type: "urn:stepwell:problem", title: "Refused", status, detail: `Cannot: ${code}`, code };
  return document(status, body, { "content-type": "application/problem+json", ...headers });
}

/** A network without the server. */
export const down: Answer = () => {
  throw new TypeError("fetch failed");
};

/** An answer that never comes. */
export const never: Answer = (_got, signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

export interface ScriptedServer {
  readonly got: readonly Got[];
  readonly client: Client;
  readonly fetch: typeof fetch;
  /** `METHOD path` of each request. */
  readonly lines: () => readonly string[];
}

/** A client of a server that gives these answers, one after the other; the last one to all further requests. */
export function scripted(...answers: readonly [Answer, ...Answer[]]): ScriptedServer {
  const got: Got[] = [];
  const fetcher = {
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const one: Got = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: text === "" ? undefined : JSON.parse(text),
        at: Date.now(),
      };
      const answer = answers[Math.min(got.push(one), answers.length) - 1];
      if (answer === undefined) throw new Error("There is no answer left.");
      return await answer(one, request.signal);
    },
  };
  const client = createClient({ fetcher, token: "full-token" });
  return { got, client, fetch: fetcher.fetch, lines: () => got.map(({ method, path }) => `${method} ${path}`) };
}

/** The times between its requests. */
export function delaysOf({ got }: ScriptedServer): readonly number[] {
  return got.slice(1).map(({ at }, index) => at - (got[index]?.at ?? 0));
}

/** A view as the Worker sends it. */
export function view(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    id: "o-1",
    workflow: "order",
    state: "waiting",
    startedAt: 1_000,
    attributes: {},
    waitingFor: [],
    steps: {},
    unreadSignals: 0,
    links: {},
    usage: { entries: 1, operations: 0, journalBytes: 100 },
    ...fields,
  };
}
