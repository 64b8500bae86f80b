import { type Context, Hono, type MiddlewareHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { authorize } from "./auth.ts";
import { configurationFault } from "./configuration.ts";
import { corsHeaders, preflightAnswer } from "./cors.ts";
import { wantsPage } from "./media-type.ts";
import { Problem, problemOf, problemResponse } from "./problem.ts";
import type { DescribedOperation } from "./openapi/document.ts";
import { CALLBACKS_PATH } from "../execution/callback-urls.ts";
import { CALLBACK } from "./routes/callbacks.ts";
import { COMMANDS, commandEndpoint } from "./routes/commands.ts";
import { PURGE, RESULT, START, VIEW } from "./routes/executions.ts";
import { DASHBOARD_ASSETS, DASHBOARD_PAGES } from "./routes/dashboard.ts";
import { DOCS, EXPLORER } from "./routes/docs.ts";
import { EVENTS } from "./routes/events.ts";
import { FORK } from "./routes/fork.ts";
import { HEALTH } from "./routes/health.ts";
import { COUNTS, LIST, METRICS } from "./routes/directory.ts";
import { JOURNAL, JOURNAL_VALUE } from "./routes/journal.ts";
import { openApiEndpoint } from "./routes/openapi.ts";
import { scheduleCommandEndpoint, SCHEDULES, TRIGGER } from "./routes/schedules.ts";
import { makeSchedulesKnown } from "./schedules-known.ts";
import { SIGN_IN, SIGN_IN_PAGE, signOutEndpoint } from "./routes/session.ts";
import { SIGNAL } from "./routes/signals.ts";
import { WORKFLOWS } from "./routes/workflows.ts";
import type { Site } from "./site.ts";
import { SESSION_PATH, SIGN_IN_PATH, SIGN_OUT_PATH, signInPath } from "./sign-in-path.ts";
import { admit, type Endpoint, prefixOf, serve, type WorkerBindings } from "./visit.ts";

export type Router = Hono<WorkerBindings>;

type Method = "GET" | "POST" | "DELETE";
type Routes = { readonly [M in Method]?: Endpoint };
type Paths = Readonly<Record<string, Routes>>;

const EXECUTIONS = "/v1/workflows/:workflow/executions";
const EXECUTION = `${EXECUTIONS}/:id`;
const SCHEDULE = "/v1/schedules/:schedule";

/** The routes before the gate. */
const PUBLIC_PATHS: Paths = {
  "/healthz": { GET: HEALTH },
  [`${CALLBACKS_PATH}/:token`]: { POST: CALLBACK },
  [SIGN_IN_PATH]: { GET: SIGN_IN_PAGE },
  [SESSION_PATH]: { POST: SIGN_IN },
  [SIGN_OUT_PATH]: { POST: signOutEndpoint("signOut"), DELETE: signOutEndpoint("deleteSession") },
};

/** The routes behind it. */
const PATHS: Paths = {
  "/openapi.json": { GET: openApiEndpoint(describedOperations) },
  "/docs": { GET: DOCS },
  "/docs/explorer.js": { GET: EXPLORER },
  ...DASHBOARD_PAGES,
  ...DASHBOARD_ASSETS,
  "/metrics": { GET: METRICS },
  "/v1/workflows": { GET: WORKFLOWS },
  "/v1/executions": { GET: LIST },
  "/v1/counts": { GET: COUNTS },
  [EXECUTIONS]: { POST: START },
  [EXECUTION]: { GET: VIEW, DELETE: PURGE },
  "/v1/schedules": { GET: SCHEDULES },
  [`${SCHEDULE}/pause`]: { POST: scheduleCommandEndpoint("pause") },
  [`${SCHEDULE}/resume`]: { POST: scheduleCommandEndpoint("resume") },
  [`${SCHEDULE}/trigger`]: { POST: TRIGGER },
  [`${EXECUTION}/result`]: { GET: RESULT },
  [`${EXECUTION}/events`]: { GET: EVENTS },
  [`${EXECUTION}/journal`]: { GET: JOURNAL },
  [`${EXECUTION}/journal/:entry/value`]: { GET: JOURNAL_VALUE },
  [`${EXECUTION}/fork`]: { POST: FORK },
  [`${EXECUTION}/signals/:signal`]: { POST: SIGNAL },
  ...Object.fromEntries(COMMANDS.map((command) => [`${EXECUTION}/${command}`, { POST: commandEndpoint(command) }])),
};

/** Every route, with what it is for. */
export function describedOperations(): readonly DescribedOperation[] {
  return Object.entries({ ...PUBLIC_PATHS, ...PATHS }).flatMap(([path, routes]) =>
    Object.entries(routes).map(([method, { describe }]) => ({ method, path, description: describe() })),
  );
}

/** Compiles nothing. The usual one makes a regular expression of all routes before it answers the first request. */
export const emptyRouter = (): Router => new Hono({ router: new TrieRouter() });

/**
 * The HTTP API. Everything but `PUBLIC_PATHS` stands behind the gate, which is registered for every path before any
 * other route is: what no route answers is refused without a token too. Mountable: it brings its own answers for unknown
 * paths and faults, as an app that it is mounted in would otherwise use its own. A path is one route, whatever its
 * methods, as such an app takes each of them into its own router.
 */
export function createRouter(site: Site): Router {
  const router = emptyRouter();
  router.use("*", stamp(site));
  router.use("*", makeSchedulesKnown(site));
  addPaths(router, site, PUBLIC_PATHS);
  router.use("*", gate(site));
  addPaths(router, site, PATHS);
  router.all("*", () => problemResponse(new Problem("NOT_FOUND", "No route has this path")));
  return router;
}

function addPaths(router: Router, site: Site, paths: Paths): void {
  for (const [path, routes] of Object.entries(paths)) {
    router.all(path, (context) => answerAt(routes, site, context));
  }
}

/** One path: other methods than its own are told which there are. */
async function answerAt(routes: Routes, site: Site, context: Context<WorkerBindings>): Promise<Response> {
  const endpoint = routeOf(routes, context.req.method);
  if (endpoint !== undefined) return await serve(endpoint, site, context);
  const allow = [
    ...Object.keys(routes).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])),
    "OPTIONS",
  ];
  const headers = { allow: allow.join(", ") };
  if (context.req.method === "OPTIONS") return new Response(null, { status: 204, headers });
  return problemResponse(new Problem("METHOD_NOT_ALLOWED", `The methods here are ${headers.allow}`, { headers }));
}

/** Hono answers HEAD with the headers of GET. */
function routeOf(routes: Routes, method: string): Endpoint | undefined {
  switch (method) {
    case "GET":
    case "HEAD":
      return routes.GET;
    case "POST":
    case "DELETE":
      return routes[method];
    default:
      return undefined;
  }
}

const SWITCHING_PROTOCOLS = 101;

/**
 * On every answer. In production the clock stands still between I/O: the duration is the time spent waiting for it. What
 * a browser's page of another origin asks beforehand is answered here, as it carries no token.
 */
function stamp(site: Site): MiddlewareHandler<WorkerBindings> {
  return async (context, next) => {
    const receivedAt = Date.now();
    const request = context.req.raw;
    const preflight = preflightAnswer(site, request);
    if (preflight === undefined) await next();
    else context.res = preflight;
    // The answer to a handshake has no other form than its own, and nobody would cache it.
    if (context.res.status === SWITCHING_PROTOCOLS) return;
    // By Hono's own `header` each would be a new answer.
    const { headers } = context.res;
    for (const [name, value] of Object.entries({ ...STAMP, ...corsHeaders(site, request) })) headers.set(name, value);
    // An asset may say that it can be kept.
    if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
    headers.set("server-timing", `total;dur=${Date.now() - receivedAt}`);
  };
}

/** No page of another origin makes a script, an image or a frame of an answer, whatever that holds. */
const STAMP = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" };

/** A request passes only if the Worker is configured, the caller may do this, and the path can be read. */
function gate(site: Site): MiddlewareHandler<WorkerBindings> {
  return async (context, next) => {
    const request = context.req.raw;
    const refused = await refusal(site, request, context.env);
    if (refused === undefined) return await next();
    // It is stamped like any other, and a redirection or what somebody else answered cannot be.
    if (refused instanceof Response) return new Response(refused.body, refused);
    if (refused.code !== "UNAUTHORIZED" || !wantsPage(request)) return problemResponse(refused);
    const location = signInPath(prefixOf(site, context), request.url);
    return new Response(null, { status: 303, headers: { location } });
  };
}

async function refusal(site: Site, request: Request, env: Cloudflare.Env): Promise<Response | Problem | undefined> {
  try {
    const fault = configurationFault(site, env, request.url);
    if (fault !== undefined) throw new Problem("NOT_CONFIGURED", fault);
    const found = await authorize(site, request, env);
    if (found instanceof Response) return found;
    admit(request, found);
    checkPath(request.url);
    return undefined;
  } catch (fault) {
    return problemOf(fault);
  }
}

function checkPath(url: string): void {
  if (!url.includes("%")) return;
  try {
    decodeURIComponent(new URL(url).pathname);
  } catch {
    // The one thing that it throws for.
    throw new Problem("INVALID_PATH", "Cannot read the path as its percent encoding must be UTF-8");
  }
}
