import { showLength } from "../steps/show-length.ts";
import { counted } from "./describe-entry.ts";
import { showDistance } from "./show-moment.ts";
import type { Tone } from "./tone.ts";
import type { Row } from "./timeline-rows.ts";

const NAME_WIDTH = 24;
const REMARK_WIDTH = 40;
const SMALLEST_BAR = 10;

const MARKS = { runs: "█", waits: "░" } as const;

/** More rows than this are left out in the middle. */
const MAXIMUM_ROWS = 60;

export interface Span {
  readonly from: number;
  readonly to: number;
  /** Of the terminal. */
  readonly columns: number;
}

export interface TimelineLine {
  readonly text: string;
  readonly tone: Tone;
}

/** One line for each row: its name, its time on a common scale (`█` it runs, `░` it waits), and what it came to. */
export function drawTimeline(rows: readonly Row[], span: Span): readonly TimelineLine[] {
  if (rows.length === 0) return [];
  const width = Math.max(span.columns - NAME_WIDTH - REMARK_WIDTH - 2, SMALLEST_BAR);
  const lineOf = (row: Row): TimelineLine => ({
    text: `${cut(row.name)} ${barOf(row, span, width)} ${remarkOf(row, span)}`.trimEnd(),
    tone: toneOf(row),
  });
  const scale = `${"".padEnd(NAME_WIDTH)} ${"0".padEnd(width - 1)}┤ ${showLength(span.to - span.from)}`;
  const left = rows.length - MAXIMUM_ROWS;
  const shown = left > 0 ? [...rows.slice(0, MAXIMUM_ROWS / 2), undefined, ...rows.slice(-MAXIMUM_ROWS / 2)] : rows;
  const lines = shown.map((row) =>
    row === undefined ? { text: `… ${left} more …`, tone: "quiet" as const } : lineOf(row),
  );
  return [{ text: scale, tone: "quiet" }, ...lines];
}

function cut(name: string): string {
  return name.length > NAME_WIDTH ? `${name.slice(0, NAME_WIDTH - 1)}…` : name.padEnd(NAME_WIDTH);
}

function barOf({ stretches }: Row, { from, to }: Span, width: number): string {
  const cells = Array.from({ length: width }, () => " ");
  const cellOf = (at: number) => Math.floor(((at - from) / Math.max(to - from, 1)) * (width - 1));
  for (const { kind, from: begins, to: ends = to } of stretches) {
    const first = clamp(cellOf(begins), width);
    const last = clamp(cellOf(ends), width);
    for (let cell = first; cell <= last; cell += 1) {
      // What runs is seen, however short it is.
      if (kind === "runs" || cells[cell] !== MARKS.runs) cells[cell] = MARKS[kind];
    }
  }
  return cells.join("");
}

function clamp(cell: number, width: number): number {
  return Math.min(Math.max(cell, 0), width - 1);
}

function remarkOf({ stretches, attempts, end, dueAt }: Row, { to }: Span): string {
  const first = stretches[0];
  const last = stretches.at(-1);
  const length = first === undefined ? "" : showLength((last?.to ?? to) - first.from);
  const tries = attempts > 1 ? counted(attempts, "attempt") : "";
  const open = end === undefined && dueAt !== undefined ? `goes on ${showDistance(dueAt, to)}` : "";
  const how = end === "done" || end === undefined ? "" : end;
  return [length, tries, how, open].filter((part) => part !== "").join(", ");
}

function toneOf({ end, stretches }: Row): Tone {
  if (end === undefined) return stretches.at(-1)?.kind === "waits" ? "waiting" : "plain";
  switch (end) {
    case "done":
      return "good";
    case "spent":
      return "bad";
    case "cancelled":
    case "abandoned":
      return "quiet";
  }
}
