import { clientOver } from "../client/client.ts";
import type { Client } from "../client/types.ts";
import {
  createDeployment,
  type Deployment,
  DEPLOYMENT_KEYS,
  type DeploymentOptions,
  type EventListener,
  type SpanListener,
} from "../execution/deployment.ts";
import type { ReadFrame } from "../execution/viewer-frame.ts";
import type { AnyWorkflow } from "../execution/workflow.ts";
import type { createDirectoryClass } from "../durable-object/directory-object.ts";
import type { DirectoryPlace } from "../durable-object/directory-stub.ts";
import type { createExecutionClass } from "../durable-object/execution-object.ts";
import type { createSchedulerClass } from "../durable-object/scheduler-object.ts";
import type { ScheduleOptions } from "../execution/schedules.ts";
import { LIMITS } from "../limits.ts";
import type { Duration } from "../steps/duration.ts";
import { readFields } from "../steps/read-fields.ts";
import type { RetryPolicy } from "../steps/retry-policy.ts";
import { showValue } from "../steps/show-value.ts";
import { bindingFault } from "./configuration.ts";
import { checkCors } from "./cors.ts";
import { frameReader } from "./viewer-frames.ts";
import { createRouter, emptyRouter, type Router } from "./router.ts";
import { touchScheduler } from "./schedule-requests.ts";
import type { Authenticate, Site } from "./site.ts";
import { workerTransport } from "./worker-transport.ts";

export type { Authenticate, Role } from "./site.ts";

/** The Durable Object classes of one app. */
export type ExecutionClass = ReturnType<typeof createExecutionClass>;
export type DirectoryClass = ReturnType<typeof createDirectoryClass>;

/** Where the objects of an app are, and what they are made of. */
export interface ObjectParts {
  readonly deployment: Deployment;
  readonly readFrame: ReadFrame;
  readonly executions: string;
  readonly directory: DirectoryPlace | undefined;
}

/** The class of the object that keeps an app's schedules. */
export type SchedulerClass = ReturnType<typeof createSchedulerClass>;

/** What an app is made of; everything but `workflows` has a default. */
export interface StepwellOptions {
  /** At least one. Several versions of one name may stand side by side: new executions start on the last. */
  readonly workflows: readonly AnyWorkflow[];
  /** Default of all steps, completed from the engine's own. */
  readonly retryPolicy?: RetryPolicy | undefined;
  /** Deadline of one attempt: 1 second to 10 minutes. @default "60s" */
  readonly stepTimeout?: Duration | undefined;
  /** Longest delay that a step or service may prescribe: up to 365 days. @default "1h" */
  readonly maximumRetryAfter?: Duration | undefined;
  /** Largest journaled value in bytes: up to 16 MiB. @default 8388608 */
  readonly maximumValueBytes?: number | undefined;
  /** How long an execution can be read after its end: 1 hour to 365 days. @default "7d" */
  readonly retention?: Duration | undefined;
  /**
   * Decides who is asking, instead of the secrets `STEPWELL_TOKEN` and `STEPWELL_READ_TOKEN`. A `Response` is answered
   * as it is. To read the request's body, clone the request.
   */
  readonly auth?: Authenticate | undefined;
  /**
   * The path under which the outside sees the routes, such as `/flows`: links carry it, and `fetch` answers under it
   * as well as without it. A router mounted with Hono's `route` knows its path without it. @default ""
   */
  readonly basePath?: string | undefined;
  /**
   * Where the outside reaches the Worker, such as `https://flows.example.com`: callbacks get their URLs under it. One
   * with a path is the whole place of the routes, one without gets the path of the routes. @default where the start
   * request of the execution came to
   */
  readonly publicUrl?: string | undefined;
  /**
   * Origins besides its own whose pages may use the HTTP API, with a token of their own: `["https://app.example.com"]`.
   * The session of a browser is never good for them. @default none
   */
  readonly cors?: readonly string[] | undefined;
  /** Names of the bindings. @default { executions: "EXECUTIONS", directory: "DIRECTORY", scheduler: "SCHEDULER" } */
  readonly bindings?:
    | {
        readonly executions?: string | undefined;
        readonly directory?: string | undefined;
        readonly scheduler?: string | undefined;
      }
    | undefined;
  /** Workflows that are started by the clock: up to 100. They need the class `Scheduler` and its binding. */
  readonly schedules?: readonly ScheduleOptions[] | undefined;
  /** Told every entry once it is durable, for logs and metrics. */
  readonly onEvent?: EventListener<Cloudflare.Env> | undefined;
  /** Told every span of an execution when it is over, for tracing: see `stepwell/otel`. */
  readonly onSpan?: SpanListener<Cloudflare.Env> | undefined;
  /** `false`: without an index of executions, and so without lists and counts. */
  readonly directory?: false | undefined;
  /** Objects that the index is spread over: 1 to 32. One takes about a thousand reports a second. @default 1 */
  readonly directoryShards?: number | undefined;
}

/** A whole application: the default export of a Worker, and the classes of its Durable Objects. */
export interface App {
  /** Needs no `this`. */
  fetch(request: Request, env: Cloudflare.Env, ctx: ExecutionContext): Promise<Response>;
  /** The HTTP API, to mount elsewhere: `api.route("/flows", app.router)`. */
  readonly router: Router;
  /**
   * A client without HTTP, for code of this very Worker: what `createClient` of `stepwell/client` gives, without a token.
   *
   * @throws TypeError where `env` lacks the binding of the executions
   * @example
   * ```ts
   * const handle = await app.client(env).start(order, { sku: "lamp" }, { id: "order-42", wait: "5s" });
   * ```
   */
  client(env: Cloudflare.Env): Client;
  /**
   * For a Cron Trigger of the platform: makes a deploy's schedules known where no request comes by. It starts nothing by
   * itself, whatever its own times are. Needs no `this`.
   */
  scheduled(controller: ScheduledController, env: Cloudflare.Env, ctx: ExecutionContext): Promise<void>;
  /** To be exported from the Worker under the class name of the binding. */
  readonly Execution: ExecutionClass;
  /** As `Execution`, unless the directory is switched off. */
  readonly Directory: DirectoryClass;
  /** As `Execution`, where there are `schedules`. */
  readonly Scheduler: SchedulerClass;
}

/** What an app is on a platform. */
export interface AppClasses {
  readonly Execution: (parts: ObjectParts) => ExecutionClass;
  readonly Directory: (parts: ObjectParts) => DirectoryClass;
  readonly Scheduler: (parts: ObjectParts) => SchedulerClass;
}

const SITE_KEYS = ["auth", "bindings", "cors", "directory", "directoryShards"] as const;

/** `stepwell` for a platform: with or without Durable Objects. */
export function createStepwell(classes: AppClasses): (options: StepwellOptions) => App {
  return (options) => {
    const given = readFields(options, "options", [...DEPLOYMENT_KEYS, ...SITE_KEYS]);
    const { auth, bindings, cors, directory, directoryShards, ...rest } = given;
    const deployment = createDeployment(rest satisfies DeploymentOptions);
    const site = createSite(deployment, { auth, bindings, cors, directory, directoryShards });
    const router = createRouter(site);
    const served = serveUnder(deployment.basePath, router);
    const { executions } = site.bindings;
    const parts = { deployment, executions, directory: site.directory, readFrame: frameReader(deployment) };
    return Object.freeze({
      // Not the router's own function: other fields of the app may not depend on how Hono binds its methods.
      fetch: async (request: Request, env: Cloudflare.Env, ctx: ExecutionContext) => served.fetch(request, env, ctx),
      router,
      client: (env: Cloudflare.Env) => clientInside(site, env),
      scheduled: async (_controller: ScheduledController, env: Cloudflare.Env) => touchScheduler({ site, env }),
      Execution: classes.Execution(parts),
      Directory: classes.Directory(parts),
      Scheduler: classes.Scheduler(parts),
    });
  };
}

function clientInside(site: Site, env: Cloudflare.Env): Client {
  const fault = bindingFault(site, env);
  if (fault !== undefined) throw new TypeError(fault);
  return clientOver(workerTransport({ site, env }));
}

function createSite(deployment: Deployment, given: Partial<Record<(typeof SITE_KEYS)[number], unknown>>): Site {
  const { auth, directory } = given;
  if (auth !== undefined && typeof auth !== "function") {
    throw new TypeError(`Cannot use auth as it must be a function: current value is ${showValue(auth)}`);
  }
  if (directory !== undefined && directory !== false) {
    throw new TypeError(`Cannot use directory as it must be false or absent: current value is ${showValue(directory)}`);
  }
  const bindings = checkBindings(given.bindings);
  const place = { binding: bindings.directory, shards: checkShards(given.directoryShards ?? 1) };
  return Object.freeze({
    deployment,
    // The cast: what the function gives is looked at whenever it is called.
    ...(auth === undefined ? {} : { auth: auth as Authenticate }),
    cors: checkCors(given.cors),
    bindings: { executions: bindings.executions, scheduler: bindings.scheduler },
    ...(directory === undefined && { directory: place }),
  });
}

function checkShards(value: unknown): number {
  const maximum = LIMITS.directoryShards;
  const message =
    `Cannot use directoryShards as it must be a whole number from 1 to ${maximum}: ` +
    `current value is ${showValue(value)}`;
  if (typeof value !== "number") throw new TypeError(message);
  if (!Number.isInteger(value) || value < 1 || value > maximum) throw new RangeError(message);
  return value;
}

function checkBindings(value: unknown): Site["bindings"] & { readonly directory: string } {
  const given = value === undefined ? {} : readFields(value, "bindings", ["executions", "directory", "scheduler"]);
  return Object.freeze({
    executions: checkBindingName("bindings.executions", given.executions ?? "EXECUTIONS"),
    directory: checkBindingName("bindings.directory", given.directory ?? "DIRECTORY"),
    scheduler: checkBindingName("bindings.scheduler", given.scheduler ?? "SCHEDULER"),
  });
}

function checkBindingName(field: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`Cannot use ${field} as it must be the name of a binding: current value is ${showValue(value)}`);
}

/** Under the path first: the routes without it answer every path that is left. */
function serveUnder(basePath: string | undefined, router: Router): Router {
  if (basePath === undefined) return router;
  const served = emptyRouter();
  served.route(basePath, router);
  served.route("/", router);
  return served;
}
