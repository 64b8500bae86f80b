import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf, Overdue, within, type Bench, type Extent, type Scenario, type Started } from "./bench.ts";
import type { Contestant } from "./contestant.ts";
import { CONTESTANTS, PEERS } from "./contestants.ts";
import { Figures } from "./figures.ts";
import { STEPWELL } from "./names.ts";
import { reportOf, tablesOf, writeReport, type Report } from "./report.ts";
import { SCENARIOS } from "./scenarios/all.ts";
import { startHitService } from "./service.ts";
import { StartedContestant } from "./started.ts";
import { judge } from "./targets.ts";

/**
 * `npm run bench`: Stepwell, a Durable Object without an engine, and other engines, each through its normal client, all
 * in one run on one disk. See `README.md` in this folder.
 */

/** More than the longest has ever taken. */
const SCENARIO_MS = 20 * 60_000;
const STOPPED_BY_MS = 60_000;

interface Arguments {
  readonly extent: Extent;
  readonly scenarios: readonly Scenario[];
  readonly contestants: readonly Contestant[];
  /** Where storage is kept during the run. */
  readonly folder: string;
  readonly reportTo: string;
}

const USAGE = `npm run bench -- [--smoke] [--only C,D] [--contestants NAME,NAME] [--no-peers] [--folder FOLDER] [--report FILE]`;

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      smoke: { type: "boolean", default: false },
      only: { type: "string" },
      contestants: { type: "string" },
      peers: { type: "boolean", default: true },
      folder: { type: "string", default: tmpdir() },
      report: { type: "string" },
    },
    allowNegative: true,
  });
  const { smoke } = values;
  const offered = values.peers && !smoke ? [...CONTESTANTS, ...PEERS] : CONTESTANTS;
  const scenarios = chosen("--only", SCENARIOS, { given: values.only, nameOf: ({ letter }) => letter });
  const contestants = chosen("--contestants", offered, { given: values.contestants, nameOf: ({ name }) => name });
  const isPartial = smoke || scenarios !== SCENARIOS || contestants !== offered;
  return {
    extent: smoke ? "smoke" : "full",
    scenarios,
    contestants,
    folder: values.folder,
    reportTo: values.report ?? join(import.meta.dirname, isPartial ? "report-partial.json" : "report.json"),
  };
}

function chosen<T>(
  option: string,
  all: readonly T[],
  { given, nameOf }: { readonly given: string | undefined; readonly nameOf: (one: T) => string },
): readonly T[] {
  if (given === undefined) return all;
  return given.split(",").map((wanted) => {
    const found = all.find((one) => nameOf(one).toLowerCase() === wanted.trim().toLowerCase());
    if (found !== undefined) return found;
    const rule = `it must list some of ${all.map(nameOf).join(", ")}`;
    throw new Error(`Cannot use ${option} as ${rule}: current value is ${wanted}\n${USAGE}`);
  });
}

const log = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

/** Those that cannot be started are left out, with a line that says why. */
async function startAll(contestants: readonly Contestant[], folder: string): Promise<readonly Started[]> {
  const started: Started[] = [];
  for (const [place, contestant] of contestants.entries()) {
    try {
      log(`starting ${contestant.name}`);
      started.push(await StartedContestant.start(contestant, join(folder, String(place))));
    } catch (error) {
      if (!PEERS.includes(contestant)) throw error;
      log(`${contestant.name} is left out: ${messageOf(error)}`);
    }
  }
  return started;
}

/** Tells after each how long all have taken. One that fails costs Stepwell a figure, and the run its success. */
async function runAll(scenarios: readonly Scenario[], bench: Bench, tell: (took: Report["took"]) => void) {
  const took: { readonly scenario: string; readonly seconds: number }[] = [];
  for (const scenario of scenarios) {
    const { letter, title } = scenario;
    log(`${letter}: ${title}`);
    const startedAt = performance.now();
    try {
      await within(scenario.run(bench), SCENARIO_MS);
    } catch (error) {
      bench.figures.miss({ scenario: letter, what: "all of it", contestant: STEPWELL, reason: messageOf(error) });
      log(`${letter} failed: ${messageOf(error)}`);
      // It still goes on, and no other could be measured beside it.
      if (error instanceof Overdue) return;
    } finally {
      took.push({ scenario: letter, seconds: Math.round((performance.now() - startedAt) / 1_000) });
      tell(took);
    }
    bench.service.forget();
  }
}

async function main(): Promise<boolean> {
  const { extent, scenarios, contestants, folder, reportTo } = readArguments();
  const storage = mkdtempSync(join(folder, "stepwell-bench-"));
  process.once("exit", () => rmSync(storage, { recursive: true, force: true, maxRetries: 5 }));
  const service = await startHitService();
  const figures = new Figures();
  const started = await startAll(contestants, storage);
  const bench: Bench = { extent, contestants: started, figures, service, log, overdue: new Map() };
  const reportNow = (took: Report["took"]) =>
    reportOf({ contestants: started, figures, verdicts: judge(figures, extent === "smoke"), took });
  let report = reportNow([]);
  // Whatever ends the run, what it has found by then is kept.
  await runAll(scenarios, bench, (took) => writeReport(reportTo, (report = reportNow(took))));
  await within(Promise.all(started.map(({ running }) => running.stop())), STOPPED_BY_MS);
  await service.close();
  for (const line of tablesOf(report)) console.log(line);
  const failed = figures.missing.filter(({ contestant, scenario }) => isFault(started, contestant, scenario));
  if (extent === "full") return failed.length === 0;
  const { verdicts } = report;
  return failed.length === 0 && verdicts.length > 0 && verdicts.every(({ isMet }) => isMet);
}

/** Stepwell can do everything that is measured. */
function isFault(started: readonly Started[], contestant: string, scenario: string): boolean {
  const isStepwell = contestant === STEPWELL && started.some(({ name }) => name === STEPWELL);
  if (isStepwell) log(`Cannot pass as Stepwell has no figure of ${scenario}.`);
  return isStepwell;
}

// Leaving by `exit` is what takes the started processes along.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

try {
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}
