import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { escaped, onPaper, WIDTH } from "../scripts/pictures/paper.ts";
import { STEPWELL } from "./names.ts";
import type { Report } from "./report.ts";

/**
 * `npm run bench:chart [-- --report FILE --to FILE]`: draws what a run of the benchmark has found, and
 * shows it in the pages that have a place for it, with its date and machine.
 */

interface Panel {
  readonly scenario: string;
  readonly what: string;
  readonly title: string;
}

const PANELS: readonly Panel[] = [
  { scenario: "A", what: "1 step", title: "one step, start to result, ms (less is better)" },
  { scenario: "B", what: "200 executions", title: "200 executions of 10 steps, steps/s" },
  { scenario: "C", what: "1000 steps", title: "1,000 steps in a row, steps/s" },
  { scenario: "D", what: "100 steps", title: "100 parallel steps, ms (less is better)" },
];

const LABEL_WIDTH = 230;
const VALUE_WIDTH = 80;
const BAR_HEIGHT = 16;
const LINE_HEIGHT = 22;
const TITLE_HEIGHT = 34;
const MARGIN = 16;

/** A picture that reads on light and on dark pages. */
export function chartOf({ figures, at, machine }: Report): string {
  let y = MARGIN;
  const parts: string[] = [];
  for (const { scenario, what, title } of PANELS) {
    const bars = figures.filter((figure) => figure.scenario === scenario && figure.what === what);
    if (bars.length === 0) continue;
    parts.push(textAt({ x: MARGIN, y: y + BAR_HEIGHT, text: `${scenario}: ${title}`, kind: "title" }));
    y += TITLE_HEIGHT - BAR_HEIGHT / 2;
    const longest = Math.max(...bars.map(({ p50 }) => p50));
    for (const { contestant, p50 } of bars) {
      const width = Math.max(1, ((WIDTH - LABEL_WIDTH - VALUE_WIDTH) * p50) / longest);
      const kind = contestant === STEPWELL ? "own" : "other";
      parts.push(textAt({ x: LABEL_WIDTH - 8, y: y + BAR_HEIGHT - 4, text: contestant, kind: "label" }));
      parts.push(
        `<rect class="${kind}" x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}"/>`,
      );
      parts.push(textAt({ x: LABEL_WIDTH + width + 6, y: y + BAR_HEIGHT - 4, text: shown(p50), kind: "value" }));
      y += LINE_HEIGHT;
    }
    y += MARGIN;
  }
  parts.push(
    textAt({ x: MARGIN, y: y + 4, text: `${at.slice(0, 10)}, ${machine}; medians of one run`, kind: "value" }),
  );
  return onPaper({ title: "The benchmark", height: y + MARGIN, light: LIGHT, dark: DARK, parts });
}

const LIGHT = ".title{font-weight:600}.label{text-anchor:end}.own{fill:#0969da}.other{fill:#9aa5b1}";
const DARK = ".own{fill:#4493f8}.other{fill:#66707c}";

interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly kind: "title" | "label" | "value";
}

function textAt({ x, y, text, kind }: Label): string {
  return `<text class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${escaped(text)}</text>`;
}

function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(2)));
}

const BEGIN = "<!-- The chart of the benchmark: `npm run bench:chart` writes it. -->";
const END = "<!-- The end of the chart. -->";

/** A page with the chart in its place. */
export function withChart(page: string, picture: string, { at, machine }: Report): string {
  const [before, rest, ...more] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(
      `Cannot show the chart as the page must have one place for it: current value is ${page.slice(0, 40)}`,
    );
  }
  const image = `![The benchmark: Stepwell beside a bare object and other engines](${picture})`;
  const said = `Medians of one run on ${at.slice(0, 10)}: ${machine}.`;
  return `${before}${BEGIN}\n\n${image}\n\n${said}\n\n${END}${after}`;
}

const ROOT = join(import.meta.dirname, "..");
/** By their paths: where the chart lies as they see it. */
const PAGES = { "README.md": "docs/bench.svg", "docs/performance.md": "bench.svg" } as const;

function main(): void {
  const { values } = parseArgs({
    options: {
      report: { type: "string", default: join(import.meta.dirname, "report.json") },
      to: { type: "string" },
    },
  });
  // The cast: `report.ts` of the same commit wrote it.
  const report = JSON.parse(readFileSync(values.report, "utf8")) as Report;
  writeFileSync(values.to ?? join(ROOT, "docs/bench.svg"), chartOf(report));
  // Drawn to somewhere else it is for somebody else.
  if (values.to !== undefined) return;
  for (const [path, picture] of Object.entries(PAGES)) {
    const file = join(ROOT, path);
    writeFileSync(file, withChart(readFileSync(file, "utf8"), picture, report));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
