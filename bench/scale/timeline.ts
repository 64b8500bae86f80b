import type { Clock } from "../../src/execution/ports.ts";

type Act = () => void | Promise<void>;

interface Event {
  readonly at: number;
  readonly order: number;
  readonly act: Act;
}

const EVENTS_A_TICK = 100_000;

/** A virtual clock for millions of events: a heap, where the clock of the tests looks through all of its timers. */
export class Timeline implements Clock {
  readonly #heap: Event[] = [];
  #order = 0;
  #now: number;

  readonly #tick: (now: number) => void;
  #happened = 0;

  /** `tick` hears of the time now and then. */
  constructor(now: number, tick: (now: number) => void) {
    this.#now = now;
    this.#tick = tick;
  }

  now(): number {
    return this.#now;
  }

  /** What is due now, or was, happens next. Those of one time happen in the order in which they were asked for. */
  at(at: number, act: Act): void {
    this.#order += 1;
    this.#rise({ at: Math.max(at, this.#now), order: this.#order, act });
  }

  timer(at: number, callback: () => void): () => void {
    let isWithdrawn = false;
    this.at(at, () => {
      if (!isWithdrawn) callback();
    });
    return () => (isWithdrawn = true);
  }

  /** Lets everything happen that is due until then, in order. */
  async runUntil(at: number): Promise<void> {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined || first.at > at) break;
      this.#takeFirst();
      this.#now = first.at;
      this.#happened += 1;
      if (this.#happened % EVENTS_A_TICK === 0) this.#tick(first.at);
      const pending = first.act();
      if (pending !== undefined) await pending;
    }
    this.#now = Math.max(this.#now, at);
  }

  #rise(event: Event): void {
    const heap = this.#heap;
    let place = heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, event)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = event;
  }

  #takeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const isRight = right !== undefined && left !== undefined && isBefore(right, left);
      const next = isRight ? right : left;
      if (next === undefined || isBefore(last, next)) break;
      heap[place] = next;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at === b.at ? a.order < b.order : a.at < b.at;
}
