import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type App, stepwell, type StepwellOptions } from "../../src/index.workerd.ts";
import { documentedReply, READ_TOKEN, requestOf, TOKEN, type Reply, type Sending } from "../worker/node/test-app.ts";
import { registerObject, registerScheduler } from "../workers/registry.ts";
import { directoryBinding } from "./directory-binding.ts";
import type { Execution, Scheduler } from "../workers/worker.ts";

/** Where the requests seem to come to. */
const ORIGIN = "https://flows.example.com";

const SECRETS = { STEPWELL_TOKEN: TOKEN, STEPWELL_READ_TOKEN: READ_TOKEN };

export interface ServedApp {
  readonly app: App;
  /** What the app gets as its environment. */
  readonly bindings: Cloudflare.Env;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly send: (path: string, sending?: Sending) => Promise<Reply>;
  /** The answer as it comes: a stream, or a WebSocket. */
  readonly open: (path: string, sending?: Sending) => Promise<Response>;
  /** The object of the schedules. */
  readonly scheduler: () => DurableObjectStub<Scheduler>;
  /** The object of an execution, by its name `workflow/id`. */
  readonly object: (name: string) => DurableObjectStub<Execution>;
}

/** A whole application over real objects, called as a client with the full token would. Names are shared by a file's apps. */
export function serveApp(options: StepwellOptions): ServedApp {
  const app = stepwell(options);
  // The cast: the application, and its objects among themselves, use two methods of a namespace alone.
  const bindings: Cloudflare.Env = {
    EXECUTIONS: { idFromName, get },
    DIRECTORY: directoryBinding(app.Directory, () => bindings),
    SCHEDULER: { idFromName: scheduler, get: (stub: unknown) => stub },
    ...SECRETS,
  } as unknown as Cloudflare.Env;
  const schedulerName = `scheduler-${crypto.randomUUID()}`;
  function scheduler(): DurableObjectStub<Scheduler> {
    registerScheduler(schedulerName, (ctx, bound) => new app.Scheduler(ctx, { ...bound, ...bindings }));
    return env.SCHEDULER.get(env.SCHEDULER.idFromName(schedulerName));
  }
  function idFromName(name: string): DurableObjectId {
    // A secret is the whole Worker's, its objects included.
    registerObject(name, (ctx, bound) => new app.Execution(ctx, { ...bound, ...bindings }));
    return env.EXECUTIONS.idFromName(name);
  }
  function get(id: DurableObjectId): DurableObjectStub<Execution> {
    return env.EXECUTIONS.get(id);
  }
  const object = (name: string) => get(idFromName(name));
  const fetch = (request: Request) => app.fetch(request, bindings, createExecutionContext());
  const open = (path: string, sending: Sending = {}) => fetch(requestOf(`${ORIGIN}${path}`, sending));
  const send = (path: string, sending: Sending = {}) =>
    documentedReply(requestOf(`${ORIGIN}${path}`, sending), (request) => fetch(request));
  return { app, bindings, fetch, send, open, object, scheduler };
}

/** What an object has stored: the names of its tables, and its alarm. */
export async function storedIn(stub: DurableObjectStub<Execution>): Promise<readonly unknown[]> {
  return await runInDurableObject(stub, async (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master").toArray();
    const alarm = await storage.getAlarm();
    return [...tables.map(({ name }) => name), ...(alarm === null ? [] : [alarm])];
  });
}
