import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { LIMITS } from "../../src/limits.ts";
import type { ScaleFigures, SimulationOptions } from "./figures.ts";
import { retryHerds } from "./retry-herd.ts";
import { measureFamilies } from "./families.ts";
import { linesOf } from "./scale-text.ts";
import { measureShards } from "./shard-sizes.ts";
import { simulate } from "./simulate.ts";
import { withTables } from "./tables.ts";

/**
 * `npm run scale`: so many executions and the whole directory on a virtual clock, through the engine's own decisions.
 * What it finds in real time is this machine's; everything else is the same for the same seed. See `docs/scale.md`.
 */

/** What is kept, and shown. */
const FIGURES = join(import.meta.dirname, "figures.json");
const PAGE = join(import.meta.dirname, "../../docs/scale.md");
const MOST_EXECUTIONS = 10_000_000;
const LEAST_EXECUTIONS = 100;
/** More change nothing of their shares. */
const MOST_STEPS = 100_000;

export async function measureScale(options: SimulationOptions, log: (line: string) => void): Promise<ScaleFigures> {
  const { executions, seed } = options;
  return {
    at: new Date().toISOString(),
    shardSizes: await measureShards({ rows: executions, seed }, log),
    families: await measureFamilies(executions, log),
    retryHerds: retryHerds({ steps: Math.min(executions, MOST_STEPS), seed }),
    simulation: await simulate(options, log),
  };
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      executions: { type: "string", default: "1000000" },
      shards: { type: "string", default: String(LIMITS.directoryShards) },
      seed: { type: "string", default: "1" },
      spread: { type: "string", default: "0" },
      request: { type: "string", default: "1" },
      keep: { type: "boolean", default: false },
    },
  });
  const whole = (
    name: "executions" | "shards" | "seed" | "spread" | "request",
    [least, most]: readonly [number, number],
  ) => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    const rule = `it must be a whole number from ${least} to ${most}`;
    throw new Error(`Cannot use --${name} as ${rule}: current value is ${values[name]}`);
  };
  const options: SimulationOptions = {
    executions: whole("executions", [LEAST_EXECUTIONS, MOST_EXECUTIONS]),
    shards: whole("shards", [1, LIMITS.directoryShards]),
    seed: whole("seed", [1, 2 ** 31]),
    spreadMs: whole("spread", [0, 86_400_000]),
    requestMs: whole("request", [0, 1_000]),
  };
  return { options, keep: values.keep };
}

async function main(): Promise<void> {
  const { options, keep } = readArguments();
  const figures = await measureScale(options, (line) => console.error(line));
  for (const line of linesOf(figures)) console.log(line);
  if (!keep) return;
  writeFileSync(FIGURES, `${JSON.stringify(figures, null, 1)}\n`);
  writeFileSync(PAGE, withTables(readFileSync(PAGE, "utf8"), figures));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
