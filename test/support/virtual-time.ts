import { vi } from "vitest";

/** How a promise has settled. */
export interface Settled<T> {
  readonly value?: T;
  readonly fault?: unknown;
  /** When, by the clock of the test. */
  readonly at: number;
}

/** Lets time pass, from timer to timer and without waiting for it, until the promise has settled. Needs fake timers. */
export async function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  const found: { outcome?: Settled<T> } = {};
  const outcome = promise.then(
    (value) => (found.outcome = { value, at: Date.now() }),
    (fault: unknown) => (found.outcome = { fault, at: Date.now() }),
  );
  for (let rounds = 0; found.outcome === undefined && rounds < 10_000; rounds += 1) {
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
    else await vi.advanceTimersByTimeAsync(0);
  }
  return await outcome;
}
