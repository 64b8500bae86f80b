import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScaleFigures } from "../../bench/scale/figures.ts";
import { barChart, lineChart } from "./chart.ts";

const FIGURES = join(import.meta.dirname, "../../bench/scale/figures.json");

/** The charts of `docs/scale.md`, of what the last kept run has found. */
export function scalePictures(): readonly (readonly [name: string, picture: string])[] {
  // The cast: `npm run scale` of this repository wrote it.
  const { shardSizes, retryHerds } = JSON.parse(readFileSync(FIGURES, "utf8")) as ScaleFigures;
  const over = (of: (size: (typeof shardSizes)[number]) => number | undefined) =>
    shardSizes.map((size) => ({ x: size.rows, y: of(size) ?? 0 }));
  const shard = lineChart({
    title: "What one shard of the directory costs, by the executions in it",
    x: "executions in the shard",
    y: "ms",
    lines: [
      { name: "all counts, once in a life of the object", points: over(({ countMs }) => countMs) },
      { name: "the look of a sweep, once an hour", points: over(({ sweepMs }) => sweepMs) },
      { name: "a page of those in a state", points: over(({ ms }) => ms["of a state"]) },
      { name: "a page of the newest", points: over(({ ms }) => ms["newest first"]) },
      { name: "one report", points: over(({ reportUs }) => reportUs / 1_000) },
    ],
  });
  const [first] = retryHerds;
  const jitter = barChart({
    title: `${(first?.steps ?? 0).toLocaleString("en-US")} steps fail together: retries in the busiest tenth of a second`,
    bars: retryHerds.map(({ jitter: share, busiestTenth }) => ({ name: `jitter: ${share}`, value: busiestTenth })),
  });
  return [
    ["scale-shard.svg", shard],
    ["scale-jitter.svg", jitter],
  ];
}
