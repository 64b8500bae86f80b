import type { Asked, Encoded, Fact } from "./entry.ts";

export interface TimerSet extends Fact<"timer-set">, Asked<"sleep"> {
  readonly dueAt: number;
}

export interface TimerFired extends Fact<"timer-fired"> {
  readonly op: number;
}

export interface SignalReceived extends Fact<"signal-received"> {
  readonly name: string;
  readonly value: Encoded;
  /** Size of the value: what the bound of unread signals counts. */
  readonly bytes: number;
  /** The sender's idempotency key. */
  readonly key?: string;
}

export interface SignalAwaited extends Fact<"signal-awaited">, Asked<"signal"> {
  /** The signal's name; `name` carries the occurrence. */
  readonly signal: string;
  readonly dueAt?: number;
}

export interface SignalTaken extends Fact<"signal-taken"> {
  readonly op: number;
  /** The number of the `signal-received` entry. */
  readonly received: number;
}

/**
 * A wait took a signal, and when it was delivered nobody listened any more: the wait had lost a race that nothing in the
 * journal shows. The signal is unread again, in its old place.
 */
export interface SignalReturned extends Fact<"signal-returned"> {
  readonly op: number;
  /** The number of the `signal-received` entry. */
  readonly received: number;
}

export interface SignalTimedOut extends Fact<"signal-timed-out"> {
  readonly op: number;
}

/** What is journaled of sleeps and signals. */
export type WaitEntry =
  | TimerSet
  | TimerFired
  | SignalReceived
  | SignalAwaited
  | SignalTaken
  | SignalReturned
  | SignalTimedOut;
