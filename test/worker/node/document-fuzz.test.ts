import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { defineWorkflow, type Schedule } from "../../../src/index.ts";
import { describedOperations } from "../../../src/worker/router.ts";
import { checkDocumented, type GivenAnswer } from "../../support/documented.ts";
import { type ArbitraryRequest, type RequestDocument, requestsOf } from "./arbitrary-request.ts";
import { MemoryApp } from "./memory-app.ts";
import { createTestApp, READ_TOKEN, TOKEN } from "./test-app.ts";

const ORIGIN = "https://flows.example.com";
const NOW = Date.UTC(2026, 11, 1, 9);
const REQUESTS = 20_000;
const REQUESTS_OF_ONE_APP = 100;
const TIMEOUT_MS = 600_000;

/** What an attempt threw: only the journal may hold it. */
const THROWN = "thrown-by-the-service";
const SHOWS_JOURNAL = ["readJournal", "watchEvents", "readValue"];

let urls: string[] = [];

const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string() }),
    signals: { approval: z.object({ approved: z.boolean() }), note: z.any() },
    errors: { OUT_OF_STOCK: z.object({}) },
    retryPolicy: { maximumAttempts: 2 },
  },
  async ({ step, awaitSignal, createCallback, setProgress }) => {
    const callback = await createCallback({ name: "paid", schema: z.object({ paid: z.boolean() }) });
    await step.run("ask", () => void urls.push(callback.url));
    setProgress({ large: await step.run("large", () => "€".repeat(70_000)).then(({ length }) => length) });
    const payment = await callback.result();
    await step.run("ship", () => Promise.reject(new Error(THROWN, { cause: new Error(THROWN) })));
    return [payment, await awaitSignal("approval")];
  },
);
const tick = defineWorkflow({ name: "tick", signals: { note: z.any() } }, async ({ awaitSignal, input }) => {
  if (input !== undefined) await awaitSignal("note");
  return input;
});

const NIGHTLY: Schedule = { name: "nightly", cron: "30 2 * * *", workflow: tick };

/** An app with executions in different states; what is random of them is in the values that are known of it. */
async function startApp() {
  urls = [];
  const app = new MemoryApp({ workflows: [order, tick], schedules: [NIGHTLY] }, NOW);
  const change = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body ?? {}) };
    const { response } = await app.fetch(new Request(`${ORIGIN}${path}`, init));
    if (response.status >= 300) throw new Error(`${path}: ${await response.text()}`);
  };
  const executions = "/v1/workflows/order/executions";
  for (const id of ["waits", "paused", "failed", "ended"]) await change(executions, { id, input: { sku: "lamp" } });
  const [, , failing = ""] = urls;
  await change(new URL(failing).pathname, { paid: true });
  await app.objects.advanceTo(NOW + 60_000);
  vi.setSystemTime(app.objects.now);
  await change(`${executions}/paused/pause`);
  await change(`${executions}/ended/terminate`);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const signIn = new Request(`${ORIGIN}/dashboard/session`, { method: "POST", headers: form, body: `token=${TOKEN}` });
  const cookie = (await app.fetch(signIn)).response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const token = (url: string) => url.slice(url.lastIndexOf("/") + 1);
  const [open = "", paused = "", used = ""] = urls.map(token);
  return { app, replace: { CALLBACK: open, CALLBACK_PAUSED: paused, CALLBACK_USED: used, SESSION: cookie } };
}

const KNOWN = {
  workflow: [...Array.from({ length: 8 }, () => "order"), "tick", "other", "__proto__"],
  id: ["waits", "waits", "waits", "paused", "paused", "failed", "failed", "ended", "nobody", "k-1"],
  signal: ["approval", "note", "note", "toString"],
  schedule: ["nightly", "nightly", "nightly", "other"],
  entry: ["0", "1", "2", "3", "4", "5", "6", "7", "8"],
  token: ["CALLBACK", "CALLBACK", "CALLBACK_PAUSED", "CALLBACK_USED", "order.x.y.z.w"],
  credentials: [`Bearer ${TOKEN}`, `Bearer ${READ_TOKEN}`, "Bearer wrong", "", "stepwell_session_SESSION"],
};

/** Looks that keep what they learn: how the last start of a schedule ended. */
const LEARNS = ["listSchedules"];

/** Their paths hold the version of the package, which is in no document. */
const VERSIONED = ["dashboardScript", "dashboardStyle"];

/** Their answers are long, and always the same. */
const FIXED = ["openApi", "docs", "docsScript"];

let document: RequestDocument;
const seen = new Map<string, Set<number>>();
let sent = 0;

type World = Awaited<ReturnType<typeof startApp>>;

/** Sends one request, and tells what is wrong with the answer, or with what is stored after it. */
async function faultsOf({ app, replace }: World, request: ArbitraryRequest): Promise<readonly string[]> {
  const path = request.path.replace(/\/(CALLBACK\w*)/, (_, name: keyof typeof replace) => `/${replace[name]}`);
  const { cookie, ...headers } = request.headers;
  const sending = { ...headers, ...(cookie !== undefined && { cookie: replace.SESSION }) };
  const body = request.body === undefined ? {} : { body: withToken(request.body) };
  const before = app.stored();
  const url = `${ORIGIN}${path}`;
  const { response, waited } = await app.fetch(new Request(url, { method: request.method, headers: sending, ...body }));
  const text = await textOf(response);
  count(request, response.status);
  const { status } = response;
  const isLook = ["GET", "HEAD", "OPTIONS"].includes(request.method) && !LEARNS.includes(request.operationId);
  const contentType = response.headers.get("content-type");
  const faults: Readonly<Record<string, boolean>> = {
    "not documented": !isDocumented({ method: request.method, url, status, contentType, text }),
    "a fault": status >= 500 && !isDocumentedFault(request, status, text),
    "no problem document": isProblem(response) !== (status >= 400 && !text.startsWith("<!doctype html>")),
    "without a header of all answers": !hasHeadersOfAll(response),
    "shows its inside": /\.ts:\d|node:internal/.test(text),
    "shows what an attempt threw": text.includes(THROWN) && !SHOWS_JOURNAL.includes(request.operationId),
    "refused after a wait": status >= 300 && waited,
    "left something behind": (status >= 300 || (isLook && !waited)) && app.stored() !== before,
  };
  return Object.keys(faults)
    .filter((fault) => faults[fault])
    .map((fault) => `${fault}: ${status} ${text.slice(0, 1_000)}`);
}

/** The example of signing in, with a token that is one. */
function withToken<Body extends string | Uint8Array<ArrayBuffer>>(body: Body) {
  return typeof body === "string" ? body.replace('"the token"', JSON.stringify(TOKEN)) : body;
}

function isDocumented(answer: GivenAnswer): boolean {
  try {
    checkDocumented(answer);
    return true;
  } catch {
    // What is wrong stands in the answer, which is shown.
    return false;
  }
}

/** A stream ends when its reader goes. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get("content-type") !== "text/event-stream") return await response.text();
  await response.body?.cancel();
  return "";
}

/** Another method says nothing about the operation. */
function count({ operationId, isOwnMethod }: ArbitraryRequest, status: number): void {
  sent += 1;
  if (!isOwnMethod) return;
  seen.set(operationId, (seen.get(operationId) ?? new Set()).add(status));
}

/** Some answers have to wait until code is deployed that can judge them. */
function isDocumentedFault({ operationId }: ArbitraryRequest, status: number, text: string): boolean {
  const operation = describedOperations().find(({ description }) => description.id === operationId);
  return (
    status === 503 && text.includes('"UNAVAILABLE"') && operation?.description.problems.includes("UNAVAILABLE") === true
  );
}

function isProblem({ headers }: Response): boolean {
  return headers.get("content-type") === "application/problem+json";
}

function hasHeadersOfAll({ headers }: Response): boolean {
  const isTimed = /^total;dur=\d+$/.test(headers.get("server-timing") ?? "");
  const isKept = /^no-store$|^private, max-age=/.test(headers.get("cache-control") ?? "");
  return isTimed && isKept && headers.get("x-content-type-options") === "nosniff";
}

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  // The cast: that it is an OpenAPI document is tested elsewhere.
  document = (await createTestApp().send("/openapi.json")).body as unknown as RequestDocument;
});
afterAll(() => void vi.useRealTimers());

describe("requests made of the OpenAPI document", () => {
  it(
    "get answers that the document knows, none of them a fault, and leave nothing where they are refused",
    async () => {
      const requests = requestsOf(document, KNOWN, FIXED);
      const run = fc.array(requests, { minLength: REQUESTS_OF_ONE_APP, maxLength: REQUESTS_OF_ONE_APP });
      await fc.assert(
        fc.asyncProperty(run, async (list) => {
          const world = await startApp();
          for (const request of list) {
            const shown = JSON.stringify(request).slice(0, 2_000);
            expect([shown, await faultsOf(world, request)]).toEqual([shown, []]);
          }
        }),
        { numRuns: REQUESTS / REQUESTS_OF_ONE_APP, endOnFailure: true },
      );
      expect(sent).toBe(REQUESTS);
    },
    TIMEOUT_MS,
  );

  it("reach every operation, which takes some and refuses others", () => {
    for (const { description } of describedOperations()) {
      const statuses = [...(seen.get(description.id) ?? [])];
      const isTaken = statuses.some((status) => status < 300) || VERSIONED.includes(description.id);
      expect([description.id, isTaken]).toEqual([description.id, true]);
      const isRefused = statuses.some((status) => status >= 400) || FIXED.includes(description.id);
      expect([description.id, isRefused]).toEqual([description.id, true]);
    }
  });
});
