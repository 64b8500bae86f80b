import { timelineRows, type Row, type Stretch } from "../../src/cli/timeline-rows.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { showLength } from "../../src/steps/show-length.ts";
import type { TestEntry } from "../../src/testing/index.ts";
import type { Bar, Lane, Mark } from "./picture.ts";

/** What each operation of a journal did, by the rows that the command shows. */
export function journalLanes(journal: readonly TestEntry[]): readonly Lane[] {
  const end = Math.max(...journal.map(({ at }) => at));
  return timelineRows(journal).map((row) => laneOf(row, journal, end));
}

function laneOf(row: Row, journal: readonly TestEntry[], end: number): Lane {
  const bars = row.stretches.map((stretch) => barOf(stretch, row, { journal, end }));
  return { name: row.name.replace(/^(.*) \(rollback\)$/, "↺ $1"), bars, marks: marksOf(row, journal) };
}

interface Seen {
  readonly journal: readonly TestEntry[];
  readonly end: number;
}

function barOf({ kind, from, to = Infinity }: Stretch, row: Row, { journal, end }: Seen): Bar {
  const until = Math.min(to, end);
  const label = kind === "waits" ? labelOf(row, { at: from, until }, journal) : undefined;
  return { kind, from, to: until, ...(label !== undefined && { label }) };
}

interface Between {
  readonly at: number;
  readonly until: number;
}

/** Which rule set the time of a wait. */
function labelOf(row: Row, { at, until }: Between, journal: readonly TestEntry[]): string | undefined {
  const failure = failuresOf(row, journal).find((entry) => entry.at === at);
  if (failure?.spent !== undefined || failure === undefined) return undefined;
  const rule = failure.because === "retry-after" ? "Retry-After" : "backoff";
  return `${rule} ${showLength(until - at)}`;
}

type Failed = Extract<Entry, { readonly type: "attempt-failed" | "rollback-failed" }>;

function failuresOf({ name }: Row, journal: readonly TestEntry[]): readonly Failed[] {
  const isRollback = name.endsWith(" (rollback)");
  // The cast: the test kit shows entries as they are, but for their values.
  const entries = journal as unknown as readonly Entry[];
  const steps = entries.filter((entry) => entry.type === "attempt-started" && entry.kind !== undefined);
  const numbers = steps.flatMap((entry) =>
    "name" in entry && entry.name === name.replace(" (rollback)", "") ? [entry.op] : [],
  );
  return entries.filter(
    (entry): entry is Failed =>
      entry.type === (isRollback ? "rollback-failed" : "attempt-failed") && numbers.includes(entry.op),
  );
}

function marksOf(row: Row, journal: readonly TestEntry[]): readonly Mark[] {
  const failures = failuresOf(row, journal).map((entry): Mark => {
    return { kind: entry.failure.name === "StepInterrupted" ? "lost" : "failed", at: entry.at };
  });
  const last = row.stretches.at(-1)?.to;
  if (row.end === undefined || row.end === "spent" || last === undefined) return failures;
  return [...failures, { kind: row.end === "done" ? "done" : "given-up", at: last }];
}
