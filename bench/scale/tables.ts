import { LIMITS } from "../../src/limits.ts";
import { priceOf } from "../prices.ts";
import type { ScaleFigures } from "./figures.ts";

/** Executions of ten steps that never wait, kept for the default of seven days. */
const TEN_STEPS = {
  /** Of its own, and of the directory: the start, the end and the purge. */
  rowsWritten: 16 + 6,
  requestsToWorker: 1,
  /** The start, two alarms, three reports. */
  requestsToObjects: 6,
  reports: 3,
  gbSeconds: 0.0625,
  gb: 16 / 1_000 ** 2,
} as const;

const DAY_S = 24 * 60 * 60;
const MONTH_DAYS = 30;
const SWEEPS_A_DAY = 24;
/** Of a sweep: for what is doubted, and for what belongs elsewhere. */
const LOOKS = 2;
/** Requests that one object takes in a second, and how much busier the busiest second is than the mean. */
const REQUESTS_A_SECOND = 1_000;
const PEAK = 10;
/** Its counts still take less than a second. */
const ROWS_OF_SHARD = 1_000_000;
const KEPT_DAYS = LIMITS.retentionDefaultMs / (DAY_S * 1_000);
const A_DAY = [100, 10_000, 1_000_000, 10_000_000, 100_000_000];

const BEGIN = (name: string) => `<!-- ${name}: \`npm run scale\` writes it. -->`;
const END = "<!-- The end of it. -->";

/** `docs/scale.md` with what a run has found. */
export function withTables(page: string, figures: ScaleFigures): string {
  let written = page;
  for (const [name, lines] of Object.entries(blocksOf(figures))) {
    const [before, rest, ...more] = written.split(BEGIN(name));
    const end = rest?.indexOf(END) ?? -1;
    if (before === undefined || rest === undefined || end === -1 || more.length > 0) {
      throw new Error(
        `Cannot write ${name} as the page must have one place for it: current value is ${page.slice(0, 40)}`,
      );
    }
    written = `${before}${BEGIN(name)}\n\n${lines.join("\n")}\n\n${rest.slice(end)}`;
  }
  return written;
}

function blocksOf(figures: ScaleFigures): Readonly<Record<string, readonly string[]>> {
  return {
    "The ladder": [
      ...headOf(
        "executions a day",
        "a second",
        "in the directory",
        "reports a second",
        "shards",
        "in each",
        "MiB each",
        "USD a day",
      ),
      ...ladder(figures),
    ],
    "One shard": [
      ...headOf(
        "executions in it",
        "MiB",
        "a report",
        "a page of the newest",
        "a page of those in a state",
        "all counts, once in a life",
        "the look of a sweep",
      ),
      ...shardTable(figures),
    ],
    "The run": runOf(figures),
    "The herds": [
      ...headOf(
        "",
        "reports",
        "refused or late",
        "removals",
        "refused or late",
        "asked by sweeps",
        "rows of the directory",
        "of the busiest shard in a second",
      ),
      ...herdTable(figures),
    ],
    "The lags": lagsOf(figures),
    "The retries": [
      ...headOf(
        "jitter",
        "attempts in all",
        "in the busiest tenth of a second",
        "in the busiest one once it is up again",
        "seconds until the last is done",
      ),
      ...retryTable(figures),
    ],
    "The families": [
      ...headOf("children", "operations of the parent", "entries of its journal", "milliseconds, children included"),
      ...familyTable(figures),
    ],
  };
}

function headOf(...names: readonly string[]): readonly string[] {
  return [`| ${names.join(" | ")} |`, `|${" --- |".repeat(names.length)}`];
}

function runOf({
  at,
  simulation: { executions, shards, rowsOfShard, reportUs, sweepMs },
}: ScaleFigures): readonly string[] {
  return [
    `The run of ${at.slice(0, 10)}: ${shown(executions)} executions on ${shards} shards, which come to hold ` +
      `${shown(rowsOfShard.least)} to ${shown(rowsOfShard.most)} each. A report or removal took ${shown(reportUs)} µs, ` +
      `a sweep ${shown(sweepMs.median)} ms.`,
  ];
}

function lagsOf({ simulation: { lagMs, allKnownAfterMs, allPurgedAfterMs } }: ScaleFigures): readonly string[] {
  return [
    `Half of the ends were in the directory within ${seconds(lagMs.p50)}, 99 of a hundred within ${seconds(lagMs.p99)}, ` +
      `the last after ${seconds(lagMs.longest)}. Every end was acknowledged ${seconds(allKnownAfterMs)} after the moment of ` +
      `the wake-ups, and everything purged ${seconds(allPurgedAfterMs)} after that of the purges.`,
  ];
}

function seconds(ms: number): string {
  return `${shown(ms / 1_000)} s`;
}

/** For each number of executions a day. */
function ladder({ simulation: { kibOfShard, rowsOfShard } }: ScaleFigures): readonly string[] {
  const kibOfRow = kibOfShard.median / rowsOfShard.median;
  return A_DAY.map((executions) => {
    const aSecond = executions / DAY_S;
    const rows = executions * KEPT_DAYS;
    const reports = aSecond * TEN_STEPS.reports;
    const needed = Math.max(Math.ceil((reports * PEAK) / REQUESTS_A_SECOND), Math.ceil(rows / ROWS_OF_SHARD));
    const shards = Math.min(LIMITS.directoryShards, needed);
    const usd = priceOf({
      rowsWritten: executions * TEN_STEPS.rowsWritten,
      rowsRead: rows * LOOKS * SWEEPS_A_DAY,
      requestsToWorker: executions * TEN_STEPS.requestsToWorker,
      requestsToObjects: executions * TEN_STEPS.requestsToObjects,
      gbSeconds: executions * TEN_STEPS.gbSeconds,
      gbMonths: (executions * KEPT_DAYS * TEN_STEPS.gb) / MONTH_DAYS,
    });
    const mib = (rows / shards) * (kibOfRow / 1_024);
    const cells = [executions, aSecond, rows, reports, shards, rows / shards, mib, usd];
    return line(cells);
  });
}

function shardTable({ shardSizes }: ScaleFigures): readonly string[] {
  return shardSizes.map(({ rows, mib, reportUs, countMs, sweepMs, ms }) =>
    line([rows, mib, reportUs / 1_000, ms["newest first"] ?? 0, ms["of a state"] ?? 0, countMs, sweepMs]),
  );
}

/** What happened in each part of the simulated time. */
function herdTable({ simulation: { phases } }: ScaleFigures): readonly string[] {
  return Object.entries(phases).map(
    ([name, { told, untold, removals, unremoved, asked, rowsOfDirectory, busiestSecond }]) =>
      `| ${name} ${line([told, untold, removals, unremoved, asked, rowsOfDirectory, busiestSecond])}`,
  );
}

function retryTable({ retryHerds }: ScaleFigures): readonly string[] {
  return retryHerds.map(({ jitter, attempts, busiestTenth, busiestTenthUp, doneAfterMs }) =>
    line([jitter, attempts, busiestTenth, busiestTenthUp, doneAfterMs / 1_000]),
  );
}

function familyTable({ families }: ScaleFigures): readonly string[] {
  return families.map(({ children, operations, entries, ms }) => line([children, operations, entries, ms]));
}

function line(cells: readonly number[]): string {
  return `| ${cells.map(shown).join(" | ")} |`;
}

function shown(value: number): string {
  if (value >= 10) return Math.round(value).toLocaleString("en-US");
  if (value === 0) return "0";
  return value < 0.01 ? value.toPrecision(1) : String(Number(value.toPrecision(2)));
}
