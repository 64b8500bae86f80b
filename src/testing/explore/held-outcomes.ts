import type { AttemptName } from "../../execution/ports.ts";
import { realDelay } from "../real-time.ts";
import type { ReadSchedule } from "./schedule.ts";

/** By how much a delayed outcome comes later, in real time. */
const DELAY_MS = 10;

interface Held {
  readonly name: string;
  readonly release: () => void;
}

/** Outcomes of steps that are held back until nothing else moves, and then come one at a time, in the order asked for. */
export class HeldOutcomes {
  /** The names of steps that had ended at once, by the moments at which they had. */
  readonly together: (readonly string[])[] = [];
  readonly #order: readonly string[] | undefined;
  readonly #delayed: ReadonlySet<string>;
  #held: readonly Held[] = [];

  constructor({ order, delayed }: Pick<ReadSchedule, "order" | "delayed">) {
    this.#order = order;
    this.#delayed = delayed;
  }

  /** Holds the outcome of an attempt, if the schedule says anything of it. */
  hold({ name }: AttemptName): Promise<void> | undefined {
    if (this.#order === undefined && !this.#delayed.has(name)) return undefined;
    return new Promise((release) => (this.#held = [...this.#held, { name, release }]));
  }

  /** Lets one of them come. False where none is held. */
  async releaseOne(): Promise<boolean> {
    const [first, ...others] = this.#held;
    if (first === undefined) return false;
    if (others.length > 0) this.together.push(this.#held.map(({ name }) => name));
    const next = others.reduce((best, held) => (this.#rank(held) < this.#rank(best) ? held : best), first);
    if (this.#delayed.has(next.name)) await realDelay(DELAY_MS);
    this.#held = this.#held.filter((held) => held !== next);
    next.release();
    return true;
  }

  #rank({ name }: Held): number {
    const place = this.#order?.indexOf(name) ?? -1;
    return place === -1 ? Number.MAX_SAFE_INTEGER : place;
  }
}
