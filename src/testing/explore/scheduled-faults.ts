import type { MemoryObject } from "../memory-object.ts";
import { endTurn } from "../turn-end.ts";
import type { ReadSchedule } from "./schedule.ts";

/** Lets objects die and lose their memory where a schedule says so, and counts commits and turns. */
export class ScheduledFaults {
  readonly #schedule: ReadSchedule;
  /** Commits that are not durable yet, with their objects. */
  #written: readonly { readonly commit: number; readonly object: MemoryObject }[] = [];
  readonly #deaths = new Map<MemoryObject, number>();
  commits = 0;
  turns = 0;

  constructor(schedule: ReadSchedule) {
    this.#schedule = schedule;
  }

  /** How often an object lost its memory. */
  deathsOf(object: MemoryObject): number {
    return this.#deaths.get(object) ?? 0;
  }

  readonly beforeCommit = (object: MemoryObject): void => {
    this.commits += 1;
    if (this.#schedule.crashBefore.has(this.commits)) {
      this.#countDeath(object);
      object.kill();
    } else {
      this.#written = [...this.#written, { commit: this.commits, object }];
    }
  };

  readonly afterWrites = (object: MemoryObject): void => {
    const durable = this.#written.filter((written) => written.object === object);
    this.#written = this.#written.filter((written) => written.object !== object);
    if (!durable.some(({ commit }) => this.#schedule.crashAfter.has(commit))) return;
    this.#countDeath(object);
    object.evict();
  };

  readonly endTurn = async (object: MemoryObject): Promise<void> => {
    this.turns += 1;
    const isLast = this.#schedule.evictAt.has(this.turns);
    await endTurn();
    if (!isLast) return;
    this.#countDeath(object);
    object.evict();
  };

  #countDeath(object: MemoryObject): void {
    this.#written = this.#written.filter((written) => written.object !== object);
    this.#deaths.set(object, this.deathsOf(object) + 1);
  }
}
