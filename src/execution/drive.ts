import type { Journal } from "./journal.ts";
import type { Turn } from "./ports.ts";
import type { WakeAlarm } from "./wake-alarm.ts";

/** How a round of the drive ended: an attempt may go on in the turn in which it was started. */
export type Round = "over" | "attempt-goes-on";

export interface DriveParts {
  readonly turn: Turn;
  readonly journal: Journal;
  readonly alarm: WakeAlarm;
  /** Makes everything durable that was appended, with the lease. */
  readonly write: () => void;
  readonly goRound: () => Promise<Round>;
  /** After a round in which nothing new came up. */
  readonly comeToRest: () => void;
  readonly ended: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Goes round as long as something comes up: one drive at a time, whoever asks for one meanwhile.
 *
 * Before a burst runs code of the author's its lease is durable, so that the work is found again if that code kills the
 * object (invariant 5 of `Execution`). It is waited for when there is such code to run: where that is an attempt that
 * was due, the wait makes its start durable, too, and what the attempt sends is held back by nothing more.
 */
export class Drive {
  readonly #parts: DriveParts;
  #isOn = false;
  #again = false;
  #isLook = false;
  #isSecured = false;

  constructor(parts: DriveParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Nothing is known to be due, so the object needs no lease before something is. */
  get isLook(): boolean {
    return this.#isLook;
  }

  /** Goes on, or once more round. `shared` is a burst that may begin in the turn of whoever called. */
  start(how: "burst" | "shared" | "look"): void {
    this.#again = true;
    if (how !== "look") this.#isLook = false;
    if (this.#isOn) return;
    this.#isOn = true;
    this.#isLook = how === "look";
    this.#goOn(how === "shared").catch((error: unknown) => {
      this.#isOn = false;
      this.#parts.failed(error);
    });
  }

  async #goOn(sharesTurn: boolean): Promise<void> {
    const { goRound, comeToRest, ended, turn } = this.#parts;
    await this.#enter(sharesTurn);
    do {
      this.#again = false;
      const round = await goRound();
      if (!this.#again) comeToRest();
      // Whatever came up is no matter of this turn.
      if (this.#again && round === "attempt-goes-on") await turn.end();
    } while (this.#again);
    this.#isOn = false;
    ended();
  }

  /** Leaves the turn of whoever called, unless that may be shared. What came in is written in it. */
  async #enter(sharesTurn: boolean): Promise<void> {
    const { journal, alarm, turn, write } = this.#parts;
    // A start has its lease in one commit with its first entries, and a look needs none before something is due.
    const isStart = journal.state.entries === 1 && journal.isPending;
    if (this.#isLook || isStart) {
      this.#isSecured = true;
    } else if (alarm.isLeased) {
      if (!sharesTurn) await turn.end();
    } else if (journal.isPending) {
      write();
      await this.#wait();
    } else {
      this.#isSecured = false;
      await turn.end();
    }
  }

  /** To be awaited before code of the author's runs; `undefined` where there is nothing left to wait for. */
  secure(): Promise<void> | undefined {
    if (this.#isSecured) return undefined;
    this.#parts.alarm.lease();
    return this.#wait();
  }

  async #wait(): Promise<void> {
    await this.#parts.turn.durable();
    this.#isSecured = true;
  }
}
