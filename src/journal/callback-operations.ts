import type { Encoded } from "./entry.ts";
import type { Closed } from "./state.ts";

/** A callback: settled as soon as it is asked for, and open to one answer from then on. */
export interface CallbackOperation {
  readonly kind: "callback";
  readonly op: number;
  readonly name: string;
  /** Its id. */
  readonly callback: string;
  readonly dueAt: number | undefined;
  readonly hasSchema: boolean;
  readonly phase: "settled";
  answer: { readonly value: Encoded; readonly key: string | undefined; readonly at: number } | undefined;
  /** The code was told that no answer came in time. */
  isExpired: boolean;
}

/** A wait for the answer to a callback. */
export interface CallbackResultOperation {
  readonly kind: "callback-result";
  readonly op: number;
  readonly name: string;
  readonly callback: string;
  /** The callback's own: its time counts from its creation. */
  readonly dueAt: number | undefined;
  phase: "open" | "settled" | Closed;
}
