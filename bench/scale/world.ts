import type { ExecutionPort } from "../../src/execution/wire.ts";
import { shardedDirectory } from "../../src/execution/sharded-directory.ts";
import type { DirectoryPort, Incarnation, Report } from "../../src/execution/wire-directory.ts";
import type { ExecutionName } from "../../src/journal/execution-name.ts";
import { LIMITS } from "../../src/limits.ts";
import type { Draw } from "../../test/support/seeded-draw.ts";
import type { Tally } from "./figures.ts";
import { Shard } from "./shard.ts";
import { Timeline } from "./timeline.ts";

export interface WorldOptions {
  readonly startAt: number;
  readonly shards: number;
  readonly requestMs: number;
  /** By how much an alarm is late at most. */
  readonly latenessMs: number;
  readonly draw: Draw;
  readonly tick: (now: number) => void;
  readonly listed: (name: ExecutionName) => ReturnType<ExecutionPort["listed"]>;
}

/** From one object to another. */
const HOP_MS = 5;

/** Where simulated executions live: the clock, and the directory with a queue before each shard. */
export class World {
  readonly timeline: Timeline;
  readonly startAt: number;
  readonly shards: readonly Shard[];
  readonly directory: DirectoryPort;
  readonly tally: Tally = {
    started: 0,
    woken: 0,
    known: 0,
    purged: 0,
    told: 0,
    untold: 0,
    removals: 0,
    unremoved: 0,
    asked: 0,
    entriesOfReports: 0,
    alarms: 0,
  };
  /** How much later than its end each execution is known to have ended, in ms. */
  readonly lags: number[] = [];
  readonly #options: WorldOptions;
  readonly #texts = new Map<string, string>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.startAt = options.startAt;
    this.timeline = new Timeline(options.startAt, options.tick);
    this.directory = shardedDirectory(options.shards, (shard) => this.shard(shard));
    this.shards = Array.from({ length: options.shards }, (_, shard) => this.#makeShard(shard));
  }

  shard(number: number): Shard {
    const shard = this.shards[number];
    if (shard === undefined) throw new Error(`There is no shard ${number}.`);
    return shard;
  }

  /** One text for all that are equal. */
  shared(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  after(ms: number, act: () => void): void {
    this.timeline.at(this.timeline.now() + ms, act);
  }

  ring(at: number, act: () => void): void {
    this.timeline.at(at + this.#options.draw(0, this.#options.latenessMs), act);
  }

  tell(shard: number, report: Report, answered: (isTold: boolean) => void): void {
    const home = this.shard(shard);
    const { endedAt } = report;
    this.tally.told += 1;
    const act = async () => {
      await home.report(report);
      if (endedAt !== undefined) this.lags.push(this.timeline.now() - endedAt);
    };
    this.#call(home, act, (isTold) => {
      if (!isTold) this.tally.untold += 1;
      answered(isTold);
    });
  }

  remove(shard: number, execution: Incarnation, answered: (isTold: boolean) => void): void {
    const home = this.shard(shard);
    this.tally.removals += 1;
    this.#call(
      home,
      () => home.remove(execution),
      (isTold) => {
        if (!isTold) this.tally.unremoved += 1;
        answered(isTold);
      },
    );
  }

  close(): void {
    for (const { storage } of this.shards) storage.close();
  }

  /** What is not refused is done, though perhaps too late for an answer. */
  #call(home: Shard, act: () => Promise<void>, answered: (isTold: boolean) => void): void {
    const { timeline } = this;
    const deadlineAt = timeline.now() + LIMITS.reportMs;
    this.after(HOP_MS, () => {
      const doneAt = home.queue();
      if (doneAt === undefined) return this.after(HOP_MS, () => answered(false));
      const isInTime = doneAt + HOP_MS <= deadlineAt;
      timeline.at(doneAt, act);
      timeline.at(isInTime ? doneAt + HOP_MS : deadlineAt, () => answered(isInTime));
    });
  }

  #makeShard(shard: number): Shard {
    const { requestMs, shards, listed } = this.#options;
    return new Shard({
      timeline: this.timeline,
      requestMs,
      // The cast: the sweep asks nothing else.
      executions: (name) => ({ listed: () => listed(name) }) as unknown as ExecutionPort,
      directory: this.directory,
      shards,
      shard,
    });
  }
}
