import type { Schedule } from "../schedules/schedule.ts";
import {
  abandonSchedule,
  adoptSchedule,
  learnEnd,
  nextPending,
  pauseSchedule,
  resumeSchedule,
  scheduleWakeAt,
  settleStart,
  takeDue,
  triggerSchedule,
  type LastStart,
  type PendingStart,
  type ScheduleState,
  type StartResult,
} from "../schedules/schedule-state.ts";
import { LIMITS } from "../limits.ts";
import type { Deployment } from "./deployment.ts";
import type { Alarm, Clock, Executions, LogLevel } from "./ports.ts";
import { SchedulerAlarm } from "./scheduler-alarm.ts";
import { endOf, sendScheduled } from "./send-scheduled.ts";
import { Waiters } from "./waiters.ts";
import { scheduleView } from "./schedule-view.ts";
import type { Absent, Refused } from "./wire.ts";
import type {
  ScheduleCommandAnswer,
  ScheduleCommandRequest,
  SchedulerPort,
  ScheduleView,
  TriggerAnswer,
  TriggerRequest,
} from "./wire-schedules.ts";

/** Where the states of schedules are kept. Synchronous, and durable with the turn's other writes. */
export interface ScheduleStorage {
  read(): ReadonlyMap<string, ScheduleState>;
  write(name: string, state: ScheduleState): void;
  remove(name: string): void;
}

export interface SchedulerPorts {
  readonly storage: ScheduleStorage;
  readonly alarm: Alarm;
  readonly clock: Clock;
  readonly executions: Executions;
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
}

const ABSENT: Absent = { kind: "absent" };

/**
 * The schedules of a deployment.
 *
 * Invariants
 *  1. A start is stored before it is sent, and stays stored until its execution has answered: it may be sent twice, but
 *     its id, which follows from schedule and time, makes that one execution.
 *  2. The starts of one schedule are sent one after the other: each sees what became of the one before.
 *  3. At rest the alarm is at the next thing due, and never further than a look at what is deployed. With something
 *     under way it is no later than the lease.
 *  4. What is deployed is adopted at every touch, before anything is decided.
 */
export class SchedulerService implements SchedulerPort {
  readonly #ports: SchedulerPorts;
  readonly #deployment: Deployment;
  readonly #alarm: SchedulerAlarm;
  readonly #waiters = new Waiters();
  /** What storage holds; `undefined` before it was read. */
  #states: Map<string, ScheduleState> | undefined;
  /** What is under way, by the name of its schedule. */
  readonly #underWay = new Map<string, PendingStart>();
  /** What became of triggers whose callers wait. */
  readonly #awaited = new Map<string, PromiseWithResolvers<StartResult>>();

  constructor(ports: SchedulerPorts, deployment: Deployment) {
    this.#ports = ports;
    this.#deployment = deployment;
    this.#alarm = new SchedulerAlarm(ports.alarm, ports.clock);
  }

  get #now(): number {
    return this.#ports.clock.now();
  }

  async touch(): Promise<void> {
    await this.#alarm.read();
    this.#goOn();
  }

  async list(): Promise<readonly ScheduleView[]> {
    await this.touch();
    await this.#learnEnds();
    const { schedules } = this.#deployment;
    return schedules.map((schedule) => scheduleView(schedule, this.#stateOf(schedule), this.#now));
  }

  async command({ name, command }: ScheduleCommandRequest): Promise<ScheduleCommandAnswer | Absent> {
    await this.touch();
    const schedule = this.#scheduleNamed(name);
    if (schedule === undefined) return ABSENT;
    const before = this.#stateOf(schedule);
    const after = command === "pause" ? pauseSchedule(before, this.#now) : resumeSchedule(before, schedule, this.#now);
    this.#keep(name, after);
    this.#goOn();
    return {
      kind: "done",
      changed: after !== before,
      view: scheduleView(schedule, this.#stateOf(schedule), this.#now),
    };
  }

  async trigger({ name, id }: TriggerRequest): Promise<TriggerAnswer | Absent | Refused> {
    await this.touch();
    const schedule = this.#scheduleNamed(name);
    if (schedule === undefined) return ABSENT;
    const state = triggerSchedule(this.#stateOf(schedule), { workflow: schedule.workflow, id }, this.#now);
    if (state === undefined) {
      const message = `Cannot trigger ${name} as it may have ${LIMITS.pendingStarts} starts that are not acknowledged`;
      return { kind: "refused", code: "UNAVAILABLE", message };
    }
    this.#keep(name, state);
    const awaited = this.#awaited.get(id) ?? Promise.withResolvers<StartResult>();
    this.#awaited.set(id, awaited);
    this.#goOn();
    const result = await this.#within(LIMITS.triggerWaitMs, awaited.promise);
    if (result === undefined || result.kind === "failed") return { kind: "pending" };
    if (result.kind === "started") return { kind: "started", created: result.created };
    return result.kind === "refused" ? { ...result, kind: "invalid" } : result;
  }

  /** `undefined` where it takes longer. */
  async #within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
    const late = Promise.withResolvers<undefined>();
    const withdraw = this.#ports.clock.timer(this.#now + ms, () => late.resolve(undefined));
    return await Promise.race([promise, late.promise]).finally(withdraw);
  }

  /**
   * The alarm rang. Stays with what it sends until there is an answer, or the alarm is due again. Never throws: the
   * platform would ring again, and at last not any more.
   */
  async wake(): Promise<void> {
    this.#alarm.rang();
    try {
      this.#goOn();
    } catch (error) {
      this.#ports.log("error", "Storage failed; the schedules are tried again.", { error });
      this.#states = undefined;
      this.#alarm.set(this.#now + LIMITS.deliveryRetryMs);
      return;
    }
    while (this.#underWay.size > 0 && !this.#alarm.isDue) {
      await this.#waiters.change(this.#ports.clock, this.#alarm.armedAt);
    }
  }

  /** Adopts what is deployed, decides what is due, sends it, and sets the alarm. */
  #goOn(): void {
    const states = this.#load();
    const deployed = new Map(this.#deployment.schedules.map((schedule) => [schedule.name, schedule]));
    for (const [name, schedule] of deployed) {
      const adopted = adoptSchedule(states.get(name), schedule, this.#now);
      this.#keep(name, takeDue(adopted, schedule, this.#now));
    }
    for (const [name, state] of states) {
      if (!deployed.has(name)) this.#keep(name, abandonSchedule(state, this.#now));
    }
    for (const schedule of deployed.values()) this.#sendNext(schedule);
    this.#arm();
  }

  #sendNext(schedule: Schedule): void {
    const { name } = schedule;
    const state = this.#stateOf(schedule);
    const start = nextPending(state);
    const isBusy = this.#underWay.has(name) || this.#underWay.size >= LIMITS.deliveriesInFlight;
    if (isBusy || start === undefined || start.dueAt > this.#now) return;
    this.#underWay.set(name, start);
    const end = (result: StartResult) => {
      // Only the first result counts.
      if (this.#underWay.get(name) !== start) return;
      withdraw();
      this.#underWay.delete(name);
      this.#take(schedule, start, result);
    };
    const late = () => end({ kind: "failed", message: `No answer came within ${LIMITS.deliveryMs} ms.` });
    const withdraw = this.#ports.clock.timer(this.#now + LIMITS.deliveryMs, late);
    const sender = { deployment: this.#deployment, executions: this.#ports.executions };
    sendScheduled({ schedule, start, last: state.last }, sender).then(end, (error: unknown) =>
      end({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
    );
  }

  #take({ name }: Schedule, { id, workflow }: PendingStart, result: StartResult): void {
    if (result.kind === "failed" || result.kind === "refused") {
      this.#ports.log("warn", "A scheduled start failed.", { schedule: name, workflow, id, ...result });
    }
    try {
      const state = this.#load().get(name);
      if (state !== undefined) this.#keep(name, settleStart(state, { id, result }, this.#now));
      this.#goOn();
    } catch (error) {
      // The start is stored still, and the lease finds it.
      this.#ports.log("error", "Storage failed; the schedules are tried again.", { error });
      this.#states = undefined;
    }
    this.#awaited.get(id)?.resolve(result);
    this.#awaited.delete(id);
    this.#waiters.tellChange();
  }

  /** Asks how executions ended whose end is not known; what cannot be told in time is left open. */
  async #learnEnds(): Promise<void> {
    const open = this.#deployment.schedules
      .map((schedule) => ({ name: schedule.name, last: this.#stateOf(schedule).last }))
      .filter(
        (one): one is { name: string; last: LastStart } => one.last !== undefined && one.last.ended === undefined,
      );
    const asked = open.slice(0, LIMITS.deliveriesInFlight).map(async ({ name, last }) => {
      const ended = await endOf(last, this.#ports.executions);
      const state = this.#states?.get(name);
      if (ended !== undefined && state !== undefined) this.#keep(name, learnEnd(state, { id: last.id, ended }));
    });
    await this.#within(LIMITS.scheduleListMs, Promise.allSettled(asked));
  }

  #scheduleNamed(name: string): Schedule | undefined {
    return this.#deployment.schedules.find((schedule) => schedule.name === name);
  }

  #load(): Map<string, ScheduleState> {
    this.#states ??= new Map(this.#ports.storage.read());
    return this.#states;
  }

  #stateOf(schedule: Schedule): ScheduleState {
    return adoptSchedule(this.#load().get(schedule.name), schedule, this.#now);
  }

  /** Stores what is new. */
  #keep(name: string, state: ScheduleState | undefined): void {
    const states = this.#load();
    if (states.get(name) === state) return;
    if (state === undefined) {
      this.#ports.storage.remove(name);
      states.delete(name);
    } else {
      this.#ports.storage.write(name, state);
      states.set(name, state);
    }
  }

  #arm(): void {
    const states = this.#load();
    const isBusy = this.#underWay.size > 0;
    const wakes = this.#deployment.schedules
      .map((schedule) => scheduleWakeAt(this.#stateOf(schedule), this.#underWay.has(schedule.name)))
      .filter((at) => at !== undefined)
      // What is due and not under way waits for a place, and gets it when an answer comes.
      .filter((at) => !isBusy || at > this.#now);
    const nextAt = wakes.length === 0 ? undefined : Math.min(...wakes);
    this.#alarm.arm({ isUsed: states.size > 0, isBusy, nextAt });
  }
}
