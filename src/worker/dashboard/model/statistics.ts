import type { ExecutionSummary } from "../../../journal/list.ts";

export interface Statistics {
  /** Executions that were looked at. */
  readonly count: number;
  readonly ended: number;
  /** The share of those that completed among those that completed or failed. */
  readonly successRate: number | undefined;
  /** Of those that completed, in milliseconds. */
  readonly durations: { readonly median: number; readonly p90: number; readonly p99: number } | undefined;
  /** Bars of equal width on a logarithmic scale, from the shortest to the longest; none where all took the same. */
  readonly histogram: readonly { readonly fromMs: number; readonly toMs: number; readonly count: number }[];
  /** The most frequent first. */
  readonly failures: readonly { readonly code: string; readonly count: number }[];
}

const BARS = 16;

/** The smallest value that at least this share of all values is not above. `sorted` ascends, and is not empty. */
export function quantile(sorted: readonly number[], share: number): number {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  const value = sorted[index];
  if (value === undefined)
    throw new RangeError("Cannot take a quantile as there must be a value: current value is none");
  return value;
}

export function statisticsOf(summaries: readonly ExecutionSummary[]): Statistics {
  const completed = summaries.filter(({ state }) => state === "completed");
  const failed = summaries.filter(({ state }) => state === "failed");
  const decided = completed.length + failed.length;
  const durations = completed
    .flatMap(({ startedAt, endedAt }) => (endedAt === undefined ? [] : [Math.max(0, endedAt - startedAt)]))
    .sort((a, b) => a - b);
  return {
    count: summaries.length,
    ended: summaries.filter(({ endedAt }) => endedAt !== undefined).length,
    successRate: decided === 0 ? undefined : completed.length / decided,
    durations:
      durations.length === 0
        ? undefined
        : { median: quantile(durations, 0.5), p90: quantile(durations, 0.9), p99: quantile(durations, 0.99) },
    histogram: histogramOf(durations),
    failures: countCodes(failed),
  };
}

function countCodes(failed: readonly ExecutionSummary[]): Statistics["failures"] {
  const counts = new Map<string, number>();
  for (const { code = "without a code" } of failed) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

function histogramOf(sorted: readonly number[]): Statistics["histogram"] {
  const shortest = sorted[0];
  const longest = sorted.at(-1);
  if (shortest === undefined || longest === undefined || longest <= Math.max(1, shortest)) return [];
  const low = Math.log(Math.max(1, shortest));
  const step = (Math.log(longest) - low) / BARS;
  const counts = Array.from({ length: BARS }, () => 0);
  for (const duration of sorted) {
    const bar = Math.min(BARS - 1, Math.floor((Math.log(Math.max(1, duration)) - low) / step));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return counts.map((count, bar) => ({
    fromMs: Math.exp(low + bar * step),
    toMs: Math.exp(low + (bar + 1) * step),
    count,
  }));
}
