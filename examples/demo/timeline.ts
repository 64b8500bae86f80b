import { describeEntry } from "../../src/cli/describe-entry.ts";
import { coloured, type Tone } from "../../src/cli/tone.ts";
import { operationNames, type JournalEntry } from "./journal-entry.ts";

/** One entry of a journal, ready to be drawn. */
export interface Line {
  /** Unix milliseconds. */
  readonly at: number;
  /** The execution. */
  readonly execution: string;
  /** The operation's name, empty for what concerns the whole execution. */
  readonly operation: string;
  readonly attempt?: number;
  readonly text: string;
  readonly tone: Tone;
}

export interface DrawOptions {
  /** The moment that the first column counts from, in Unix milliseconds. */
  readonly startedAt: number;
  readonly colours: boolean;
}

/** The lines of the entries from number `from` on, one for each. The entries before give the operations their names. */
export function timelineOf(execution: string, entries: readonly JournalEntry[], from = 0): readonly Line[] {
  const names = operationNames(entries);
  return entries.slice(from).map((entry) => ({
    at: entry.at,
    execution,
    operation: (entry.op === undefined ? entry.name : names.get(entry.op)) ?? "",
    ...(entry.attempt === undefined ? {} : { attempt: entry.attempt }),
    ...describeEntry(entry),
  }));
}

/** One line of text: time, execution, operation, attempt, what happened, why it waits and until when. */
export function drawLine(line: Line, { startedAt, colours }: DrawOptions): string {
  const time = `${((line.at - startedAt) / 1_000).toFixed(2)}s`.padStart(8);
  const attempt = line.attempt === undefined ? "" : `attempt ${line.attempt}`;
  const columns = [time, line.execution.padEnd(8), line.operation.padEnd(14), attempt.padEnd(10)];
  return `${columns.join("  ")}  ${colours ? coloured(line.text, line.tone) : line.text}`;
}
