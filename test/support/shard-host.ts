import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createDirectoryClass } from "../../src/durable-object/directory-object.ts";
import type { ExecutionPort } from "../../src/execution/wire.ts";
import type { ListRequest, Report } from "../../src/execution/wire-directory.ts";
import type { ExecutionName } from "../../src/journal/execution-name.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { registerDirectory } from "../workers/registry.ts";
import type { Directory } from "../workers/worker.ts";
import { VIRTUAL_START } from "./host.ts";

/** More than any of these tests has. */
const SHARDS = 4;

let hosts = 0;

/** What executions answer when the directory asks them. */
export type AnswerListed = (name: ExecutionName) => ReturnType<ExecutionPort["listed"]>;

export interface ShardOptions {
  readonly shards?: number;
  readonly answer?: AnswerListed;
}

/** The shards of one directory, with a clock that tests move. Alarms ring by hand alone. */
export class ShardHost {
  readonly clock = new VirtualClock(VIRTUAL_START);
  readonly #prefix: string;
  answer: AnswerListed;

  constructor({ answer }: ShardOptions = {}) {
    hosts += 1;
    this.#prefix = `shards-${hosts}`;
    this.answer = answer ?? (async () => ({ kind: "absent" }));
    this.#register(1);
  }

  static async open(options: ShardOptions = {}): Promise<ShardHost> {
    const host = new ShardHost(options);
    if (options.shards !== undefined) await host.deploy(options.shards);
    return host;
  }

  /** Code with so many shards: those in memory begin anew. */
  async deploy(shards: number): Promise<void> {
    this.#register(shards);
    for (let shard = 0; shard < SHARDS; shard += 1) await this.evict(shard);
  }

  #register(shards: number): void {
    const { clock } = this;
    const bindings = {
      DIRECTORY: {
        idFromName: (name: string) => this.#idOf(name),
        get: (id: DurableObjectId) => env.DIRECTORY.get(id),
      },
    };
    const surroundings = {
      clock: { now: () => clock.now(), timer: () => () => {} },
      // The cast: the directory asks nothing else.
      executions: () => (name: ExecutionName) => ({ listed: () => this.answer(name) }) as unknown as ExecutionPort,
      place: { binding: "DIRECTORY", shards },
    };
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const Made = createDirectoryClass(surroundings);
      registerDirectory(`${this.#prefix}/directory-${shard}`, (ctx, bound) => {
        return new Made(ctx, { ...bound, ...bindings } as unknown as Cloudflare.Env);
      });
    }
  }

  #idOf(name: string): DurableObjectId {
    return env.DIRECTORY.idFromName(`${this.#prefix}/${name}`);
  }

  stub(shard = 0): DurableObjectStub<Directory> {
    return env.DIRECTORY.get(this.#idOf(`directory-${shard}`));
  }

  /** As another object reaches the only shard. */
  stubIn({ DIRECTORY }: Cloudflare.Env): DurableObjectStub<Directory> {
    return DIRECTORY.get(DIRECTORY.idFromName(`${this.#prefix}/directory-0`));
  }

  async inside<R>(act: (object: Directory, state: DurableObjectState) => R | Promise<R>, shard = 0): Promise<R> {
    return await runInDurableObject<Directory, R>(this.stub(shard), act);
  }

  async told(report: Report, shard = 0): Promise<void> {
    await this.inside((object) => object.report(report), shard);
  }

  async rowsWritten(): Promise<number> {
    return await this.inside((object) => object.rowsWritten());
  }

  async rowsOf(report: Report): Promise<number> {
    const before = await this.rowsWritten();
    await this.told(report);
    return (await this.rowsWritten()) - before;
  }

  async page(request: Partial<ListRequest> = {}, shard = 0) {
    const all = { order: "newest", attributes: {}, limit: 100 } as const;
    return await this.inside((object) => object.list({ ...all, ...request }), shard);
  }

  async listed(request: Partial<ListRequest> = {}, shard = 0) {
    return (await this.page(request, shard)).executions;
  }

  async counts() {
    return await this.inside((object) => object.counts());
  }

  async alarm(shard = 0): Promise<number | null> {
    return await this.inside((_, { storage }) => storage.getAlarm(), shard);
  }

  async evict(shard = 0): Promise<void> {
    try {
      await evictDurableObject(this.stub(shard));
    } catch (error) {
      // It is out of memory already.
      if (!String(error).includes("not currently running")) throw error;
    }
  }

  /** Rings the alarm, if there is one. */
  async ring(shard = 0): Promise<boolean> {
    return await runDurableObjectAlarm(this.stub(shard));
  }
}
