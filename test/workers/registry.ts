import type { DirectoryObject } from "../../src/durable-object/directory-object.ts";
import type { ExecutionObject } from "../../src/durable-object/execution-object.ts";
import type { SchedulerObject } from "../../src/durable-object/scheduler-object.ts";

/** Makes what lives behind one object name, each time that the platform constructs the object. */
export type ConstructObject = (ctx: DurableObjectState, env: Cloudflare.Env) => ExecutionObject;

export type ConstructDirectory = (ctx: DurableObjectState, env: Cloudflare.Env) => DirectoryObject;

export type ConstructScheduler = (ctx: DurableObjectState, env: Cloudflare.Env) => SchedulerObject;

const constructors = new Map<string, ConstructObject>();
const schedulers = new Map<string, ConstructScheduler>();
const directories = new Map<string, ConstructDirectory>();

/** Tests and objects share the isolate, so a test says here what the object of a name is made from. */
export function registerObject(name: string, construct: ConstructObject): void {
  constructors.set(name, construct);
}

/** As `registerObject`, for a shard of a directory. */
export function registerDirectory(name: string, construct: ConstructDirectory): void {
  directories.set(name, construct);
}

/** As `registerObject`, for schedulers. */
export function registerScheduler(name: string, construct: ConstructScheduler): void {
  schedulers.set(name, construct);
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
  return registered(constructors, ctx)(ctx, env);
}

export function constructDirectory(ctx: DurableObjectState, env: Cloudflare.Env): DirectoryObject {
  return registered(directories, ctx)(ctx, env);
}

export function constructScheduler(ctx: DurableObjectState, env: Cloudflare.Env): SchedulerObject {
  return registered(schedulers, ctx)(ctx, env);
}

function registered<Construct>(known: ReadonlyMap<string, Construct>, { id: { name } }: DurableObjectState): Construct {
  const construct = name === undefined ? undefined : known.get(name);
  if (construct === undefined) throw new Error(`Cannot construct object ${String(name)} as no test has registered it.`);
  return construct;
}
