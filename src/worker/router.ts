import { type Handler, Hono, type MiddlewareHandler } from "hono";
import { authorize } from "./auth.ts";
import { configurationFault } from "./configuration.ts";
import { Problem, problemOf, problemResponse } from "./problem.ts";
import { CALLBACKS_PATH } from "../execution/callback-urls.ts";
import { answerCallback } from "./routes/callbacks.ts";
import { COMMANDS, commandRoute } from "./routes/commands.ts";
import { deleteExecution, executionResult, startExecution, viewExecution } from "./routes/executions.ts";
import { forkRoute } from "./routes/fork.ts";
import { health } from "./routes/health.ts";
import { journalPage, journalValue } from "./routes/journal.ts";
import { listSchedules, scheduleCommandRoute, triggerRoute } from "./routes/schedules.ts";
import { makeSchedulesKnown } from "./schedules-known.ts";
import { sendSignal } from "./routes/signals.ts";
import { listWorkflows } from "./routes/workflows.ts";
import type { Site } from "./site.ts";
import { type Route, serve, type WorkerBindings } from "./visit.ts";

export type Router = Hono<WorkerBindings>;

type Method = "GET" | "POST" | "DELETE";
type Routes = { readonly [M in Method]?: Route };
type Handlers = { readonly [M in Method]?: Handler<WorkerBindings> };

const EXECUTIONS = "/v1/workflows/:workflow/executions";
const EXECUTION = `${EXECUTIONS}/:id`;

/** The routes behind the gate. */
const ROUTES: Readonly<Record<string, Routes>> = {
  "/v1/workflows": { GET: listWorkflows },
  [EXECUTIONS]: { POST: startExecution },
  [EXECUTION]: { GET: viewExecution, DELETE: deleteExecution },
  "/v1/schedules": { GET: listSchedules },
  "/v1/schedules/:schedule/pause": { POST: scheduleCommandRoute("pause") },
  "/v1/schedules/:schedule/resume": { POST: scheduleCommandRoute("resume") },
  "/v1/schedules/:schedule/trigger": { POST: triggerRoute },
  [`${EXECUTION}/result`]: { GET: executionResult },
  [`${EXECUTION}/journal`]: { GET: journalPage },
  [`${EXECUTION}/journal/:entry/value`]: { GET: journalValue },
  [`${EXECUTION}/fork`]: { POST: forkRoute },
  [`${EXECUTION}/signals/:signal`]: { POST: sendSignal },
  ...Object.fromEntries(COMMANDS.map((command) => [`${EXECUTION}/${command}`, { POST: commandRoute(command) }])),
};

/**
 * The HTTP API. Everything but `/healthz` and callbacks stands behind the gate, which is registered for every path before any route
 * is: what no route answers is refused without a token too. Mountable: it brings its own answers for unknown paths and
 * faults, as an app that it is mounted in would otherwise use its own.
 */
export function createRouter(site: Site): Router {
  const router: Router = new Hono();
  router.use("*", stamp);
  router.use("*", makeSchedulesKnown(site));
  addPath(router, "/healthz", handlersOf(site, { GET: health }));
  addPath(router, `${CALLBACKS_PATH}/:token`, handlersOf(site, { POST: answerCallback }));
  router.use("*", gate(site));
  for (const [path, routes] of Object.entries(ROUTES)) addPath(router, path, handlersOf(site, routes));
  router.all("*", () => problemResponse(new Problem("NOT_FOUND", "No route has this path")));
  return router;
}

/** The routes of one path; other methods are told which there are. */
function addPath(router: Router, path: string, handlers: Handlers): void {
  const allowed: string[] = [];
  for (const [method, handler] of Object.entries(handlers)) {
    router.on(method, path, handler);
    // The router answers HEAD with the headers of GET.
    allowed.push(...(method === "GET" ? ["GET", "HEAD"] : [method]));
  }
  const allow = [...allowed, "OPTIONS"].join(", ");
  router.options(path, () => new Response(null, { status: 204, headers: { allow } }));
  router.all(path, () =>
    problemResponse(new Problem("METHOD_NOT_ALLOWED", `The methods here are ${allow}`, { headers: { allow } })),
  );
}

function handlersOf(site: Site, routes: Routes): Handlers {
  return Object.fromEntries(Object.entries(routes).map(([method, route]) => [method, serve(site, route)]));
}

/** On every answer. In production the clock stands still between I/O: the duration is the time spent waiting for it. */
const stamp: MiddlewareHandler<WorkerBindings> = async (context, next) => {
  const receivedAt = Date.now();
  await next();
  context.header("cache-control", "no-store");
  context.header("server-timing", `total;dur=${Date.now() - receivedAt}`);
};

/** A request passes only if the Worker is configured, the caller may do this, and the path can be read. */
function gate(site: Site): MiddlewareHandler<WorkerBindings> {
  return async (context, next) => {
    const refused = await refusal(site, context.req.raw, context.env);
    if (refused !== undefined) return refused;
    await next();
    return undefined;
  };
}

async function refusal(site: Site, request: Request, env: Cloudflare.Env): Promise<Response | undefined> {
  try {
    const fault = configurationFault(site, env, request.url);
    if (fault !== undefined) throw new Problem("NOT_CONFIGURED", fault);
    const answer = await authorize(site, request, env);
    if (answer === undefined) checkPath(request.url);
    return answer;
  } catch (fault) {
    return problemResponse(problemOf(fault));
  }
}

function checkPath(url: string): void {
  try {
    decodeURIComponent(new URL(url).pathname);
  } catch {
    // The one thing that it throws for.
    throw new Problem("INVALID_PATH", "Cannot read the path as its percent encoding must be UTF-8");
  }
}
