import { DurableObject } from "cloudflare:workers";
import type { Deployment } from "../execution/deployment.ts";
import { SchedulerService } from "../execution/scheduler-service.ts";
import type { ScheduleCommandRequest, SchedulerPort, TriggerRequest } from "../execution/wire-schedules.ts";
import { ObjectAlarm, type Surroundings, writeLog } from "./platform.ts";
import { SqliteSchedules } from "./sqlite-schedules.ts";

/** The Durable Object that keeps the schedules of a deployment. */
export interface SchedulerObject extends DurableObject<Cloudflare.Env>, SchedulerPort {
  alarm(info?: { readonly scheduledTime?: number }): Promise<void>;
  /** Rows written in the life of this object, as the platform bills them. */
  rowsWritten(): number;
}

export type SchedulerObjectClass = new (ctx: DurableObjectState, env: Cloudflare.Env) => SchedulerObject;

/** The class of the scheduler of one deployment. */
export function createSchedulerClass(deployment: Deployment, surroundings: Surroundings): SchedulerObjectClass {
  return class Scheduler extends ServedScheduler {
    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env, { deployment, surroundings });
    }
  };
}

interface ObjectParts {
  readonly deployment: Deployment;
  readonly surroundings: Surroundings;
}

/** A scheduler as the platform calls it: every method goes to the service. */
class ServedScheduler extends DurableObject<Cloudflare.Env> implements SchedulerObject {
  readonly #storage: SqliteSchedules;
  readonly #alarm: ObjectAlarm;
  readonly #service: SchedulerService;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env, { deployment, surroundings }: ObjectParts) {
    super(ctx, env);
    const { clock, executions } = surroundings;
    this.#storage = new SqliteSchedules(ctx.storage);
    this.#alarm = new ObjectAlarm(ctx.storage, this.#storage, clock);
    this.#service = new SchedulerService(
      { storage: this.#storage, alarm: this.#alarm, clock, executions: executions(env), log: writeLog },
      deployment,
    );
  }

  touch() {
    return this.#service.touch();
  }

  list() {
    return this.#service.list();
  }

  command(request: ScheduleCommandRequest) {
    return this.#service.command(request);
  }

  trigger(request: TriggerRequest) {
    return this.#service.trigger(request);
  }

  override async alarm(info?: { readonly scheduledTime?: number }): Promise<void> {
    this.#alarm.scheduledAt = info?.scheduledTime ?? 0;
    await this.#service.wake().finally(() => (this.#alarm.scheduledAt = 0));
  }

  rowsWritten(): number {
    return this.#storage.rowsWritten;
  }
}
