import type { History, Mark, OperationHistory, RollbackHistory, Span } from "./history.ts";

/** A stretch of time: Unix milliseconds. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** One line of the timeline: an operation, or the rollback of one. */
export interface TimelineRow {
  readonly key: string;
  readonly op: number;
  readonly label: string;
  readonly isRollback: boolean;
  readonly status: OperationHistory["status"] | RollbackHistory["status"];
  readonly spans: readonly Span[];
  readonly operation: OperationHistory;
}

/** Where something lies in a window, as shares of its width. */
export interface Place {
  readonly left: number;
  readonly width: number;
}

export interface Tick {
  readonly at: number;
  /** Where it lies, as a share of the window's width. */
  readonly left: number;
}

/** The finest look there is. */
const MINIMUM_MS = 10;

/** Operations in the order in which they were asked for, and then rollbacks in that of their turns. */
export function timelineRows({ operations, rollbacks }: History): readonly TimelineRow[] {
  const asked = operations.map((operation) => rowOf(operation, operation, false));
  const undone = rollbacks.flatMap((op) => {
    const operation = operations[op];
    return operation?.rollback === undefined ? [] : [rowOf(operation, operation.rollback, true)];
  });
  return [...asked, ...undone];
}

function rowOf(
  operation: OperationHistory,
  shown: OperationHistory | RollbackHistory,
  isRollback: boolean,
): TimelineRow {
  const { op, name } = operation;
  const key = isRollback ? `rollback-${op}` : `operation-${op}`;
  return { key, op, label: name, isRollback, status: shown.status, spans: shown.spans, operation };
}

/** What happened to the execution as a whole; that it started and ended is to be seen without a mark. */
export function marksOf({ marks }: History): readonly Mark[] {
  return marks.filter(({ kind }) => kind !== "start" && kind !== "end");
}

/** All of it: from the start to the end, or to what is due next, with some air. */
export function wholeWindow(history: History, now: number): Window {
  const from = history.startedAt ?? now;
  const last = history.end === undefined ? Math.max(now, history.lastAt ?? now) : (history.lastAt ?? now);
  const to = Math.max(last, from + MINIMUM_MS);
  return { from, to: to + (to - from) / 50 };
}

/** Closer for a factor above 1, around a place in the window: 0 its beginning, 1 its end. */
export function zoomed(
  { from, to }: Window,
  factor: number,
  { around, whole }: { around: number; whole: Window },
): Window {
  const width = to - from;
  const next = Math.min(Math.max(width / factor, MINIMUM_MS), whole.to - whole.from);
  const fixed = from + width * around;
  return within({ from: fixed - next * around, to: fixed + next * (1 - around) }, whole);
}

/** What spans of time need, with some air, and no further out than the whole. */
export function closeWindow(spans: readonly Pick<Span, "from" | "to">[], until: number, whole: Window): Window {
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to ?? Math.max(until, span.from)));
  const width = Math.max(to - from, MINIMUM_MS / 2);
  return within({ from: from - width / 4, to: from + width + width / 4 }, whole);
}

/** Moved by a share of its width. */
export function panned({ from, to }: Window, share: number, whole: Window): Window {
  const moved = (to - from) * share;
  return within({ from: from + moved, to: to + moved }, whole);
}

/** Of the same width, if it can be, and no further out than the whole. */
function within({ from, to }: Window, whole: Window): Window {
  const width = Math.min(to - from, whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - width);
  return { from: start, to: start + width };
}

/** Where a stretch of time lies; `undefined` where it is out of sight. What is not over lasts until now. */
export function placeOf({ from, to }: Pick<Span, "from" | "to">, window: Window, now: number): Place | undefined {
  const end = to ?? Math.max(now, from);
  if (end < window.from || from > window.to) return undefined;
  const width = window.to - window.from;
  const left = Math.max(from, window.from);
  return { left: (left - window.from) / width, width: (Math.min(end, window.to) - left) / width };
}

/** Where a moment lies in a window; `undefined` where it is out of sight. */
export function leftOf(at: number, { from, to }: Window): number | undefined {
  return at < from || at > to ? undefined : (at - from) / (to - from);
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Lengths between ticks that people count in. */
const INTERVALS = (
  [
    [1, [1, 2, 5, 10, 20, 50, 100, 200, 500]],
    [SECOND_MS, [1, 2, 5, 10, 15, 30]],
    [MINUTE_MS, [1, 2, 5, 10, 15, 30]],
    [HOUR_MS, [1, 2, 3, 6, 12]],
    [DAY_MS, [1, 2, 7, 14, 30, 90, 180, 365]],
  ] as const
).flatMap(([unitMs, counts]) => counts.map((count) => count * unitMs));

/** At most so many ticks, at round lengths from the start. */
export function ticksOf(window: Window, startedAt: number, most: number): readonly Tick[] {
  const width = window.to - window.from;
  const interval = INTERVALS.find((length) => width / length <= most) ?? width;
  const first = Math.ceil((window.from - startedAt) / interval);
  const last = Math.floor((window.to - startedAt) / interval);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = startedAt + (first + index) * interval;
    return { at, left: (at - window.from) / width };
  });
}

/** Which rows of equal height are in sight, and some above and below. */
export function rowsInSight(
  { top, height }: { readonly top: number; readonly height: number },
  rowHeight: number,
  count: number,
): { readonly from: number; readonly to: number } {
  const spare = 8;
  const from = Math.max(0, Math.floor(top / rowHeight) - spare);
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  return { from: Math.min(from, Math.max(0, to)), to: Math.max(0, to) };
}

/** A share as CSS writes it. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
