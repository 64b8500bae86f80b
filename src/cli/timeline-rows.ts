import type { Entry } from "../journal/entry.ts";
import type { AnyEntry } from "./describe-entry.ts";

/** What an operation did for a while. */
export interface Stretch {
  readonly kind: "runs" | "waits";
  readonly from: number;
  /** Absent while it goes on. */
  to?: number;
}

/** One operation, or the rollback of one, over time. */
export interface Row {
  readonly name: string;
  readonly stretches: Stretch[];
  attempts: number;
  /** How it ended, if it did. */
  end?: "done" | "spent" | "cancelled" | "abandoned";
  /** When it goes on, if that is known. */
  dueAt?: number | undefined;
}

/** Entries that end a wait, and after which it is over. */
const SETTLING: readonly string[] = [
  "timer-fired",
  "signal-taken",
  "signal-timed-out",
  "callback-taken",
  "callback-timed-out",
  "child-started",
  "child-refused",
  "child-wait-ended",
  "child-wait-timed-out",
  "child-wait-refused",
  "message-accepted",
  "message-refused",
] satisfies readonly Entry["type"][];

/** What each operation of a journal did and when, in the order of the calls; rollbacks after them. */
export function timelineRows(entries: readonly AnyEntry[]): readonly Row[] {
  const rows = new Map<number, Row>();
  const rollbacks = new Map<number, Row>();
  // The cast: see `describeEntry`; a type that is not known here changes no row.
  for (const entry of entries as readonly Entry[]) {
    if ("op" in entry && "name" in entry && "kind" in entry && entry.kind !== undefined) {
      rows.set(entry.op, { name: entry.name, stretches: [], attempts: 0 });
    }
    addEntry(entry, rows, rollbacks);
  }
  return [...rows.values(), ...rollbacks.values()];
}

type Rows = Map<number, Row>;

function addEntry(entry: Entry, rows: Rows, rollbacks: Rows): void {
  switch (entry.type) {
    case "abandoned":
    case "cancel-delivered":
      for (const { op } of entry.ops)
        end(rows.get(op), entry.type === "abandoned" ? "abandoned" : "cancelled", entry.at);
      return;
    case "object-lost":
    case "attempts-withdrawn":
      for (const op of entry.ops) close(rollbacks.get(op) ?? rows.get(op), entry.at);
      return;
    case "rollback-started":
    case "rollback-failed":
    case "rollback-completed":
    case "rollback-not-run":
      addRollback(entry, rows, rollbacks);
      return;
    default:
      if ("op" in entry && entry.op !== undefined) addToOperation(entry, rows.get(entry.op));
  }
}

function addToOperation(entry: Entry, row: Row | undefined): void {
  if (row === undefined) return;
  switch (entry.type) {
    case "attempt-started":
      open(row, "runs", entry.at);
      row.attempts = entry.attempt;
      return;
    case "attempt-failed":
      if (entry.spent !== undefined) return end(row, "spent", entry.at);
      open(row, "waits", entry.at);
      row.dueAt = entry.retryAt;
      return;
    case "step-completed":
      return end(row, "done", entry.at);
    case "callback-created":
      open(row, "runs", entry.at);
      return end(row, "done", entry.at);
    case "signal-returned":
      // Nobody listened when it was delivered: the wait had lost its race.
      return end(row, "abandoned", entry.at);
    default:
      if (SETTLING.includes(entry.type)) return end(row, "done", entry.at);
      if (!("kind" in entry)) return;
      open(row, "waits", entry.at);
      row.dueAt = "dueAt" in entry ? entry.dueAt : undefined;
  }
}

type OfRollback = Extract<Entry, { readonly type: `rollback-${string}` }>;

function addRollback(entry: OfRollback, rows: Rows, rollbacks: Rows): void {
  const name = `${rows.get(entry.op)?.name ?? entry.op} (rollback)`;
  const row = rollbacks.get(entry.op) ?? { name, stretches: [], attempts: 0 };
  rollbacks.set(entry.op, row);
  switch (entry.type) {
    case "rollback-started":
      open(row, "runs", entry.at);
      row.attempts = entry.attempt;
      return;
    case "rollback-failed":
      if (entry.spent !== undefined) return end(row, "spent", entry.at);
      open(row, "waits", entry.at);
      row.dueAt = entry.retryAt;
      return;
    case "rollback-completed":
      return end(row, "done", entry.at);
    case "rollback-not-run":
      return end(row, "abandoned", entry.at);
  }
}

function open(row: Row, kind: Stretch["kind"], at: number): void {
  close(row, at);
  row.dueAt = undefined;
  row.stretches.push({ kind, from: at });
}

function close(row: Row | undefined, at: number): void {
  const last = row?.stretches.at(-1);
  if (last !== undefined) last.to ??= at;
}

function end(row: Row | undefined, how: NonNullable<Row["end"]>, at: number): void {
  if (row === undefined) return;
  close(row, at);
  row.end = how;
  row.dueAt = undefined;
}
