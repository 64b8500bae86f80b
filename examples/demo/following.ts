import { readJournal, sendSignal, type ExecutionAddress } from "./client.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { delay } from "./processes.ts";
import { timelineOf, type Line } from "./timeline.ts";

/** An execution and what of its journal has been read. */
export interface Followed {
  readonly execution: ExecutionAddress;
  readonly entries: JournalEntry[];
}

/** A signal to send as soon as the journal shows that the operation of this name waits for one. */
export interface Reply {
  readonly operation: string;
  readonly signal: string;
  readonly value: unknown;
}

export interface FollowOptions {
  readonly replies: readonly Reply[];
  readonly draw: (line: Line) => void;
  /** Asked after each reading. */
  readonly until: () => boolean;
  /** What `until` waits for, in words for the error. */
  readonly what: string;
  readonly timeoutMs: number;
}

const POLL_MS = 100;

/** Reads the journals again and again, draws every new entry and answers the waits that have a reply. */
export async function follow(
  all: readonly Followed[],
  { replies, draw, until, what, timeoutMs }: FollowOptions,
): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    const lines: Line[] = [];
    for (const followed of all) {
      const from = followed.entries.length;
      await readNew(followed);
      lines.push(...timelineOf(followed.execution.workflow, followed.entries, from));
      await reply(followed.execution, followed.entries.slice(from), replies);
    }
    for (const line of lines.sort((a, b) => a.at - b.at)) draw(line);
    if (until()) return;
    if (Date.now() - startedAt > timeoutMs)
      throw new Error(`Cannot go on as ${what}: current value is nothing after ${timeoutMs / 1_000} seconds`);
    await delay(POLL_MS);
  }
}

/** Whether the last word has been spoken. */
export function hasEnded({ entries }: Followed): boolean {
  return entries.some(({ type }) => type === "completed" || type === "failed" || type === "cancelled");
}

async function readNew(followed: Followed): Promise<void> {
  if (hasEnded(followed)) return;
  followed.entries.push(...(await readJournal(followed.execution, followed.entries.length)));
}

async function reply(
  execution: ExecutionAddress,
  read: readonly JournalEntry[],
  replies: readonly Reply[],
): Promise<void> {
  for (const { type, name } of read) {
    if (type !== "signal-awaited") continue;
    for (const { operation, signal, value } of replies) {
      if (operation === name) await sendSignal(execution, signal, value);
    }
  }
}
