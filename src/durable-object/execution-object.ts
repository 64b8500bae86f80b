import { DurableObject } from "cloudflare:workers";
import type { Deployment } from "../execution/deployment.ts";
import { ExecutionService } from "../execution/execution-service.ts";
import type {
  AnswerRequest,
  CommandRequest,
  ExecutionPort,
  PageRequest,
  SignalRequest,
  StartRequest,
  ToldRequest,
  WatchRequest,
} from "../execution/wire.ts";
import type { CopyJournal, CopyRequest, CutRequest, ForkRequest } from "../execution/wire-fork.ts";
import { executionStub } from "./execution-stub.ts";
import { portsOf, REAL_CLOCK, REAL_FETCH, type Surroundings } from "./platform.ts";

/** A Durable Object that is one execution. */
export interface ExecutionObject extends DurableObject<Cloudflare.Env>, ExecutionPort {
  alarm(info?: { readonly scheduledTime?: number }): Promise<void>;
  /** Rows written in the life of this object, as the platform bills them. */
  rowsWritten(): number;
}

export type ExecutionObjectClass = new (ctx: DurableObjectState, env: Cloudflare.Env) => ExecutionObject;

/** How the objects of one app see the platform: other executions are reached through this binding of the Worker. */
export function surroundingsOf(binding: string): Surroundings {
  return {
    clock: REAL_CLOCK,
    fetch: REAL_FETCH,
    executions: (env) => (name) => executionStub(env, binding, name),
  };
}

/** The class of the objects of one deployment. */
export function createExecutionClass(deployment: Deployment, surroundings: Surroundings): ExecutionObjectClass {
  return class Execution extends ServedExecution {
    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env, { deployment, surroundings });
    }
  };
}

interface ObjectParts {
  readonly deployment: Deployment;
  readonly surroundings: Surroundings;
}

/** An execution as the platform calls it: every method goes to the service. */
class ServedExecution extends DurableObject<Cloudflare.Env> implements ExecutionObject {
  readonly #ports: ReturnType<typeof portsOf>;
  readonly #service: ExecutionService;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env, { deployment, surroundings }: ObjectParts) {
    super(ctx, env);
    this.#ports = portsOf(ctx, env, surroundings);
    this.#service = new ExecutionService(this.#ports, deployment);
  }

  start(request: StartRequest) {
    return this.#service.start(request);
  }

  view() {
    return this.#service.view();
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

  override async alarm(info?: { readonly scheduledTime?: number }): Promise<void> {
    const { alarm } = this.#ports;
    alarm.scheduledAt = info?.scheduledTime ?? 0;
    await this.#service.wake(info?.scheduledTime).finally(() => (alarm.scheduledAt = 0));
  }

  rowsWritten(): number {
    return this.#ports.storage.rowsWritten;
  }
}
