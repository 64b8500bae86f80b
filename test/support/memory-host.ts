import { createDeployment, type DeploymentOptions } from "../../src/execution/deployment.ts";
import { forkExecution } from "../../src/execution/fork-execution.ts";
import type { AnyWorkflow } from "../../src/execution/workflow.ts";
import { hashText } from "../../src/journal/draw.ts";
import { canonicalText, encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import type { ForkOptions, Host, HostOptions, NumberedFact, Probe, StartOptions } from "./host.ts";
import { outcomeOf } from "./host.ts";
import { MemoryObject, type Faults, type LogLine, type MemoryPlatform } from "./memory-object.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface MemoryHostOptions extends HostOptions {
  readonly now?: number;
  readonly endTurn?: () => Promise<void>;
}

/** Turns of the event loop without a turn of the engine after which nothing moves any more. */
const QUIET_TURNS = 4;

/** Executions in memory, in plain Node. */
export class MemoryHost implements Host {
  readonly clock: VirtualClock;
  readonly faults: Faults = {};
  readonly logs: LogLine[] = [];
  readonly objects = new Map<string, MemoryObject>();
  #options: DeploymentOptions;
  readonly #platform: MemoryPlatform;
  #turns = 0;
  #started = 0;

  constructor({ env, now, endTurn, fetch, ...options }: MemoryHostOptions) {
    this.clock = new VirtualClock(now ?? 0);
    this.#options = options;
    this.#platform = {
      clock: this.clock,
      env: env ?? {},
      fetch: fetch ?? globalThis.fetch,
      faults: this.faults,
      log: (line) => void this.logs.push(line),
      turned: () => void (this.#turns += 1),
      ...(endTurn && { endTurn }),
    };
  }

  now(): number {
    return this.clock.now();
  }

  delay(ms: number): Promise<void> {
    return this.clock.delay(ms);
  }

  object(workflow: { readonly name: string }, id: string): MemoryObject {
    const name = `${workflow.name}/${id}`;
    const object = this.objects.get(name) ?? new MemoryObject(createDeployment(this.#options), this.#platform);
    this.objects.set(name, object);
    return object;
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

  async fork(original: MemoryProbe, { id, before }: ForkOptions = {}): Promise<MemoryProbe | string> {
    this.#started += 1;
    const given = id ?? `e-${this.#started}`;
    const { workflow } = await original.view();
    const object = this.object({ name: workflow }, given);
    const forking = { workflow, of: original.id, id: given, ...(before !== undefined && { before }) };
    const answer = await forkExecution(original.object.service, object.service, forking);
    await this.settle();
    if (answer.kind === "refused") return answer.code;
    return answer.kind === "absent" ? answer.kind : new MemoryProbe(given, object, this);
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
    this.clock.fireDue();
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

  async fork(options?: ForkOptions): Promise<MemoryProbe | string> {
    return await this.#host.fork(this, options);
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
