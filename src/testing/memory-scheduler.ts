import type { Deployment } from "../execution/deployment.ts";
import { SchedulerService, type SchedulerPorts, type ScheduleStorage } from "../execution/scheduler-service.ts";
import type { Executions } from "../execution/ports.ts";
import type { ScheduleState } from "../schedules/schedule-state.ts";
import type { LogLine } from "./memory-platform.ts";
import type { MemoryObjects } from "./memory-objects.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export interface SchedulerPlatform {
  readonly clock: VirtualClock;
  /** How one life of the object reaches executions. */
  readonly executionsOf: (isGone: () => boolean) => Executions;
  readonly log: (line: LogLine) => void;
}

/** The scheduler over storage in memory. */
export class MemoryScheduler {
  readonly #platform: SchedulerPlatform;
  #deployment: Deployment;
  /** As the platform keeps them: as text, which no later change of an object reaches. */
  readonly #states = new Map<string, string>();
  #alarm: number | undefined;
  #service: SchedulerService | undefined;
  #life = 0;
  /** The alarm handler is running. */
  isRinging = false;
  /** States and alarms that were written. */
  rowsWritten = 0;

  constructor(deployment: Deployment, platform: SchedulerPlatform) {
    this.#deployment = deployment;
    this.#platform = platform;
  }

  get alarm(): number | undefined {
    return this.#alarm;
  }

  get ringsAt(): number | undefined {
    return this.#alarm;
  }

  /** Behind the engine's back. */
  spoilAlarm(at: number | undefined): void {
    this.#alarm = at;
  }

  get service(): SchedulerService {
    this.#service ??= new SchedulerService(this.#ports(), this.#deployment);
    return this.#service;
  }

  /** What is stored, by the names of the schedules. */
  get states(): ReadonlyMap<string, ScheduleState> {
    // The cast: texts are written by this class alone.
    return new Map([...this.#states].map(([name, text]) => [name, JSON.parse(text) as ScheduleState]));
  }

  /** Memory is lost; all that was written is kept. */
  evict(): void {
    this.#life += 1;
    this.#service = undefined;
    this.isRinging = false;
  }

  /** Other code is deployed: the object starts anew on it. */
  deploy(deployment: Deployment): void {
    this.evict();
    this.#deployment = deployment;
  }

  async ring(): Promise<void> {
    const life = this.#life;
    this.#alarm = undefined;
    this.isRinging = true;
    await this.service.wake();
    if (life === this.#life) this.isRinging = false;
  }

  #ports(): SchedulerPorts {
    const life = this.#life;
    const isGone = () => life !== this.#life;
    const { clock, executionsOf, log } = this.#platform;
    return {
      storage: this.#storage(isGone),
      alarm: {
        get: async () => this.#alarm,
        set: (at) => {
          this.#write(isGone, () => (this.#alarm = at === undefined ? undefined : Math.max(at, clock.now() + 1)));
        },
      },
      clock,
      executions: executionsOf(isGone),
      log: (level, message, fields) => log({ level, message, fields }),
    };
  }

  #storage(isGone: () => boolean): ScheduleStorage {
    return {
      read: () => this.states,
      write: (name, state) => this.#write(isGone, () => this.#states.set(name, JSON.stringify(state))),
      remove: (name) => this.#write(isGone, () => this.#states.delete(name)),
    };
  }

  #write(isGone: () => boolean, act: () => unknown): void {
    if (isGone()) throw new Error("This life of the scheduler is over.");
    this.rowsWritten += 1;
    act();
  }
}

/** The clock of the objects rings for the schedules of a deployment, too, which count from now on. */
export function attachScheduler(objects: MemoryObjects, deployment: Deployment, log: SchedulerPlatform["log"]): void {
  if (deployment.schedules.length === 0) return;
  const { clock, network } = objects;
  const executionsOf = (isGone: () => boolean) => network.from({ name: "scheduler", isGone });
  const scheduler = new MemoryScheduler(deployment, { clock, executionsOf, log });
  objects.perpetual = scheduler;
  // As the first request after a deploy does. Nothing is due yet, so that nothing is waited for.
  void scheduler.service.touch();
}
