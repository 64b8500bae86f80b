import type { Clock } from "../execution/ports.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that moves only when it is told to. */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #timers = new Set<Timer>();
  #delays = 0;

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  timer(at: number, callback: () => void): () => void {
    this.#order += 1;
    const timer = { at, order: this.#order, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** A promise that resolves so many milliseconds from now: the work of a step. */
  async delay(ms: number): Promise<void> {
    this.#delays += 1;
    await new Promise<void>((resolve) => this.timer(this.#now + ms, resolve));
    this.#delays -= 1;
  }

  /** Delays that are still running. */
  get delays(): number {
    return this.#delays;
  }

  get nextAt(): number | undefined {
    return this.#next()?.at;
  }

  moveTo(at: number): void {
    this.#now = Math.max(this.#now, at);
  }

  /** Calls the timers that are due back, one after the other. Tells how many they were. */
  fireDue(): number {
    let fired = 0;
    while (this.fireOne()) fired += 1;
    return fired;
  }

  /** Calls the first timer that is due back. False where none is. */
  fireOne(): boolean {
    const next = this.#next();
    if (next === undefined || next.at > this.#now) return false;
    this.#timers.delete(next);
    next.callback();
    return true;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}
