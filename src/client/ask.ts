import { RequestRefused } from "./errors.ts";
import type { Transport, Verbs } from "./transport.ts";

/** Tries of one request, the first included. */
const TRIES = 5;
const FIRST_DELAY_MS = 200;
/** Whoever asks for a longer delay is not asked again: the caller decides. */
const LONGEST_DELAY_MS = 60_000;

/** Within this time, and the wait that was asked for, an answer must be there. */
const ANSWER_MS = 30_000;

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
    const waitMs = waitMsOf(verb, until);
    try {
      return await within(waitMs + ANSWER_MS, signal, async (stopped) => {
        return await transport(verb, { ...request, waitMs, signal: stopped });
      });
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

/** What never comes. */
const nothing = () => new Promise<never>(() => {});

/** @throws the signal's reason as soon as it aborts */
export async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await within(ms, signal, nothing).catch(() => signal?.throwIfAborted());
}

/**
 * What the call gives within that time, unless the signal aborts before. It is told by a signal of its own to stop, and
 * left alone if it does not hear of that.
 */
async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  call: (stopped: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const stopped = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const stop = (reason: unknown) => {
    stopped.abort(reason);
    reject(reason);
  };
  const abort = () => stop(signal?.reason);
  const timer = setTimeout(() => stop(new Error(`There was no answer within ${ms} ms.`)), ms);
  signal?.addEventListener("abort", abort);
  try {
    return await Promise.race([call(stopped.signal), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
