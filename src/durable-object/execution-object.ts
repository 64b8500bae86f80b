import { DurableObject } from "cloudflare:workers";
import type { Deployment } from "../execution/deployment.ts";
import { ExecutionService } from "../execution/execution-service.ts";
import { readSocketRequest } from "../execution/socket-request.ts";
import type { ReadFrame } from "../execution/viewer-frame.ts";
import type {
  AnswerRequest,
  CommandRequest,
  EventsRequest,
  ExecutionPort,
  PageRequest,
  SignalRequest,
  StartRequest,
  ToldRequest,
  WatchRequest,
} from "../execution/wire.ts";
import type { CopyJournal, CopyRequest, CutRequest, ForkRequest } from "../execution/wire-fork.ts";
import { directoryStub, type DirectoryPlace } from "./directory-stub.ts";
import { executionStub } from "./execution-stub.ts";
import { portsOf, REAL_CLOCK, REAL_FETCH, type Surroundings } from "./platform.ts";
import { ViewerSockets } from "./viewer-sockets.ts";

/** A Durable Object that is one execution. */
export interface ExecutionObject extends DurableObject<Cloudflare.Env>, ExecutionPort {
  alarm(info?: { readonly scheduledTime?: number }): Promise<void>;
  /** Opens a WebSocket to a viewer, or answers why it cannot: see `SocketRequest`. */
  fetch(request: Request): Promise<Response>;
  webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): Promise<void>;
  webSocketClose(socket: WebSocket): void;
  webSocketError(socket: WebSocket): void;
  /** Rows written in the life of this object, as the platform bills them. */
  rowsWritten(): number;
}

export type ExecutionObjectClass = new (ctx: DurableObjectState, env: Cloudflare.Env) => ExecutionObject;

/**
 * How the objects of one app see the platform: other executions are reached through this binding of the Worker, and the
 * directory, if there is one, through its own.
 */
export function surroundingsOf(binding: string, directory?: DirectoryPlace): Surroundings {
  return {
    clock: REAL_CLOCK,
    fetch: REAL_FETCH,
    executions: (env) => (name) => executionStub(env, binding, name),
    ...(directory !== undefined && { directory: (env: unknown) => directoryStub(env, directory) }),
  };
}

/** The class of the objects of one deployment, which read what viewers send by `readFrame`. */
export function createExecutionClass(
  deployment: Deployment,
  surroundings: Surroundings,
  readFrame: ReadFrame,
): ExecutionObjectClass {
  return class Execution extends ServedExecution {
    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env, { deployment, surroundings, readFrame });
    }
  };
}

interface ObjectParts {
  readonly deployment: Deployment;
  readonly readFrame: ReadFrame;
  readonly surroundings: Surroundings;
}

/** An execution as the platform calls it: every method goes to the service. */
class ServedExecution extends DurableObject<Cloudflare.Env> implements ExecutionObject {
  readonly #ports: ReturnType<typeof portsOf>;
  readonly #service: ExecutionService;
  readonly #sockets: ViewerSockets;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env, { deployment, readFrame, surroundings }: ObjectParts) {
    super(ctx, env);
    this.#ports = portsOf(ctx, env, surroundings);
    const service = new ExecutionService(this.#ports, deployment);
    this.#service = service;
    const { clock } = this.#ports;
    const { viewers } = service;
    const load = () => viewers.load();
    this.#sockets = new ViewerSockets({ ctx, feed: viewers.feed, clock, port: service, readFrame, load });
  }

  start(request: StartRequest) {
    return this.#service.start(request);
  }

  view() {
    return this.#service.view();
  }

  listed() {
    return this.#service.listed();
  }

  result(waitMs: number) {
    return this.#service.result(waitMs);
  }

  signal(request: SignalRequest) {
    return this.#service.signal(request);
  }

  answerCallback(request: AnswerRequest) {
    return this.#service.answerCallback(request);
  }

  command(request: CommandRequest) {
    return this.#service.command(request);
  }

  journal(request: PageRequest) {
    return this.#service.journal(request);
  }

  value(entry: number) {
    return this.#service.value(entry);
  }

  events(request: EventsRequest) {
    return this.#service.events(request);
  }

  purge() {
    return this.#service.purge();
  }

  watch(request: WatchRequest) {
    return this.#service.watch(request);
  }

  told(request: ToldRequest) {
    return this.#service.told(request);
  }

  cut(request: CutRequest) {
    return this.#service.cut(request);
  }

  copy(request: CopyRequest) {
    return this.#service.copy(request);
  }

  fork(request: ForkRequest, copy: CopyJournal) {
    return this.#service.fork(request, copy);
  }

  override async fetch(request: Request): Promise<Response> {
    const viewer = readSocketRequest(request);
    if (viewer === undefined) return new Response(null, { status: 404 });
    const refusal = await this.#service.viewers.admit(viewer.from);
    return refusal === undefined ? this.#sockets.accept(viewer) : Response.json(refusal);
  }

  override webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    return this.#sockets.message(socket, frame);
  }

  override webSocketClose(socket: WebSocket): void {
    this.#sockets.closed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#sockets.closed(socket);
  }

  override async alarm(info?: { readonly scheduledTime?: number }): Promise<void> {
    const { alarm } = this.#ports;
    alarm.scheduledAt = info?.scheduledTime ?? 0;
    await this.#service.wake(info?.scheduledTime).finally(() => (alarm.scheduledAt = 0));
  }

  rowsWritten(): number {
    return this.#ports.storage.rowsWritten;
  }
}
