import {
  createExecutionClass,
  surroundingsOf,
  type ExecutionObject,
} from "../../src/durable-object/execution-object.ts";
import { SqliteJournal } from "../../src/durable-object/sqlite-journal.ts";
import { createDeployment, type Deployment, type DeploymentOptions } from "../../src/execution/deployment.ts";
import type { Clock, Directory, Fetch } from "../../src/execution/ports.ts";
import type { ExecutionPort } from "../../src/execution/wire.ts";
import { forkExecution } from "../../src/execution/fork-execution.ts";
import type { AnyWorkflow } from "../../src/execution/workflow.ts";
import { hashText } from "../../src/journal/draw.ts";
import { nameText, type ExecutionName } from "../../src/journal/execution-name.ts";
import { canonicalText, encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { frameReader } from "../../src/worker/viewer-frames.ts";
import { registerObject } from "../workers/registry.ts";
import type { CopyJournal, CopyPage, CopyPlace, CopyRequest } from "../../src/execution/wire-fork.ts";
import type { JournalCommit } from "../../src/execution/ports.ts";
import { VIRTUAL_START, type ForkOptions, type Host, type HostOptions, type StartOptions } from "./host.ts";
import { LiveObject, objectOfCode } from "./live-object.ts";
import { ObjectProbe } from "./object-probe.ts";
import { ShardHost } from "./shard-host.ts";
import { portThrough } from "../../src/testing/port-through.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

let hosts = 0;

const ABSENT = { kind: "absent" } as const;

/** All pages of a copy. */
async function pagesOf(copy: CopyJournal, request: Pick<CopyRequest, "cut" | "startedAt">): Promise<CopyPage[]> {
  const { cut, startedAt } = request;
  const pages: CopyPage[] = [];
  let place: CopyPlace | null = { kind: "row", seq: 0 };
  while (place !== null) {
    const page = await copy({ cut, startedAt, place });
    if (page.kind === "absent") break;
    pages.push(page);
    place = page.next;
  }
  return pages;
}

/** The engine may take the functions of a clock out of it. */
function boundClock(clock: VirtualClock): Clock {
  return { now: () => clock.now(), timer: (at, callback) => clock.timer(at, callback) };
}

/** Executions in Durable Objects, in workerd. */
export class ObjectHost implements Host {
  readonly objects = new Map<string, LiveObject>();
  /** Where executions are told to. */
  readonly shard: ShardHost | undefined;
  readonly #number: number;
  readonly #clock = new VirtualClock(VIRTUAL_START);
  readonly #env: unknown;
  readonly #fetch: Fetch | undefined;
  #deployment: Deployment;
  #started = 0;
  /** Calls between objects that are under way. */
  #calls = 0;

  constructor({ env: bindings, fetch, directory, ...options }: HostOptions) {
    if (directory === true) this.shard = new ShardHost({ answer: (name) => this.#answerListed(name) });
    hosts += 1;
    this.#number = hosts;
    this.#env = bindings;
    this.#fetch = fetch;
    this.#deployment = createDeployment(options);
  }

  now(): number {
    return this.#clock.now();
  }

  async delay(ms: number): Promise<void> {
    await (objectOfCode.getStore()?.clock ?? this.#clock).delay(ms);
  }

  object(workflow: { readonly name: string }, id: string): LiveObject {
    return this.objectOf({ workflow: workflow.name, id });
  }

  get(workflow: AnyWorkflow, id: string): ObjectProbe {
    return new ObjectProbe(id, this.object(workflow, id), this);
  }

  objectOf(execution: ExecutionName): LiveObject {
    const name = `${this.#number}/${nameText(execution)}`;
    const known = this.objects.get(name);
    if (known !== undefined) return known;
    const object = new LiveObject(name, this.#deployment, new VirtualClock(this.now()));
    this.objects.set(name, object);
    registerObject(name, (ctx, bindings) => {
      object.watch(ctx);
      // The cast: a test's bindings are what its workflows expect.
      const given = (this.#env ?? bindings) as Cloudflare.Env;
      const surroundings = {
        ...surroundingsOf("EXECUTIONS"),
        clock: boundClock(object.clock),
        ...(this.#fetch && { fetch: this.#fetch }),
        executions: () => (to: ExecutionName) => this.#call(to, bindings),
        ...(this.shard && { directory: () => this.#tell(bindings, this.shard) }),
      };
      const made = new (createExecutionClass(object.deployment, surroundings, frameReader(object.deployment)))(
        ctx,
        given,
      );
      // Also what another object calls runs as code of this one.
      const port = portThrough((_, ask) => objectOfCode.run(object, () => ask(made)));
      const alarm: ExecutionObject["alarm"] = (info) => objectOfCode.run(object, () => made.alarm(info));
      // The cast: what the class behind the binding calls is all here.
      return { ...port, alarm, rowsWritten: () => made.rowsWritten() } as unknown as ExecutionObject;
    });
    return object;
  }

  /** Another object is reached by the binding, from within the one that calls; its name is the host's. */
  #call(to: ExecutionName, bindings: Cloudflare.Env): ExecutionPort {
    const { name } = this.objectOf(to);
    const { EXECUTIONS } = bindings;
    return portThrough(async (_, ask) => {
      this.#calls += 1;
      try {
        return await ask(EXECUTIONS.get(EXECUTIONS.idFromName(name)));
      } finally {
        this.#calls -= 1;
      }
    });
  }

  /** As an execution reaches the directory: by the binding, from within its object. */
  #tell(bindings: Cloudflare.Env, shard: ShardHost | undefined): Directory {
    const call = async (act: (stub: Directory) => Promise<void>) => {
      this.#calls += 1;
      try {
        if (shard !== undefined) await act(shard.stubIn(bindings));
      } finally {
        this.#calls -= 1;
      }
    };
    return {
      report: (report) => call((stub) => stub.report(report)),
      remove: (execution) => call((stub) => stub.remove(execution)),
    };
  }

  async #answerListed(name: ExecutionName) {
    return await this.objectOf(name).inside((execution) => execution.listed());
  }

  async listed() {
    return (await this.shard?.listed()) ?? [];
  }

  async loseDirectory(): Promise<void> {
    await this.shard?.inside((_, { storage }) => storage.deleteAll());
    await this.shard?.evict();
  }

  async start(workflow: AnyWorkflow, { id, input, ...terms }: StartOptions = {}): Promise<ObjectProbe> {
    this.#started += 1;
    const given = id ?? `e-${this.#started}`;
    const object = this.object(workflow, given);
    const request = {
      workflow: workflow.name,
      ...(workflow.version !== undefined && { version: workflow.version }),
      id: given,
      input: encodeValue(input, LIMITS.valueBytes),
      inputHash: hashText(canonicalText(input)),
      ...terms,
      waitMs: 0,
    };
    await object.inside((execution) => execution.start(request));
    await this.settle();
    return new ObjectProbe(given, object, this);
  }

  async fork(original: ObjectProbe, { id, before }: ForkOptions = {}): Promise<ObjectProbe | string> {
    this.#started += 1;
    const given = id ?? `e-${this.#started}`;
    const { workflow } = await original.view();
    const object = this.object({ name: workflow }, given);
    const forking = { workflow, of: original.id, id: given, ...(before !== undefined && { before }) };
    const answer = await forkExecution(
      {
        cut: (request) => original.object.inside((execution) => execution.cut(request)),
        copy: (request) => original.object.inside((execution) => execution.copy(request)),
      },
      {
        fork: async (request, copy) => {
          // Inside of one object no other can be asked: its pages are there before it begins.
          const pages = await pagesOf(copy, request);
          return await object.inside((execution) => execution.fork(request, async () => pages.shift() ?? ABSENT));
        },
      },
      forking,
    );
    await this.settle();
    if (answer.kind === "refused") return answer.code;
    return answer.kind === "absent" ? answer.kind : new ObjectProbe(given, object, this);
  }

  async stored(workflow: AnyWorkflow, id: string, journal: JournalCommit): Promise<ObjectProbe> {
    const object = this.object(workflow, id);
    await object.inside((_, { storage }) => new SqliteJournal(storage).write(journal));
    // The object that is there now has looked at its storage already.
    await object.evict();
    return new ObjectProbe(id, object, this);
  }

  /** Other code is deployed, for every execution. */
  async deploy(options: DeploymentOptions): Promise<void> {
    this.#deployment = createDeployment(options);
    for (const object of this.objects.values()) {
      object.deployment = this.#deployment;
      await object.evict();
    }
  }

  /** Waits until nothing can go on without the clock: no turn is open, and none begins in a round of the event loop. */
  async settle(): Promise<void> {
    for (let before = -1, turns = this.#turns(); before !== turns; before = turns, turns = this.#turns()) {
      do await scheduler.wait(0);
      while (this.#calls > 0 || [...this.objects.values()].some(({ openTurns }) => openTurns > 0));
    }
  }

  #turns(): number {
    let turns = 0;
    for (const object of this.objects.values()) turns += object.turns;
    return turns;
  }

  async advance(ms: number): Promise<void> {
    await this.#advanceTo(this.now() + ms);
  }

  async runToEnd(): Promise<void> {
    for (;;) {
      const next = this.#nextAt((object) => !object.hasEnded);
      if (next === undefined) return;
      await this.#advanceTo(Math.max(next, this.now()));
    }
  }

  async #advanceTo(at: number): Promise<void> {
    for (let next = this.#nextAt(); next !== undefined && next <= at; next = this.#nextAt()) {
      this.#moveTo(next);
      await this.#fire();
    }
    this.#moveTo(at);
    await this.settle();
  }

  #moveTo(at: number): void {
    this.#clock.moveTo(at);
    for (const object of this.objects.values()) object.clock.moveTo(at);
  }

  async #fire(): Promise<void> {
    this.#clock.fireDue();
    for (const object of this.objects.values()) {
      const { nextAt } = object.clock;
      if (nextAt !== undefined && nextAt <= this.now()) await object.inside(() => object.clock.fireDue());
    }
    await this.settle();
    for (const object of this.objects.values()) {
      if (object.isRinging || object.alarmAt === undefined || object.alarmAt > this.now()) continue;
      await object.ring();
      await this.settle();
    }
  }

  #nextAt(counts: (object: LiveObject) => boolean = () => true): number | undefined {
    const times = [this.#clock.nextAt];
    for (const object of this.objects.values()) {
      times.push(object.clock.nextAt);
      if (!object.isRinging && counts(object)) times.push(object.alarmAt);
    }
    const known = times.filter((time): time is number => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }
}
