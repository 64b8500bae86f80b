import type { Clock } from "./ports.ts";

/** Watches the clock while work is in memory; the alarm only stands by for a death then. */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #due: () => void;
  #withdraw: () => void = () => {};

  constructor(clock: Clock, due: () => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Calls back at the earliest of these times that is still to come, and at no other. */
  watch(times: readonly (number | undefined)[]): void {
    this.stop();
    const now = this.#clock.now();
    const ahead = times.filter((time): time is number => time !== undefined && time > now);
    if (ahead.length > 0) this.#withdraw = this.#clock.timer(Math.min(...ahead), this.#due);
  }

  stop(): void {
    this.#withdraw();
    this.#withdraw = () => {};
  }
}
