import { createDeployment, type Deployment } from "../../src/execution/deployment.ts";
import type { ScheduleOptions } from "../../src/execution/schedules.ts";
import type { ScheduleView } from "../../src/execution/wire-schedules.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Call, Fate } from "../../src/testing/memory-network.ts";
import { MemoryObjects } from "../../src/testing/memory-objects.ts";
import { MemoryScheduler } from "../../src/testing/memory-scheduler.ts";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const NOON = Date.UTC(2026, 2, 1, 12);

/** Ends at once. */
export const quick = defineWorkflow({ name: "quick", input: staticSchema<number>() }, async ({ input }) => input);
/** Ends when it is told to, or cancelled. */
export const slow = defineWorkflow(
  { name: "slow", signals: { end: staticSchema<number>() } },
  async ({ awaitSignal }) => await awaitSignal("end"),
);

export const EVERY_MINUTE: ScheduleOptions = { name: "minutely", cron: "* * * * *", workflow: "quick" };

export function deploymentOf(...schedules: readonly ScheduleOptions[]): Deployment {
  return createDeployment({ workflows: [quick, slow], schedules, retention: "365d" });
}

/** A scheduler and the executions that it starts, in memory, a moment after noon. */
export class ScheduledHost {
  readonly objects: MemoryObjects;
  readonly scheduler: MemoryScheduler;
  readonly lines: string[] = [];
  #deployment: Deployment;

  constructor(...schedules: readonly ScheduleOptions[]) {
    this.#deployment = deploymentOf(...schedules);
    this.objects = new MemoryObjects({
      now: NOON + 1,
      env: {},
      fetch: () => Promise.reject(new Error("no network")),
      log: () => {},
      patienceMs: 0,
      deployment: () => this.#deployment,
    });
    const { clock, network } = this.objects;
    this.scheduler = new MemoryScheduler(this.#deployment, {
      clock,
      executionsOf: (isGone) => network.from({ name: "scheduler", isGone }),
      log: ({ message }) => this.lines.push(message),
    });
    this.objects.perpetual = this.scheduler;
  }

  static async of(...schedules: readonly ScheduleOptions[]): Promise<ScheduledHost> {
    return await new ScheduledHost(...schedules).begin();
  }

  async list(): Promise<readonly ScheduleView[]> {
    return await this.asked(this.scheduler.service.list());
  }

  /** Sees the deployment. */
  async begin(): Promise<this> {
    await this.scheduler.service.touch();
    await this.objects.settle();
    return this;
  }

  async deploy(...schedules: readonly ScheduleOptions[]): Promise<void> {
    this.#deployment = deploymentOf(...schedules);
    this.scheduler.deploy(this.#deployment);
    await this.begin();
  }

  async advance(ms: number): Promise<void> {
    await this.objects.advanceTo(this.objects.now + ms);
  }

  /** The object is not there for a while, and its alarm rings late. */
  async sleepThrough(ms: number): Promise<void> {
    this.objects.clock.moveTo(this.objects.now + ms);
    await this.advance(0);
  }

  /** Waits for an answer while the clock stands still. */
  async asked<T>(answer: Promise<T>): Promise<T> {
    await this.objects.settle();
    return await answer;
  }

  set fate(fate: ((call: Call) => Fate) | undefined) {
    this.objects.network.fate = fate;
  }

  /** The executions that have started, by their names, in the order of their ids. */
  get started(): readonly string[] {
    return [...this.objects.byName]
      .filter(([, object]) => !object.isEmpty)
      .map(([name]) => name)
      .toSorted();
  }

  /** The names of the executions of a schedule that started every minute, by those minutes. */
  static named(workflow: string, schedule: string, minutes: readonly number[]): readonly string[] {
    return minutes.map((minute) => {
      const at = new Date(NOON + minute * MINUTE_MS).toISOString();
      return `${workflow}/${schedule}.${at.replaceAll(/[:-]|\.\d+/g, "")}`;
    });
  }

  async stateOf(name: string): Promise<string> {
    const [workflow = "", id = ""] = name.split("/");
    const object = this.objects.object(workflow, id, () => this.#deployment);
    const answer = await this.asked(object.service.view());
    return answer.kind === "found" ? answer.view.state : answer.kind;
  }

  async end(name: string): Promise<void> {
    const [workflow = "", id = ""] = name.split("/");
    const object = this.objects.object(workflow, id, () => this.#deployment);
    await this.asked(object.service.signal({ name: "end", value: "[1]", waitMs: 0 }));
  }
}
