import type { longestWait } from "./alarms.ts";
import { stateOf } from "./alarms.ts";
import { nameOf, type Findings } from "./check.ts";
import type { Loaded } from "./load.ts";
import type { Stored } from "./stored.ts";

export interface ChaosRun {
  readonly seed: number;
  readonly minutes: number;
  readonly kills: number;
  readonly killsOfProcesses: number;
  /** Executions that were paused in a crash loop and resumed. */
  readonly resumed: number;
  readonly longest: ReturnType<typeof longestWait>;
  readonly endedAfterMs: number;
}

/** Faults shown; their number is always told. */
const SHOWN = 20;

const STATES = ["completed", "failed", "cancelled", "paused", "open", "not started"] as const;
type Column = (typeof STATES)[number];

function columnOf(stored: Stored | undefined): Column {
  if (stored === undefined) return "not started";
  const { end, pause } = stateOf(stored.entries);
  return end?.type ?? (pause === undefined ? "open" : "paused");
}

/** The figures of a run, a line each. */
export function reportLines(
  run: ChaosRun,
  { all, journals }: { readonly all: readonly Loaded[]; readonly journals: ReadonlyMap<string, Stored> },
  { faults, effects, repeated, duplicates }: Findings,
): readonly string[] {
  const names = new Set([...all.map(nameOf), ...journals.keys()]);
  const rows = Map.groupBy(names, (name) => name.split("/")[0] ?? "");
  const table = [...rows].map(([workflow, loaded]) => {
    const columns = loaded.map((name) => columnOf(journals.get(name)));
    const counts = STATES.map((state) => String(columns.filter((column) => column === state).length));
    return [workflow, String(loaded.length), ...counts];
  });
  const deaths = [...journals.values()]
    .flatMap(({ entries }) => entries)
    .filter(
      (entry) => entry.type === "object-lost" || ("failure" in entry && entry.failure?.name === "StepInterrupted"),
    );
  return [
    "",
    ...aligned([["example", "executions", ...STATES], ...table]),
    "",
    `seed ${run.seed}, ${run.minutes} minutes of load; the last execution ended ${seconds(run.endedAfterMs)} after it`,
    `${run.kills} kills of the Worker, ${run.killsOfProcesses} processes of workerd; ${deaths.length} deaths journaled`,
    `${run.resumed} executions died ten times in a row, were paused for it, and resumed at the end`,
    `longest wait after a restart: ${seconds(run.longest.ms)} (${run.longest.execution})`,
    `${effects} effects, ${repeated} requests repeated under their keys, ${duplicates} duplicates`,
    ...faults.slice(0, SHOWN).map((fault) => `FAULT ${fault}`),
    faults.length === 0
      ? "nothing lost, nothing done twice, everything ended and is listed so"
      : `${faults.length} faults; repeat with --seed ${run.seed}`,
  ];
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
