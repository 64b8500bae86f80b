/**
 * The ends of a host's turns, at which requests can come: the code has run, and the engine has not gone on yet. A host
 * takes its `end` as `endTurn`.
 */
export class TurnEnds {
  #awaited: { readonly isNow: () => boolean; readonly act: () => Promise<unknown> } | undefined;

  /** Does this once: at the end of the first turn in which something is so. */
  when(isNow: () => boolean, act: () => Promise<unknown>): void {
    this.#awaited = { isNow, act };
  }

  /** Nothing is awaited any more: what was has come. */
  get hasCome(): boolean {
    return this.#awaited === undefined;
  }

  readonly end = async (): Promise<void> => {
    await nextEvent();
    const { isNow, act } = this.#awaited ?? {};
    if (isNow?.() !== true) return;
    this.#awaited = undefined;
    // A request is an event of its own.
    void act?.();
    await nextEvent();
  };
}

async function nextEvent(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
