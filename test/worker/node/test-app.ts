import * as z from "zod";
import { defineWorkflow, stepwell, type StepwellOptions } from "../../../src/index.ts";
import { checkDocumented } from "../../support/documented.ts";
import { MemoryDirectory } from "../../support/memory-directory.ts";
import { FakeExecutions } from "./fake-executions.ts";

export const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string(), lines: z.array(z.object({ cents: z.int() })).default([]) }),
    output: z.object({ at: z.date() }),
    signals: { approval: z.object({ approved: z.boolean() }), note: z.any() },
    errors: { OUT_OF_STOCK: z.object({ sku: z.string() }) },
  },
  async () => ({ at: new Date(0) }),
);
export const tick = defineWorkflow({ name: "tick" }, async () => 1);

export const TOKEN = "full-token";
export const READ_TOKEN = "read-token";
export const EXECUTIONS = "/v1/workflows/order/executions";

/** A problem document, or any other: what tests look at. */
export interface Body {
  readonly [key: string]: unknown;
  readonly code?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export interface Sending {
  readonly method?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An app over fake objects, called as a browser-less client with the full token would. */
export function createTestApp(
  options: Partial<StepwellOptions> = {},
  bindings: Readonly<Record<string, unknown>> = {},
) {
  const executions = new FakeExecutions();
  const directory = new MemoryDirectory();
  const app = stepwell({ workflows: [order, tick], ...options });
  const env = {
    EXECUTIONS: executions.namespace,
    DIRECTORY: { idFromName: (name: string) => name, get: () => directory },
    STEPWELL_TOKEN: TOKEN,
    STEPWELL_READ_TOKEN: READ_TOKEN,
    ...bindings,
  } as unknown as Cloudflare.Env;
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  const fetch = (request: Request) => app.fetch(request, env, context);
  const send = (path: string, sending: Sending = {}, origin = "https://flows.example.com") =>
    documentedReply(requestOf(`${origin}${path}`, sending), fetch);
  return { app, env, context, executions, directory, send, fetch };
}

export function requestOf(url: string, { method, json, body, headers }: Sending): Request {
  const sent = json === undefined ? body : JSON.stringify(json);
  return new Request(url, {
    method: method ?? (sent === undefined ? "GET" : "POST"),
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
}

/** The answer, if it is as the OpenAPI document says. */
export async function documentedReply(
  request: Request,
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<Reply> {
  const { method, url } = request;
  const answer = await reply(fetch(request));
  const { status, text } = answer;
  checkDocumented({ method, url, status, contentType: answer.headers.get("content-type"), text });
  return answer;
}

export async function reply(response: Promise<Response> | Response): Promise<Reply> {
  const { status, headers } = await response;
  const text = await (await response).text();
  const isJson = /json/.test(headers.get("content-type") ?? "") && text !== "";
  // The cast: tests compare what they look at.
  return { status, headers, text, body: isJson ? (JSON.parse(text) as Body) : {} };
}
