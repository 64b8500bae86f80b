import { readDuration } from "./duration.ts";
import { RetryableError, type RetryDelay } from "./errors.ts";
import { parseHttpDate } from "./http-date.ts";
import { readProperty } from "./read-property.ts";
import { showValue } from "./show-value.ts";

/** The last moment that a `Date` can hold. */
const LAST_MOMENT = 8.64e15;

/** Tells the refusal of a delay from any other TypeError of the author's code, also across copies of this package. */
const INVALID_DELAY = Symbol.for("stepwell.invalid-delay");

const RULE = "it must be milliseconds of at least 0, a duration, a Date, a Retry-After header or null";

/** When a failed attempt's error wants the next attempt. */
export type PrescribedRetry = { readonly kind: "none" } | { readonly kind: "at"; readonly at: number };

type ReadDelay = PrescribedRetry | { readonly kind: "after"; readonly ms: number };

/**
 * An error to throw inside a step: the next attempt starts no earlier than `delay`. It replaces the backoff for that
 * one retry, and the attempt counts. Beyond the deployment's bound (1 hour by default) the step is spent at once.
 *
 * @param delay A number is milliseconds, a string with a unit a `Duration`, a `Date` a moment, a string of digits or an
 * HTTP date a `Retry-After` header. `null` and an unreadable header prescribe nothing: the ordinary backoff.
 * @param cause What went wrong; its message becomes the error's.
 * @throws TypeError for what is no time at all, such as a negative number; the step does not retry it.
 * @example
 * ```ts
 * if (response.status === 429) throw retryAfter(response.headers.get("Retry-After"));
 * ```
 */
export function retryAfter(delay: RetryDelay, cause?: unknown): RetryableError {
  // Only the check and a length are taken from this reading, and neither depends on the time.
  const read = readDelay(delay, 0);
  const causeMessage = readProperty(cause, "message");
  const message =
    typeof causeMessage === "string" ? causeMessage : `Workflow Step asked to retry${showDelay(delay, read)}.`;
  return new RetryableError(message, { retryAfter: delay, ...(cause === undefined ? {} : { cause }) });
}

/**
 * Reads what a `RetryableError` prescribes, in any of the forms of {@link retryAfter}.
 *
 * @param now Unix milliseconds, where a delay starts; a moment before it is now.
 * @throws TypeError for what is no time at all; {@link isInvalidDelay} recognises it.
 */
export function prescribedRetryAt(delay: unknown, now: number): PrescribedRetry {
  if (delay === undefined) return { kind: "none" };
  const read = readDelay(delay, now);
  switch (read.kind) {
    case "none":
      return read;
    case "at":
      return { kind: "at", at: Math.max(now, read.at) };
    case "after":
      return { kind: "at", at: Math.min(now + read.ms, LAST_MOMENT) };
  }
}

/** True for the TypeError by which a delay was refused. */
export function isInvalidDelay(thrown: unknown): thrown is TypeError {
  return readProperty(thrown, INVALID_DELAY) === true;
}

function readDelay(delay: unknown, now: number): ReadDelay {
  if (delay === null) return { kind: "none" };
  if (typeof delay === "string") return readHeader(delay.trim(), now);
  if (typeof delay === "number" && delay >= 0 && delay < Infinity) return { kind: "after", ms: Math.ceil(delay) };
  if (delay instanceof Date && !Number.isNaN(delay.getTime())) return { kind: "at", at: delay.getTime() };
  throw invalidDelay(delay);
}

function readHeader(text: string, now: number): ReadDelay {
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : readDuration(text);
  if (ms !== undefined) return { kind: "after", ms: Math.min(ms, LAST_MOMENT) };
  const at = parseHttpDate(text, now);
  return at === undefined ? { kind: "none" } : { kind: "at", at };
}

function invalidDelay(delay: unknown): TypeError {
  const shown = delay instanceof Date ? "an invalid Date" : showValue(delay);
  const error = new TypeError(`Cannot use retryAfter as ${RULE}: current value is ${shown}`);
  return Object.defineProperty(error, INVALID_DELAY, { value: true });
}

function showDelay(delay: RetryDelay, read: ReadDelay): string {
  switch (read.kind) {
    case "none":
      return "";
    case "after":
      return ` after ${read.ms} ms`;
    case "at":
      return ` after ${delay instanceof Date ? delay.toISOString() : String(delay).trim()}`;
  }
}
