import type { Asked, Encoded, Fact } from "./entry.ts";

/** Asked for and settled in one: what the code gets is made of the id whenever it is delivered. */
export interface CallbackCreated extends Fact<"callback-created">, Asked<"callback"> {
  /** Its id. The URL and its token stand in no entry: they are made from the id and a secret of the Worker. */
  readonly callback: string;
  /** When it takes an answer no more. */
  readonly dueAt?: number;
  /** The code gave a schema, which only a run of the code has. */
  readonly schema?: true;
}

/** The answer came, awaited or not. There is at most one for each callback. */
export interface CallbackAnswered extends Fact<"callback-answered"> {
  readonly callback: string;
  /** As the schema made it. */
  readonly value: Encoded;
  /** The sender's idempotency key. */
  readonly key?: string;
}

/** One call of `result()`. */
export interface CallbackAwaited extends Fact<"callback-awaited">, Asked<"callback-result"> {
  readonly callback: string;
}

/** A wait got the answer, which every other wait gets as well. */
export interface CallbackTaken extends Fact<"callback-taken"> {
  readonly op: number;
}

/** A wait learns that no answer came in time. */
export interface CallbackTimedOut extends Fact<"callback-timed-out"> {
  readonly op: number;
}

/** What is journaled of callbacks. */
export type CallbackEntry = CallbackCreated | CallbackAnswered | CallbackAwaited | CallbackTaken | CallbackTimedOut;
