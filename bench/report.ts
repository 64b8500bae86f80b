import { writeFileSync } from "node:fs";
import { arch, cpus, platform, totalmem } from "node:os";
import type { Started } from "./bench.ts";
import { spread, type Figure, type Figures } from "./figures.ts";
import { SCENARIOS } from "./scenarios/all.ts";
import type { Verdict } from "./targets.ts";

const GIB = 1_024 ** 3;

/** A run as it is kept: every figure with its samples. */
export interface Report {
  readonly at: string;
  readonly machine: string;
  readonly contestants: readonly { readonly name: string; readonly settings: string }[];
  readonly figures: readonly (Figure & ReturnType<typeof spread>)[];
  readonly missing: Figures["missing"];
  readonly verdicts: readonly Verdict[];
  readonly took: readonly { readonly scenario: string; readonly seconds: number }[];
}

interface Found extends Pick<Report, "verdicts" | "took"> {
  readonly contestants: readonly Started[];
  readonly figures: Figures;
}

export function reportOf({ contestants, figures, verdicts, took }: Found): Report {
  return {
    at: new Date().toISOString(),
    machine: `${cpus().length} cores, ${Math.round(totalmem() / GIB)} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`,
    contestants: contestants.map(({ name, running: { settings } }) => ({ name, settings })),
    figures: figures.all.map((figure) => ({
      ...figure,
      samples: figure.samples.map(rounded),
      ...mapValues(spread(figure.samples)),
    })),
    missing: figures.missing,
    verdicts,
    took,
  };
}

export function writeReport(file: string, report: Report): void {
  writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
}

/** A table for each scenario: a line for each figure, a column for each contestant. */
export function tablesOf({ figures, missing, contestants, verdicts, took }: Report): readonly string[] {
  const lines: string[] = [];
  const names = contestants.map(({ name }) => name);
  for (const { letter, title } of SCENARIOS) {
    const whats = new Set(
      [...figures, ...missing].filter(({ scenario }) => scenario === letter).map(({ what }) => what),
    );
    if (whats.size === 0) continue;
    lines.push("", `${letter}: ${title}`);
    const rows = [["", ...names]];
    for (const what of whats) {
      const found = (name: string) =>
        figures.find((one) => one.scenario === letter && one.what === what && one.contestant === name);
      const unit = names.map((name) => found(name)?.unit).find((one) => one !== undefined);
      rows.push([`${what}${unit === undefined ? "" : `, ${unit}`}`, ...names.map((name) => cell(found(name)))]);
    }
    lines.push(...aligned(rows));
    const reasons = missing.filter(({ scenario }) => scenario === letter);
    lines.push(...reasons.map(({ contestant, what, reason }) => `  no ${what} of ${contestant}: ${reason}`));
  }
  lines.push("", "Stepwell against its targets");
  for (const { scenario, text, value, rule, limit, isMet } of verdicts) {
    lines.push(`${isMet ? "  met   " : "  MISSED"} ${scenario} ${text}: ${shown(value)}, ${rule} ${shown(limit)}`);
  }
  lines.push("", `Took ${took.map(({ scenario, seconds }) => `${scenario} ${seconds} s`).join(", ")}`);
  return lines;
}

function cell(figure: Report["figures"][number] | undefined): string {
  if (figure === undefined) return "–";
  const { p50, p95, samples } = figure;
  return samples.length >= 20 ? `${shown(p50)} (p95 ${shown(p95)})` : shown(p50);
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(
    (row) =>
      `  ${row.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join("  ")}`,
  );
}

function mapValues(values: ReturnType<typeof spread>): ReturnType<typeof spread> {
  return { p50: rounded(values.p50), p95: rounded(values.p95), p99: rounded(values.p99) };
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}

function shown(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
