/** What is said between the two objects of a fork and whoever stands between them. */
import type { BlobPart, JournalRow } from "./ports.ts";
import type { Absent, ExecutionView } from "./wire.ts";

export interface CutRequest {
  /** The name of a step, or the number of an entry; absent: the end. */
  readonly before?: string | number;
}

/** As the decision of `decideCut`. */
export interface CutAnswer {
  readonly kind: "cut";
  readonly entry: number;
  readonly cutAt: number;
  readonly deadlineMs?: number;
  /** Tells the execution from another one that has its id later. */
  readonly startedAt: number;
}

/** Where a page begins: rows come first. */
export type CopyPlace =
  | { readonly kind: "row"; readonly seq: number }
  | { readonly kind: "blob"; readonly id: number; readonly part: number };

export interface CopyRequest {
  /** As the answer to the cut had it. */
  readonly startedAt: number;
  readonly cut: number;
  readonly place: CopyPlace;
}

export interface CopyPage {
  readonly kind: "page";
  readonly rows: readonly JournalRow[];
  readonly parts: readonly BlobPart[];
  /** `null` at the end. */
  readonly next: CopyPlace | null;
}

/** Gives a page of the original's journal. */
export type CopyJournal = (request: CopyRequest) => Promise<CopyPage | Absent>;

export interface ForkRequest {
  readonly workflow: string;
  readonly id: string;
  /** The id of the original. */
  readonly of: string;
  readonly before?: string | number;
  readonly cut: number;
  readonly cutAt: number;
  readonly startedAt: number;
  readonly deadlineMs?: number;
}

export interface ForkAnswer {
  readonly kind: "forked";
  /** False where the same fork had already been made. */
  readonly created: boolean;
  readonly view: ExecutionView;
}
