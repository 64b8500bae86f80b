import { shardOf } from "../../src/journal/list.ts";
import { LIMITS } from "../../src/limits.ts";
import { seededDraw, type Draw } from "../../test/support/seeded-draw.ts";
import { median, percentile } from "../statistics.ts";
import type { Range, Simulation, SimulationOptions } from "./figures.ts";
import { rounded, timeLists } from "./list-times.ts";
import { Phases } from "./phases.ts";
import { exampleOf, indexOf, namesOf, START_AT } from "./population.ts";
import { SimulatedExecution, type Plan } from "./simulated-execution.ts";
import { World } from "./world.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

/** Alarms of the platform are rarely late, and rarely by much. */
const LATENESS_MS = SECOND_MS;
const WAKE_AT = START_AT + 2 * DAY_MS;
const PURGE_AT = WAKE_AT + LIMITS.retentionDefaultMs;
/** Nothing takes longer than this to settle. */
const PATIENCE_MS = 30 * DAY_MS;

type Log = (line: string) => void;

/**
 * Executions start all through a day. Half of them end at once; the others sleep until the same moment on the third
 * day. All are purged a week after their ends: those that slept together again.
 */
export async function simulate(options: SimulationOptions, log: Log): Promise<Simulation> {
  const draw = seededDraw(options.seed);
  const all: SimulatedExecution[] = [];
  const world: World = new World({
    startAt: START_AT,
    shards: options.shards,
    requestMs: options.requestMs,
    latenessMs: LATENESS_MS,
    draw,
    listed: ({ id }) => executionOf(all, id).listed(),
    tick: (now) => log(`${((now - START_AT) / HOUR_MS).toFixed(2)} hours: ${progressOf(world)}`),
  });
  try {
    for (let i = 0; i < options.executions; i += 1) all.push(new SimulatedExecution(world, planOf(i, options, draw)));
    return { ...options, ...(await live(world, options.executions)), ...loadOf(world) };
  } finally {
    world.close();
  }
}

/** Nine days. */
async function live(world: World, executions: number) {
  const { timeline, lags } = world;
  const phases = new Phases(world);
  await timeline.runUntil(START_AT + DAY_MS + HOUR_MS);
  const starts = phases.end();
  await timeline.runUntil(WAKE_AT - 1);
  const sleep = phases.end();
  const stored = await storedIn(world, executions);
  lags.length = 0;
  const knownAt = await runUntilAll(world, () => world.tally.known === executions, 10);
  const wakes = phases.end();
  const lagMs = { p50: percentile(lags, 0.5), p99: percentile(lags, 0.99), longest: percentile(lags, 1) };
  await timeline.runUntil(PURGE_AT - 1);
  phases.end();
  const purgedAt = await runUntilAll(world, () => world.tally.purged === executions, SECOND_MS);
  const purges = phases.end();
  return {
    ...stored,
    phases: { starts, sleep, wakes, purges },
    lagMs,
    allKnownAfterMs: knownAt - WAKE_AT,
    allPurgedAfterMs: purgedAt - PURGE_AT,
  };
}

async function storedIn({ shards, directory }: World, executions: number) {
  const rows = shards.map(({ table }) => table.counts().reduce((sum, { count }) => sum + count, 0));
  return {
    rowsOfShard: rangeOf(rows),
    kibOfShard: rangeOf(shards.map(({ storage }) => storage.bytes() / 1_024)),
    lists: await timeLists(directory, executions, exampleOf(executions)),
  };
}

function loadOf({ shards }: World) {
  const loads = shards.map(({ load }) => load);
  const sum = (of: (load: (typeof loads)[number]) => number) => loads.reduce((all, load) => all + of(load), 0);
  return {
    reportUs: rounded((sum(({ writeMs }) => writeMs) * 1_000) / sum(({ requests }) => requests)),
    sweepMs: {
      median: rounded(median(loads.map(({ sweepMs, sweeps }) => sweepMs / sweeps))),
      most: rounded(Math.max(...loads.map(({ longestSweepMs }) => longestSweepMs))),
    },
  };
}

async function runUntilAll({ timeline, tally }: World, isAll: () => boolean, sliceMs: number): Promise<number> {
  const endsAt = timeline.now() + PATIENCE_MS;
  while (!isAll()) {
    if (timeline.now() > endsAt) throw new Error(`The simulation does not come to rest: ${JSON.stringify(tally)}`);
    await timeline.runUntil(timeline.now() + sliceMs);
  }
  return timeline.now();
}

function planOf(index: number, { shards, spreadMs }: SimulationOptions, draw: Draw): Plan {
  const names = namesOf(index, draw);
  const isSleeper = draw(0, 1) === 1;
  return {
    ...names,
    startedAt: START_AT + draw(0, DAY_MS),
    workMs: draw(10, 500),
    sleepsUntil: isSleeper ? WAKE_AT + draw(0, spreadMs) : undefined,
    shard: shardOf(names, shards),
  };
}

function executionOf(all: readonly SimulatedExecution[], id: string): SimulatedExecution {
  const execution = all[indexOf(id)];
  if (execution === undefined) throw new Error(`There is no execution ${id}.`);
  return execution;
}

function rangeOf(values: readonly number[]): Range {
  return { least: Math.min(...values), median: median(values), most: Math.max(...values) };
}

function progressOf({ tally: { started, known, purged, untold } }: World): string {
  return `${started} started, ${known} known to have ended, ${purged} purged, ${untold} reports without an answer`;
}
