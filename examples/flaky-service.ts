import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/**
 * The service that the example workflows call. It fails as real services do, but by a plan: what the nth request of one
 * path and idempotency key gets is always the same, so a run can be checked against what the service counted.
 */

/** What one request gets. */
export type Answer =
  | { readonly kind: "ok"; readonly body?: Readonly<Record<string, unknown>> }
  | { readonly kind: "refuse"; readonly status: number; readonly retryAfter?: RetryAfter }
  /** Does its work, but answers only after `ms`. */
  | { readonly kind: "slow"; readonly ms: number }
  /** The connection breaks before an answer. */
  | { readonly kind: "reset" };

/** Both forms that RFC 9110 allows for `Retry-After`. */
export interface RetryAfter {
  readonly form: "seconds" | "date";
  readonly seconds: number;
}

/** One request, as the service saw it. */
export interface Hit {
  /** Unix milliseconds. */
  readonly at: number;
  /** In words: `503, Retry-After: 5`. */
  readonly answer: string;
  /** It came before the time that the previous answer had asked for. */
  readonly early: boolean;
}

/** What the service counted for one path and idempotency key. */
export interface Ledger {
  readonly path: string;
  readonly key: string;
  readonly hits: readonly Hit[];
}

/** The answer to the `hit`th request (from 1) of one key. */
export type Plan = (url: URL, hit: number) => Answer;

export interface FlakyService {
  readonly url: string;
  readonly ledgers: () => readonly Ledger[];
  readonly close: () => Promise<void>;
}

export interface FlakyServiceOptions {
  /** 0 takes a free one. Default 0. */
  readonly port?: number;
  readonly plan: Plan;
}

/** Starts the service on the loopback interface. `GET /hits` gives the ledgers; every other request follows the plan. */
export async function startFlakyService({ port = 0, plan }: FlakyServiceOptions): Promise<FlakyService> {
  const book = new Map<string, OpenLedger>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.method === "GET" && url.pathname === "/hits")
      return sendJson(response, 200, [...book.values()].map(published));
    if (request.method === "GET" && url.pathname.startsWith("/figures/"))
      return sendJson(response, 200, { count: url.pathname.length });
    if (request.method !== "POST") return sendJson(response, 405, { error: "only POST does work here" });
    // The body is read to its end so that the connection can be used again.
    request.resume();
    const ledger = ledgerOf(book, url.pathname, keyOf(request));
    const answer = plan(url, ledger.hits.length + 1);
    const retryAt = answer.kind === "refuse" ? retryAtOf(answer.retryAfter, Date.now()) : undefined;
    record(ledger, answer, retryAt);
    give(response, { answer, retryAt, id: ledger.id });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // `address()` is a string only for pipes.
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listening}`,
    ledgers: () => [...book.values()].map(published),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface ExamplePlanOptions {
  /** How long `/payments` asks its callers to stay away, in seconds, at least 1. Default 5. */
  readonly retryAfterSeconds?: number;
}

/** The plan of the example workflows. `/jobs/NAME?failures=N` fails N times without saying when to come back. */
export function examplePlan({ retryAfterSeconds = 5 }: ExamplePlanOptions = {}): Plan {
  const payments: readonly Answer[] = [
    { kind: "refuse", status: 503, retryAfter: { form: "seconds", seconds: retryAfterSeconds } },
    { kind: "refuse", status: 429, retryAfter: { form: "date", seconds: Math.ceil(retryAfterSeconds / 2) } },
  ];
  const parcels: readonly Answer[] = [{ kind: "reset" }, { kind: "slow", ms: 3_000 }];
  const mails: readonly Answer[] = [{ kind: "refuse", status: 503, retryAfter: { form: "date", seconds: 1 } }];
  return (url, hit) => {
    const [, route = "", name = ""] = url.pathname.split("/");
    if (route === "payments") return payments[hit - 1] ?? { kind: "ok" };
    if (route === "parcels") return parcels[hit - 1] ?? { kind: "ok" };
    // Every second mail is refused once.
    if (route === "mails") return (Number(name) % 2 === 0 ? mails[hit - 1] : undefined) ?? { kind: "ok" };
    if (route === "reports") return { kind: "ok" };
    if (route === "stock") return { kind: "ok", body: { reserved: name !== "sold-out" } };
    if (route === "jobs")
      return hit <= Number(url.searchParams.get("failures") ?? 0) ? { kind: "refuse", status: 500 } : { kind: "ok" };
    return { kind: "refuse", status: 404 };
  };
}

interface OpenLedger {
  readonly id: string;
  readonly path: string;
  readonly key: string;
  readonly hits: Hit[];
  retryAt: number;
}

function ledgerOf(book: Map<string, OpenLedger>, path: string, key: string): OpenLedger {
  const found = book.get(`${path} ${key}`);
  if (found !== undefined) return found;
  const opened: OpenLedger = { id: `${path.split("/")[1] ?? ""}-${book.size + 1}`, path, key, hits: [], retryAt: 0 };
  book.set(`${path} ${key}`, opened);
  return opened;
}

function published({ path, key, hits }: OpenLedger): Ledger {
  return { path, key, hits: [...hits] };
}

function keyOf(request: IncomingMessage): string {
  const key = request.headers["idempotency-key"];
  return typeof key === "string" ? key : "";
}

function retryAtOf(retryAfter: RetryAfter | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const retryAt = now + retryAfter.seconds * 1_000;
  // An HTTP date has whole seconds: rounded up, or the caller would come early and be right.
  return retryAfter.form === "date" ? Math.ceil(retryAt / 1_000) * 1_000 : retryAt;
}

function record(ledger: OpenLedger, answer: Answer, retryAt: number | undefined): void {
  const at = Date.now();
  ledger.hits.push({ at, answer: inWords(answer, retryAt), early: at < ledger.retryAt });
  ledger.retryAt = retryAt ?? 0;
}

function inWords(answer: Answer, retryAt: number | undefined): string {
  switch (answer.kind) {
    case "ok":
      return "200";
    case "slow":
      return `200 after ${answer.ms} ms`;
    case "reset":
      return "connection reset";
    case "refuse":
      return `${answer.status}${retryAt === undefined ? "" : `, Retry-After: ${retryAfterHeader(answer, retryAt)}`}`;
  }
}

function retryAfterHeader({ retryAfter }: Extract<Answer, { kind: "refuse" }>, retryAt: number): string {
  return retryAfter?.form === "date" ? new Date(retryAt).toUTCString() : String(retryAfter?.seconds ?? 0);
}

interface Given {
  readonly answer: Answer;
  readonly retryAt: number | undefined;
  /** The same for every request of one key: the work behind it is done once. */
  readonly id: string;
}

function give(response: ServerResponse, { answer, retryAt, id }: Given): void {
  switch (answer.kind) {
    case "ok":
      return sendJson(response, 200, { id, ...answer.body });
    case "slow":
      setTimeout(() => sendJson(response, 200, { id }), answer.ms).unref();
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "refuse":
      if (retryAt !== undefined) response.setHeader("Retry-After", retryAfterHeader(answer, retryAt));
      return sendJson(response, answer.status, { error: `refused with ${answer.status}` });
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** `node examples/flaky-service.ts --port 0 --retry-after 5` prints its address as one line of JSON. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "0" }, "retry-after": { type: "string", default: "5" } },
  });
  const service = await startFlakyService({
    port: Number(values.port),
    plan: examplePlan({ retryAfterSeconds: Number(values["retry-after"]) }),
  });
  console.log(JSON.stringify({ url: service.url }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
