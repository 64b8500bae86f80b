import { createDeployment, type DeploymentOptions } from "../../src/execution/deployment.ts";
import type { ExecutionPort } from "../../src/execution/wire.ts";
import type { AnyWorkflow } from "../../src/execution/workflow.ts";
import { hashText } from "../../src/journal/draw.ts";
import { nameText, type ExecutionName } from "../../src/journal/execution-name.ts";
import { canonicalText, encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import type { Host, HostOptions, NumberedFact, Probe, StartOptions } from "./host.ts";
import { outcomeOf } from "./host.ts";
import { MemoryNetwork, type LatencyMs } from "./memory-network.ts";
import { MemoryObject, type Faults, type LogLine, type MemoryPlatform } from "./memory-object.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface MemoryHostOptions extends HostOptions {
  readonly now?: number;
  readonly endTurn?: () => Promise<void>;
  /**
   * Messages between executions take time, and what is due at one time happens one after the other: the order of events
   * does not depend on how many turns an object takes. Without it a way takes one turn.
   */
  readonly isOrdered?: boolean;
}

/** Ways of different messages take fractions of their own, so that none arrives just when something else is due. */
const latencyMs: LatencyMs = (method, way) => 1 + (METHODS.indexOf(method) * 2 + (way === "there" ? 1 : 2)) / 1_009;
const METHODS: readonly (keyof ExecutionPort)[] = ["start", "watch", "told", "signal", "command", "view"];

/** Turns of the event loop without a turn of the engine after which nothing moves any more. */
const QUIET_TURNS = 4;

/** Executions in memory, in plain Node. */
export class MemoryHost implements Host {
  readonly clock: VirtualClock;
  readonly faults: Faults = {};
  readonly logs: LogLine[] = [];
  readonly objects = new Map<string, MemoryObject>();
  readonly network: MemoryNetwork;
  #options: DeploymentOptions;
  readonly #platform: MemoryPlatform;
  readonly #isOrdered: boolean;
  #turns = 0;
  #started = 0;

  constructor({ env, now, endTurn, fetch, isOrdered, ...options }: MemoryHostOptions) {
    this.clock = new VirtualClock(now ?? 0);
    this.#options = options;
    const turned = () => void (this.#turns += 1);
    this.network = new MemoryNetwork({
      clock: this.clock,
      objectOf: (name) => this.objectOf(name),
      turned,
      ...(isOrdered && { latencyMs }),
    });
    this.#isOrdered = isOrdered === true;
    this.#platform = {
      clock: this.clock,
      env: env ?? {},
      fetch: fetch ?? globalThis.fetch,
      executionsOf: (caller) => this.network.from(caller),
      faults: this.faults,
      log: (line) => void this.logs.push(line),
      turned,
      ...(endTurn && { endTurn }),
    };
  }

  now(): number {
    return this.clock.now();
  }

  delay(ms: number): Promise<void> {
    return this.clock.delay(ms);
  }

  object(workflow: AnyWorkflow, id: string): MemoryObject {
    return this.objectOf({ workflow: workflow.name, id });
  }

  objectOf(execution: ExecutionName): MemoryObject {
    const name = nameText(execution);
    const object = this.objects.get(name) ?? new MemoryObject(name, createDeployment(this.#options), this.#platform);
    this.objects.set(name, object);
    return object;
  }

  /** A look at an execution that may have been started by another one. */
  get(workflow: AnyWorkflow, id: string): MemoryProbe {
    return new MemoryProbe(id, this.object(workflow, id), this);
  }

  async start(workflow: AnyWorkflow, { id, input, ...terms }: StartOptions = {}): Promise<MemoryProbe> {
    this.#started += 1;
    const given = id ?? `e-${this.#started}`;
    const object = this.object(workflow, given);
    await object.service.start({
      workflow: workflow.name,
      ...(workflow.version !== undefined && { version: workflow.version }),
      id: given,
      input: encodeValue(input, LIMITS.valueBytes),
      inputHash: hashText(canonicalText(input)),
      ...terms,
      waitMs: 0,
    });
    await this.settle();
    return new MemoryProbe(given, object, this);
  }

  /** Other code is deployed, for every execution. */
  async deploy(options: DeploymentOptions): Promise<void> {
    this.#options = options;
    for (const object of this.objects.values()) object.deploy(createDeployment(options));
  }

  /** Waits until nothing can go on without the clock. */
  async settle(): Promise<void> {
    for (let quiet = 0, seen = this.#turns; quiet < QUIET_TURNS; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#turns !== seen) quiet = 0;
      seen = this.#turns;
    }
  }

  async advance(ms: number): Promise<void> {
    await this.#advanceTo(this.now() + ms);
  }

  async #advanceTo(at: number): Promise<void> {
    for (let next = this.nextAt(); next !== undefined && next <= at; next = this.nextAt()) {
      this.clock.moveTo(next);
      await this.#fire();
    }
    this.clock.moveTo(at);
    await this.settle();
  }

  async runToEnd(): Promise<void> {
    for (;;) {
      const next = this.nextAt((object) => !object.hasEnded);
      if (next === undefined) return;
      await this.#advanceTo(Math.max(next, this.now()));
    }
  }

  async #fire(): Promise<void> {
    if (this.#isOrdered) while (this.clock.fireOne()) await this.settle();
    else this.clock.fireDue();
    await this.settle();
    for (const object of this.objects.values()) {
      if (object.isRinging || object.alarm === undefined || object.alarm > this.now()) continue;
      void object.ring();
      await this.settle();
    }
  }

  /** When something is due next, alarms and work of steps alike. */
  nextAt(counts: (object: MemoryObject) => boolean = () => true): number | undefined {
    const times = [this.clock.nextAt];
    for (const object of this.objects.values()) if (!object.isRinging && counts(object)) times.push(object.alarm);
    const known = times.filter((time): time is number => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }
}

export class MemoryProbe implements Probe {
  readonly id: string;
  readonly object: MemoryObject;
  readonly #host: MemoryHost;

  constructor(id: string, object: MemoryObject, host: MemoryHost) {
    this.id = id;
    this.object = object;
    this.#host = host;
  }

  async view() {
    const found = await this.object.service.view();
    await this.#host.settle();
    if (found.kind === "absent") throw new Error(`There is no execution ${this.id}.`);
    const after = await this.object.service.view();
    return after.kind === "found" ? after.view : found.view;
  }

  async outcome() {
    return outcomeOf((await this.view()).outcome);
  }

  async facts(): Promise<readonly NumberedFact[]> {
    await this.#host.settle();
    const page = await this.object.service.journal({ from: 0, limit: Number.MAX_SAFE_INTEGER });
    return page.kind === "absent" ? [] : (JSON.parse(page.entries) as NumberedFact[]);
  }

  async signal(name: string, value: unknown, key?: string): Promise<string> {
    const text = encodeValue(value, LIMITS.valueBytes);
    const answer = await this.object.service.signal({
      name,
      value: text,
      waitMs: 0,
      ...(key !== undefined && { key }),
    });
    await this.#host.settle();
    return answer.kind === "refused" ? answer.code : answer.kind;
  }

  async command(command: "cancel" | "terminate" | "pause" | "resume", reason?: string): Promise<string> {
    const answer = await this.object.service.command({ command, ...(reason !== undefined && { reason }) });
    await this.#host.settle();
    return answer.kind === "refused" ? answer.code : answer.kind;
  }

  async purge(): Promise<string> {
    const answer = await this.object.service.purge();
    await this.#host.settle();
    return answer.kind === "refused" ? answer.code : answer.kind;
  }

  async evict(): Promise<void> {
    this.object.evict();
  }

  async alarm(): Promise<number | undefined> {
    return this.object.alarm;
  }

  async spoilAlarm(at: number | undefined): Promise<void> {
    this.object.spoilAlarm(at);
  }

  async ring(): Promise<void> {
    void this.object.ring();
    await this.#host.settle();
  }
}
