import type { Clock, Executions } from "../execution/ports.ts";
import type { DirectoryPort, Report } from "../execution/wire-directory.ts";
import { LIMITS } from "../limits.ts";
import { doubtedRows, foreignRows } from "./directory-doubts.ts";
import type { DirectoryTable, Known } from "./directory-table.ts";

export interface SweepParts {
  readonly storage: DurableObjectStorage;
  readonly table: DirectoryTable;
  readonly clock: Clock;
  readonly executions: Executions;
  /** The whole of which this is a shard. */
  readonly directory: DirectoryPort;
  readonly shards: number;
  /** Which of them this one is; -1 where there are fewer now. */
  readonly shard: number;
}

/**
 * Looks every hour for what a shard may know wrongly, and asks: executions that run and have told nothing for an hour,
 * others that have not ended for a day, and ended ones that should have been purged. The question is a touch, which heals
 * the execution too. What belongs to another shard is handed over.
 */
export class DirectorySweep {
  readonly #parts: SweepParts;
  #isArmed = false;

  constructor(parts: SweepParts) {
    this.#parts = parts;
  }

  /** There is something to be looked at in an hour. */
  async arm(): Promise<void> {
    const { storage, clock, table } = this.#parts;
    if (this.#isArmed || table.isEmpty) return;
    this.#isArmed = true;
    if ((await storage.getAlarm()) === null) await storage.setAlarm(clock.now() + LIMITS.sweepMs);
  }

  /** A fault is logged, as an alarm whose handler throws is given up after some tries. */
  async wake(): Promise<void> {
    const { storage, clock, table } = this.#parts;
    let isDone = true;
    try {
      isDone = await this.#sweep();
    } catch (error) {
      console.error("The directory could not look after what it knows; it tries again in an hour.", error);
    }
    if (table.hasRows) await storage.setAlarm(clock.now() + (isDone ? LIMITS.sweepMs : 1));
    else this.#isArmed = false;
  }

  /** False where more is left than one wake may ask. */
  async #sweep(): Promise<boolean> {
    const { storage, clock, table } = this.#parts;
    if (table.isEmpty) return true;
    const doubted = doubtedRows(storage.sql, clock.now());
    await inGroups(doubted, (known) => this.#ask(known));
    const foreign = foreignRows(storage.sql, this.#parts);
    await inGroups(foreign, (report) => this.#handOver(report));
    return foreign.length + doubted.length < LIMITS.sweepAsks;
  }

  async #handOver(report: Report): Promise<void> {
    const { table, directory } = this.#parts;
    await directory.report(report);
    table.drop(report);
  }

  async #ask(known: Known): Promise<void> {
    const { table, executions } = this.#parts;
    try {
      const answer = await executions(known).listed();
      if (answer.kind === "absent") return table.drop(known);
      table.put(answer.report);
      table.confirm(answer.report);
    } catch (error) {
      console.error(`Execution ${known.workflow}/${known.id} did not answer the directory.`, error);
      // It is asked again when it is doubted next: one that never answers must not keep others from being asked.
      table.confirm(known);
    }
  }
}

async function inGroups<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  for (let index = 0; index < all.length; index += LIMITS.sweepAsksAtOnce) {
    await Promise.all(all.slice(index, index + LIMITS.sweepAsksAtOnce).map(act));
  }
}
