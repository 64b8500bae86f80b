export interface DriveParts {
  /** Before the first round: leaves the turn of whoever called, unless that may be shared. */
  readonly enter: (sharesTurn: boolean) => Promise<void>;
  readonly goRound: () => Promise<void>;
  /** After a round in which nothing new came up. */
  readonly comeToRest: () => void;
  readonly ended: () => void;
  readonly failed: (error: unknown) => void;
}

/** Goes round as long as something comes up: one drive at a time, whoever asks for one meanwhile. */
export class Drive {
  readonly #parts: DriveParts;
  #isOn = false;
  #again = false;
  #isLook = false;

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
    const { enter, goRound, comeToRest, ended } = this.#parts;
    await enter(sharesTurn);
    do {
      this.#again = false;
      await goRound();
      if (!this.#again) comeToRest();
    } while (this.#again);
    this.#isOn = false;
    ended();
  }
}
