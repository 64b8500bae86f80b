import { createDeployment, type DeploymentOptions } from "../../src/execution/deployment.ts";
import { forkExecution } from "../../src/execution/fork-execution.ts";
import type { JournalCommit } from "../../src/execution/ports.ts";
import type { AnyWorkflow } from "../../src/execution/workflow.ts";
import type { ExecutionName } from "../../src/journal/execution-name.ts";
import { hashText } from "../../src/journal/draw.ts";
import { canonicalText, encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import type { Faults, LogLine } from "../../src/testing/memory-platform.ts";
import type { MemoryNetwork } from "../../src/testing/memory-network.ts";
import { MemoryObjects } from "../../src/testing/memory-objects.ts";
import type { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { allFacts } from "./all-facts.ts";
import { answerTo, verdictOf } from "./answering.ts";
import type { ForkOptions, Host, HostOptions, NumberedFact, Probe, StartOptions } from "./host.ts";
import { outcomeOf } from "./host.ts";
import { directoryThrough, MemoryDirectory, type ReportFate } from "./memory-directory.ts";

export interface MemoryHostOptions extends Omit<HostOptions, "directory"> {
  readonly now?: number;
  readonly endTurn?: () => Promise<void>;
  /** Messages between executions take time, and one thing happens after the other. */
  readonly isOrdered?: boolean;
  /** What executions are told to, and how the calls fare. Default: there is none. */
  readonly directory?:
    | boolean
    | { readonly directory: MemoryDirectory; readonly fate?: (call: number) => ReportFate }
    | undefined;
  /** By how much the clock of an object is ahead. */
  readonly skewMs?: (object: MemoryObject) => number;
}

/** Executions in memory, in plain Node. */
export class MemoryHost implements Host {
  readonly logs: LogLine[] = [];
  readonly #objects: MemoryObjects;
  readonly #directory = new MemoryDirectory();
  #options: DeploymentOptions;
  #started = 0;

  constructor({ env, now, endTurn, fetch, isOrdered, skewMs, directory, ...options }: MemoryHostOptions) {
    this.#options = options;
    const whole = directory === true ? { directory: this.#directory } : undefined;
    const told = typeof directory === "object" ? directory : whole;
    this.#objects = new MemoryObjects({
      now: now ?? 0,
      env: env ?? {},
      fetch: fetch ?? globalThis.fetch,
      log: (line) => void this.logs.push(line),
      endTurn,
      isOrdered,
      directory: told && directoryThrough({ fate: () => "delivered", ...told, clock: () => this.#objects.clock }),
      skewMs,
      deployment: () => createDeployment(this.#options),
      // No test of the engine takes real time.
      patienceMs: 0,
    });
  }

  get clock(): VirtualClock {
    return this.#objects.clock;
  }

  get faults(): Faults {
    return this.#objects.faults;
  }

  get objects(): ReadonlyMap<string, MemoryObject> {
    return this.#objects.byName;
  }

  now(): number {
    return this.clock.now();
  }

  delay(ms: number): Promise<void> {
    return this.clock.delay(ms);
  }

  get network(): MemoryNetwork {
    return this.#objects.network;
  }

  object(workflow: { readonly name: string }, id: string): MemoryObject {
    return this.objectOf({ workflow: workflow.name, id });
  }

  objectOf({ workflow, id }: ExecutionName): MemoryObject {
    return this.#objects.object(workflow, id, () => createDeployment(this.#options));
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

  async listed() {
    return (await this.#directory.list({ order: "newest", attributes: {}, limit: 1_000 })).executions;
  }

  async loseDirectory(): Promise<void> {
    this.#directory.reports.clear();
  }

  async stored(workflow: AnyWorkflow, id: string, journal: JournalCommit): Promise<MemoryProbe> {
    const object = this.object(workflow, id);
    object.store(journal);
    return new MemoryProbe(id, object, this);
  }

  /** Other code is deployed, for every execution. */
  async deploy(options: DeploymentOptions): Promise<void> {
    this.#options = options;
    for (const object of this.objects.values()) object.deploy(createDeployment(options));
  }

  settle(): Promise<void> {
    return this.#objects.settle();
  }

  advance(ms: number): Promise<void> {
    return this.#objects.advanceTo(this.now() + ms);
  }

  runToEnd(): Promise<void> {
    return this.#objects.runToEnd();
  }

  nextAt(counts?: (object: MemoryObject) => boolean): number | undefined {
    return this.#objects.nextAt(counts);
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
    return await allFacts((request) => this.object.service.journal(request));
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

  async answer(url: string, value: unknown, key?: string): Promise<string> {
    const answer = await this.object.service.answerCallback(answerTo(url, value, key));
    await this.#host.settle();
    return verdictOf(answer);
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
