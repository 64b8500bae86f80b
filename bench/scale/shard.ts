import { listRows } from "../../src/durable-object/directory-list.ts";
import { DirectorySweep } from "../../src/durable-object/directory-sweep.ts";
import { DirectoryTable } from "../../src/durable-object/directory-table.ts";
import type { Executions } from "../../src/execution/ports.ts";
import type { DirectoryPort, Incarnation, ListRequest, Report } from "../../src/execution/wire-directory.ts";
import { LIMITS } from "../../src/limits.ts";
import { NodeStorage } from "./node-storage.ts";
import type { Timeline } from "./timeline.ts";

export interface ShardParts {
  readonly timeline: Timeline;
  /** How long a request to it occupies it. */
  readonly requestMs: number;
  readonly executions: Executions;
  readonly directory: DirectoryPort;
  readonly shards: number;
  readonly shard: number;
}

/** What a shard was asked for. */
export interface ShardLoad {
  requests: number;
  /** In the second with most of them. */
  busiestSecond: number;
  /** Between the arrival of a request and its end. */
  longestWaitMs: number;
  sweeps: number;
  /** Of all sweeps, in real time. */
  sweepMs: number;
  longestSweepMs: number;
  /** Of all reports and removals, in real time. */
  writeMs: number;
}

/** The platform refuses requests to an object that has more to do than this. */
const PATIENCE_MS = LIMITS.reportMs;

/**
 * One shard of the directory: its table, its lists and its sweep are the engine's own. Requests come to it one after the
 * other, each of which occupies it for as long as the platform's limit of requests a second says.
 */
export class Shard implements DirectoryPort {
  readonly #parts: ShardParts;
  readonly storage: NodeStorage;
  readonly table: DirectoryTable;
  readonly #sweep: DirectorySweep;
  #freeAt = 0;
  #second = 0;
  #inSecond = 0;
  readonly load: ShardLoad = {
    requests: 0,
    busiestSecond: 0,
    longestWaitMs: 0,
    sweeps: 0,
    sweepMs: 0,
    longestSweepMs: 0,
    writeMs: 0,
  };

  constructor(parts: ShardParts) {
    this.#parts = parts;
    const { timeline } = parts;
    this.storage = new NodeStorage((at) => timeline.at(at, () => this.#wake()));
    const storage = this.storage.asStorage;
    this.table = new DirectoryTable(storage, () => timeline.now());
    this.#sweep = new DirectorySweep({ ...parts, storage, table: this.table, clock: timeline });
  }

  /** When a request that arrives now has been served; `undefined` where too many wait already, and it is refused. */
  queue(): number | undefined {
    const { timeline, requestMs } = this.#parts;
    const { load } = this;
    const now = timeline.now();
    const second = Math.floor(now / 1_000);
    this.#inSecond = second === this.#second ? this.#inSecond + 1 : 1;
    this.#second = second;
    load.busiestSecond = Math.max(load.busiestSecond, this.#inSecond);
    if (this.#freeAt - now > PATIENCE_MS) return undefined;
    load.requests += 1;
    this.#freeAt = Math.max(this.#freeAt, now) + requestMs;
    load.longestWaitMs = Math.max(load.longestWaitMs, this.#freeAt - now);
    return this.#freeAt;
  }

  async report(report: Report): Promise<void> {
    const startedAt = performance.now();
    this.table.put(report);
    this.load.writeMs += performance.now() - startedAt;
    await this.#sweep.arm();
  }

  async remove(execution: Incarnation): Promise<void> {
    const startedAt = performance.now();
    this.table.remove(execution);
    this.load.writeMs += performance.now() - startedAt;
  }

  async list(request: ListRequest) {
    return listRows(this.storage.asStorage.sql, request);
  }

  async counts() {
    return this.table.counts();
  }

  async #wake(): Promise<void> {
    this.storage.rang();
    const startedAt = performance.now();
    await this.#sweep.wake();
    const ms = performance.now() - startedAt;
    this.load.sweeps += 1;
    this.load.sweepMs += ms;
    this.load.longestSweepMs = Math.max(this.load.longestSweepMs, ms);
  }
}
