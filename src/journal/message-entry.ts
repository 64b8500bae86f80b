import type { Failure } from "../steps/failure.ts";
import type { Asked, Encoded, Fact } from "./entry.ts";
import type { ExecutionName } from "./execution-name.ts";

/** What the code sends to another execution. */
export type Message =
  | { readonly kind: "signal"; readonly signal: string; readonly value: Encoded }
  | { readonly kind: "cancel"; readonly reason?: string };

/** The code sends another execution a signal, or cancels it. */
export interface MessageRequested extends Fact<"message-requested">, Asked<"message">, ExecutionName {
  readonly message: Message;
}

export interface MessageAccepted extends Fact<"message-accepted"> {
  readonly op: number;
}

export interface MessageRefused extends Fact<"message-refused"> {
  readonly op: number;
  readonly code: string;
  readonly message: string;
}

/**
 * What is sent to other executions: a start, the question whether one has ended, a message of the code, the
 * cancellation of a child, and one's own end to those who wait for it.
 */
export type DeliveryKind = "start" | "watch" | "message" | "cancel" | "tell";

/** The other execution could not be reached, or gave no answer. It is tried again. */
export interface DeliveryFailed extends Fact<"delivery-failed">, ExecutionName {
  readonly what: DeliveryKind;
  /** The operation that it is for; an end is told for none. */
  readonly op?: number;
  /** Failures in a row. */
  readonly attempt: number;
  readonly failure: Failure;
  readonly retryAt: number;
}

/** Another execution waits for the end of this one, and will be told. A parent needs not ask. */
export interface Watched extends Fact<"watched"> {
  readonly by: ExecutionName;
}

/** These know of the end, or do not exist any more. */
export interface WatchersTold extends Fact<"watchers-told"> {
  readonly watchers: readonly ExecutionName[];
}

/** What is journaled of messages between executions. */
export type MessageEntry =
  | MessageRequested
  | MessageAccepted
  | MessageRefused
  | DeliveryFailed
  | Watched
  | WatchersTold;
