import type { ExecutionName } from "../../../journal/execution-name.ts";
import type { Failure } from "../../../steps/failure.ts";
import type { SpanEnd } from "./history.ts";

/** A piece of a sentence. Times are shown as they stand to now, and counted down. */
export type Phrase =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "name"; readonly text: string; readonly op?: number | undefined }
  | { readonly kind: "time"; readonly at: number }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "execution"; readonly execution: ExecutionName };

export interface Sentence {
  readonly tone: "active" | "waiting" | "attention" | "good" | "bad" | "quiet";
  readonly phrases: readonly Phrase[];
  /** What else is going on at the same time, in sentences of their own. */
  readonly others: readonly (readonly Phrase[])[];
}

export const text = (words: string): Phrase => ({ kind: "text", text: words });
export const time = (at: number): Phrase => ({ kind: "time", at });
export const quote = (words: string): Phrase => ({ kind: "quote", text: words });

export function failureText({ name, message }: Failure): string {
  return message === "" ? name : `${name}: ${message}`;
}

/** How an attempt or a wait ended. */
export const SPAN_ENDS: Readonly<Record<SpanEnd, string>> = {
  done: "completed",
  failed: "failed",
  lost: "was lost with its object",
  withdrawn: "was withdrawn before it began",
  "timed-out": "timed out",
  cancelled: "was cancelled",
  abandoned: "was abandoned",
  refused: "was refused",
  forked: "was left to the original",
};
