import { ask, delay } from "./ask.ts";
import type { AnyOutcome, Look, Transport } from "./transport.ts";

/** Where an answer comes sooner than it was asked to, the next question waits as long. */
const PAUSE_MS = 1_000;

export interface Poll extends Look {
  readonly until: number;
  readonly lastTryAt?: number;
}

/** Asks until the execution has ended, each time with as long a wait as a request can have; `undefined` if it has not. */
export async function pollOutcome(transport: Transport, poll: Poll): Promise<AnyOutcome | undefined> {
  for (;;) {
    const askedAt = Date.now();
    const outcome = await ask(transport, "result", poll);
    const now = Date.now();
    if (outcome !== undefined || now >= poll.until) return outcome;
    // What is left of a second is waited out here.
    if (now - askedAt < PAUSE_MS) await delay(Math.min(PAUSE_MS, poll.until - now), poll.signal);
  }
}
