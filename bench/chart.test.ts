import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chartOf, withChart } from "./chart.ts";
import { STEPWELL, TURNS } from "./names.ts";

const figure = (contestant: string, p50: number) => ({
  scenario: "C",
  what: "1000 steps",
  contestant,
  unit: "steps/s" as const,
  samples: [p50],
  p50,
  p95: p50,
  p99: p50,
});

describe("the chart of the benchmark", () => {
  const report = {
    at: "2026-11-30T12:00:00.000Z",
    machine: "2 cores",
    contestants: [],
    figures: [figure(STEPWELL, 1_500), figure(TURNS, 3_000), figure("one & another", 100)],
    missing: [],
    verdicts: [],
    took: [],
  };

  it("draws a bar for each contestant, as long as its figure", () => {
    const widths = [...chartOf(report).matchAll(/<rect class="(?:own|other)"[^>]* width="([\d.]+)"/g)].map(
      ([, width]) => Number(width),
    );
    expect(widths).toHaveLength(3);
    expect(widths[0]).toBeCloseTo((widths[1] ?? 0) / 2, 0);
  });

  it("says when and where it was measured, and nothing of scenarios that were not", () => {
    const chart = chartOf(report);
    expect(chart).toContain("2026-11-30, 2 cores");
    expect(chart).not.toContain("A: ");
    expect(chart).toContain("one &amp; another");
  });

  it.each(["README.md", "docs/performance.md"])("has one place in %s, and is put there anew", (path) => {
    const page = readFileSync(join(import.meta.dirname, "..", path), "utf8");
    const shown = withChart(page, "bench.svg", report);
    expect(shown).toContain("](bench.svg)\n\nMedians of one run on 2026-11-30: 2 cores.");
    expect(withChart(shown, "bench.svg", report)).toBe(shown);
    expect(() => withChart("# No place", "bench.svg", report)).toThrow("must have one place");
  });
});
