import type { ExecutionObject } from "../../src/durable-object/execution-object.ts";
import type { SchedulerObject } from "../../src/durable-object/scheduler-object.ts";

/** Makes what lives behind one object name, each time that the platform constructs the object. */
export type ConstructObject = (ctx: DurableObjectState, env: Cloudflare.Env) => ExecutionObject;

const constructors = new Map<string, ConstructObject>();

/** Tests and objects share the isolate, so a test says here what the object of a name is made from. */
export function registerObject(name: string, construct: ConstructObject): void {
  constructors.set(name, construct);
}

/** As {@link ConstructObject}, for schedulers. */
export type ConstructScheduler = (ctx: DurableObjectState, env: Cloudflare.Env) => SchedulerObject;

const schedulers = new Map<string, ConstructScheduler>();

export function registerScheduler(name: string, construct: ConstructScheduler): void {
  schedulers.set(name, construct);
}

export function constructScheduler(ctx: DurableObjectState, env: Cloudflare.Env): SchedulerObject {
  const construct = schedulers.get(ctx.id.name ?? "");
  if (construct === undefined) throw new Error(`Cannot construct ${ctx.id.name} as no test has registered it.`);
  return construct(ctx, env);
}

type Fetch = (request: Request) => Response | Promise<Response>;

let app: Fetch | undefined;

/** What the Worker answers its own requests with. */
export function registerApp(fetch: Fetch): void {
  app = fetch;
}

export function fetchApp(request: Request): Response | Promise<Response> {
  if (app === undefined) throw new Error("Cannot answer as no test has registered an app.");
  return app(request);
}

export function constructObject(ctx: DurableObjectState, env: Cloudflare.Env): ExecutionObject {
  const { name } = ctx.id;
  const construct = name === undefined ? undefined : constructors.get(name);
  if (construct === undefined) throw new Error(`Cannot construct object ${String(name)} as no test has registered it.`);
  return construct(ctx, env);
}
