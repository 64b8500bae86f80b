import { LIMITS } from "../limits.ts";
import type { Clock } from "./ports.ts";

/** Counts what one viewer sends, in windows of time. */
export class FrameRate {
  readonly #clock: Clock;
  #since = 0;
  #frames = 0;
  #commands = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False where so many came that the viewer is not worth an answer. */
  countFrame(): boolean {
    const now = this.#clock.now();
    if (now >= this.#since + LIMITS.frameWindowMs) {
      this.#since = now;
      this.#frames = 0;
      this.#commands = 0;
    }
    this.#frames += 1;
    return this.#frames <= LIMITS.framesPerWindow;
  }

  get mayCommand(): boolean {
    return this.#commands < LIMITS.commandsPerWindow;
  }

  countCommand(): void {
    this.#commands += 1;
  }
}
