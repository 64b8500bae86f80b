import { DurableObject } from "cloudflare:workers";
import type { Deployment } from "../execution/deployment.ts";
import { ExecutionService } from "../execution/execution-service.ts";
import type {
  CommandRequest,
  CopyJournal,
  CopyRequest,
  CutRequest,
  ExecutionPort,
  ForkRequest,
  PageRequest,
  SignalRequest,
  StartRequest,
} from "../execution/wire.ts";
import { portsOf, REAL_CLOCK, REAL_FETCH, type ObjectAlarm, type Surroundings } from "./platform.ts";

/** A Durable Object that is one execution. */
export interface ExecutionObject extends DurableObject<Cloudflare.Env>, ExecutionPort {
  alarm(info?: { readonly scheduledTime?: number }): Promise<void>;
  /** Rows written in the life of this object, as the platform bills them. */
  rowsWritten(): number;
}

export type ExecutionObjectClass = new (ctx: DurableObjectState, env: Cloudflare.Env) => ExecutionObject;

const PLATFORM: Surroundings = { clock: REAL_CLOCK, fetch: REAL_FETCH };

/** What all objects of one class have in common. */
interface Made {
  readonly deployment: Deployment;
  readonly surroundings: Partial<Surroundings>;
}

class DeployedExecution extends DurableObject<Cloudflare.Env> implements ExecutionObject {
  readonly #service: ExecutionService;
  readonly #alarm: ObjectAlarm;
  readonly #rowsWritten: () => number;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env, { deployment, surroundings }: Made) {
    super(ctx, env);
    const ports = portsOf(ctx, env, { ...PLATFORM, ...surroundings });
    this.#alarm = ports.alarm;
    this.#rowsWritten = () => ports.storage.rowsWritten;
    this.#service = new ExecutionService(ports, deployment);
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
    this.#alarm.scheduledAt = info?.scheduledTime ?? 0;
    await this.#service.wake(info?.scheduledTime).finally(() => (this.#alarm.scheduledAt = 0));
  }

  rowsWritten(): number {
    return this.#rowsWritten();
  }
}

/** The class of the objects of one deployment. `surroundings` are for tests. */
export function createExecutionClass(
  deployment: Deployment,
  surroundings: Partial<Surroundings> = {},
): ExecutionObjectClass {
  // The platform constructs it, and gives nothing else.
  return class Execution extends DeployedExecution {
    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env, { deployment, surroundings });
    }
  };
}
