import type { JournalRow } from "../../src/execution/ports.ts";
import { isEnd, type Entry } from "../../src/journal/entry.ts";

/** An execution as it lies on disk. */
export interface Stored {
  readonly rows: readonly JournalRow[];
  readonly entries: readonly Entry[];
  /** Unix milliseconds. */
  readonly alarmAt: number | undefined;
}

export function hasEnded({ entries }: Stored): boolean {
  return entries.some(isEnd);
}
