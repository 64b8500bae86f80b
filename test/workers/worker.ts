import { DurableObject } from "cloudflare:workers";
import type { ExecutionObject } from "../../src/durable-object/execution-object.ts";
import type { SchedulerObject } from "../../src/durable-object/scheduler-object.ts";
import type {
  AnswerRequest,
  CommandRequest,
  EventsRequest,
  PageRequest,
  SignalRequest,
  StartRequest,
  ToldRequest,
  WatchRequest,
} from "../../src/execution/wire.ts";
import type { ScheduleCommandRequest, TriggerRequest } from "../../src/execution/wire-schedules.ts";
import type { CopyJournal, CopyRequest, CutRequest, ForkRequest } from "../../src/execution/wire-fork.ts";
import type { DirectoryObject } from "../../src/durable-object/directory-object.ts";
import type { Incarnation, ListRequest, Report } from "../../src/execution/wire-directory.ts";
import { constructDirectory, constructObject, constructScheduler, fetchApp } from "./registry.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      readonly EXECUTIONS: DurableObjectNamespace<Execution>;
      readonly DIRECTORY: DurableObjectNamespace<Directory>;
      readonly SCHEDULER: DurableObjectNamespace<Scheduler>;
      readonly FLOWS: Fetcher;
    }
    interface GlobalProps {
      readonly mainModule: typeof import("./worker.ts");
    }
  }
}

/** Stands before whatever the test has registered for the object's name: RPC reaches only methods of this prototype. */
export class Execution extends DurableObject<Cloudflare.Env> implements ExecutionObject {
  readonly #object: ExecutionObject;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#object = constructObject(ctx, env);
  }

  start(request: StartRequest) {
    return this.#object.start(request);
  }

  view() {
    return this.#object.view();
  }

  listed() {
    return this.#object.listed();
  }

  result(waitMs: number) {
    return this.#object.result(waitMs);
  }

  signal(request: SignalRequest) {
    return this.#object.signal(request);
  }

  answerCallback(request: AnswerRequest) {
    return this.#object.answerCallback(request);
  }

  command(request: CommandRequest) {
    return this.#object.command(request);
  }

  journal(request: PageRequest) {
    return this.#object.journal(request);
  }

  value(entry: number) {
    return this.#object.value(entry);
  }

  events(request: EventsRequest) {
    return this.#object.events(request);
  }

  override fetch(request: Request) {
    return this.#object.fetch(request);
  }

  override webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer) {
    return this.#object.webSocketMessage(socket, frame);
  }

  override webSocketClose(socket: WebSocket) {
    this.#object.webSocketClose(socket);
  }

  override webSocketError(socket: WebSocket) {
    this.#object.webSocketError(socket);
  }

  purge() {
    return this.#object.purge();
  }

  watch(request: WatchRequest) {
    return this.#object.watch(request);
  }

  told(request: ToldRequest) {
    return this.#object.told(request);
  }

  cut(request: CutRequest) {
    return this.#object.cut(request);
  }

  copy(request: CopyRequest) {
    return this.#object.copy(request);
  }

  fork(request: ForkRequest, copy: CopyJournal) {
    return this.#object.fork(request, copy);
  }

  override alarm(info?: { readonly scheduledTime?: number }) {
    return this.#object.alarm(info);
  }

  rowsWritten() {
    return this.#object.rowsWritten();
  }
}

/** As `Execution`, for shards of a directory. */
export class Directory extends DurableObject<Cloudflare.Env> implements DirectoryObject {
  readonly #object: DirectoryObject;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#object = constructDirectory(ctx, env);
  }

  report(report: Report) {
    return this.#object.report(report);
  }

  remove(execution: Incarnation) {
    return this.#object.remove(execution);
  }

  list(request: ListRequest) {
    return this.#object.list(request);
  }

  counts() {
    return this.#object.counts();
  }

  override alarm() {
    return this.#object.alarm();
  }

  rowsWritten() {
    return this.#object.rowsWritten();
  }
}

/** As `Execution`. */
export class Scheduler extends DurableObject<Cloudflare.Env> implements SchedulerObject {
  readonly #object: SchedulerObject;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#object = constructScheduler(ctx, env);
  }

  touch() {
    return this.#object.touch();
  }

  list() {
    return this.#object.list();
  }

  command(request: ScheduleCommandRequest) {
    return this.#object.command(request);
  }

  trigger(request: TriggerRequest) {
    return this.#object.trigger(request);
  }

  override alarm(info?: { readonly scheduledTime?: number }) {
    return this.#object.alarm(info);
  }

  rowsWritten() {
    return this.#object.rowsWritten();
  }
}

export default {
  fetch: (request: Request) => fetchApp(request),
};
