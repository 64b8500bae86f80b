import { RequestRefused } from "./errors.ts";
import type { Transport, Verbs } from "./transport.ts";

/** Tries of one request, the first included. */
const TRIES = 5;
const FIRST_DELAY_MS = 200;
/** Whoever asks for a longer delay is not asked again: the caller decides. */
const LONGEST_DELAY_MS = 60_000;

/** The longest wait that one request can ask for. */
const LONGEST_WAIT_MS = 60_000;
/** A wait of whole seconds must not lose one to the time that it took to ask for it. */
const TOLERANCE_MS = 100;

/** Nothing was wrong with the request itself: nobody has looked at it, or nobody can tell. */
const PASSING = [408, 425, 429, 502, 503, 504];

type Verb = keyof Verbs;

/** A request, and how long to wait for what it asks. */
type Asked<V extends Verb> = Omit<Verbs[V][0], "waitMs"> & {
  readonly until?: number;
  /** Later than this there is no further try. */
  readonly lastTryAt?: number;
};

/**
 * Asks until there is an answer: again after no answer at all, and after a refusal that may pass. The delay doubles from
 * 0.2 seconds, less up to half of it by chance, and is never shorter than the `Retry-After` that came.
 */
export async function ask<V extends Verb>(transport: Transport, verb: V, request: Asked<V>): Promise<Verbs[V][1]> {
  const { signal, until = 0, lastTryAt = Infinity } = request;
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      // The cast: the two differ by a field that it has and does not read.
      const answer = transport(verb, { ...request, waitMs: waitMsOf(verb, until) } as Verbs[V][0]);
      return await unlessAborted(answer, signal);
    } catch (fault) {
      // An earlier try may have deleted it, although its answer was lost.
      if (verb === "delete" && tries > 1 && RequestRefused.is(fault) && fault.status === 404) return undefined;
      const delayMs = delayAfter(fault, tries);
      if (delayMs === undefined || Date.now() + delayMs > lastTryAt) throw fault;
      await delay(delayMs, signal);
    }
  }
}

/** Whole seconds: of a result fewer than are left, as it can be asked for once more in what is left of one. */
function waitMsOf(verb: Verb, until: number): number {
  const leftMs = until - Date.now();
  const seconds = verb === "result" ? Math.floor((leftMs + TOLERANCE_MS) / 1_000) : Math.ceil(leftMs / 1_000);
  return Math.min(Math.max(seconds * 1_000, 0), LONGEST_WAIT_MS);
}

/** `undefined` where there is to be no further try. */
function delayAfter(fault: unknown, tries: number): number | undefined {
  const backoffMs = FIRST_DELAY_MS * 2 ** (tries - 1) * (1 - Math.random() / 2);
  if (tries === TRIES) return undefined;
  if (!RequestRefused.is(fault)) return backoffMs;
  const delayMs = Math.max(backoffMs, fault.retryAfterMs ?? 0);
  return PASSING.includes(fault.status) && delayMs <= LONGEST_DELAY_MS ? delayMs : undefined;
}

/** @throws the signal's reason as soon as it aborts */
export async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await unlessAborted(promise, signal).finally(() => clearTimeout(timer));
}

/** What is asked may not hear of the signal, or have no way to stop: then it is only waited for no longer. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  return await Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}
