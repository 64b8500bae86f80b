import { stepwell } from "../../../src/index.ts";
import type { AnyWorkflow } from "../../../src/execution/workflow.ts";
import { LOCAL_ORIGIN } from "../../support/answering.ts";
import type { MemoryDirectory } from "../../support/memory-directory.ts";
import type { MemoryHost } from "../../support/memory-host.ts";

/** A request that is made again, as it is, until it is answered. */
export interface Asked {
  readonly method: "GET" | "POST";
  /** From the origin on. */
  readonly path: string;
  readonly json?: unknown;
  readonly key?: string;
  readonly waitSeconds?: number;
}

export interface Answered {
  readonly status: number;
  // The cast in `send` is to this: the simulation looks at documents of all kinds.
  readonly document: Document;
}

export interface Document {
  readonly [field: string]: unknown;
  readonly code?: string;
  readonly state?: string;
  readonly waitingFor?: readonly { readonly because: string; readonly until?: number }[];
}

export type Client = (asked: Asked) => Promise<Answered>;

export const CLIENT = "client";

/** As long as a client waits for one answer. The network tells it of no message that was lost. */
const PATIENCE_MS = 70_000;
const PAUSE_MS = 700;
const TRIES = 200;

/** What answers mean that the same request may meet another fate. */
const PASSING = [500, 503];

/** A client that speaks HTTP with the real router, over a network that loses messages. It insists. */
export function clientOf(host: MemoryHost, workflows: readonly AnyWorkflow[], directory: MemoryDirectory): Client {
  const app = stepwell({ workflows });
  const executionsOf = host.network.from({ name: CLIENT, isGone: () => false });
  const namespace = {
    idFromName: (name: string) => name,
    get: (name: string) => {
      const [workflow = "", id = ""] = name.split("/");
      return executionsOf({ workflow, id });
    },
  };
  // The casts: of the platform only this much is used.
  const env = {
    EXECUTIONS: namespace,
    DIRECTORY: { idFromName: (name: string) => name, get: () => directory },
  } as unknown as Cloudflare.Env;
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  const once = async (asked: Asked): Promise<Answered | undefined> => {
    const late = host.delay(PATIENCE_MS).then(() => undefined);
    const response = await Promise.race([app.fetch(requestOf(asked), env, context), late]);
    if (response === undefined || PASSING.includes(response.status)) return undefined;
    const text = await response.text();
    return { status: response.status, document: (text === "" ? {} : JSON.parse(text)) as Document };
  };
  return async (asked) => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const answered = await once(asked);
      if (answered !== undefined) return answered;
      await host.delay(PAUSE_MS);
    }
    throw new Error(`${asked.method} ${asked.path} got no answer in ${TRIES} tries.`);
  };
}

function requestOf({ method, path, json, key, waitSeconds }: Asked): Request {
  const headers = new Headers();
  if (json !== undefined) headers.set("content-type", "application/json");
  if (key !== undefined) headers.set("idempotency-key", key);
  if (waitSeconds !== undefined) headers.set("prefer", `wait=${waitSeconds}`);
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  return new Request(`${LOCAL_ORIGIN}${path}`, { method, headers, ...body });
}
