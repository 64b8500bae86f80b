import { randomUUID } from "node:crypto";
import { insiders, timed, until, type Bench, type Scenario } from "../bench.ts";
import type { Inside } from "../contestant.ts";
import { pause } from "../program.ts";
import type { Unit } from "../figures.ts";
import { STEPWELL } from "../names.ts";

const STEPS = 10;
const IN_FLIGHT = 50;
/** workerd takes an object out of memory after ten seconds without anything to do. */
const EVICTED_BY_MS = 15_000;
/** So many show what a start takes here; all together may take twice as long. */
const TRIED = 100;
/** Where that would take longer than what is measured. */
const SLOW_START_MS = 25;
const SLOWER = 2;
/** At least between the first start and the wake-ups, besides. */
const ASLEEP_MS = 30_000;
const LONG_MS = 60 * 60_000;

/** Executions that sleep until the same second. */
export const sleepers: Scenario = {
  letter: "S",
  title: `sleeping executions of ${STEPS} steps`,
  async run(bench) {
    const count = bench.extent === "smoke" ? 50 : 10_000;
    for (const { name, inside } of insiders(bench)) {
      if (name !== STEPWELL) continue;
      await sleep(bench, { name, inside, count });
    }
  },
};

interface Sleep {
  readonly name: string;
  readonly inside: Inside;
  readonly count: number;
}

async function sleep(bench: Bench, { name, inside, count }: Sleep): Promise<void> {
  const { service, log, figures } = bench;
  const add = (what: string, unit: Unit, value: number) =>
    figures.add({ scenario: "S", what: `${count}: ${what}`, contestant: name, unit, samples: [value] });
  const path = `/ok/${randomUUID()}`;
  const startMs = count < TRIED ? SLOW_START_MS : await tryStarts(inside, service.url);
  const memoryBefore = await inside.memoryMib();
  const diskBefore = await inside.diskKib();
  const untilMs = Math.ceil(Date.now() + ASLEEP_MS + count * startMs * SLOWER);
  log(`S ${count} starts`);
  await startAll(inside, { count, untilMs, url: service.url + path });
  const startedIn = untilMs - Date.now();
  if (startedIn < EVICTED_BY_MS) throw new Error("The machine is too slow: they would wake before all of them sleep.");
  add("memory while in memory", "MiB", (await inside.memoryMib()) - memoryBefore);
  await pause(EVICTED_BY_MS);
  add("memory once evicted", "MiB", (await inside.memoryMib()) - memoryBefore);
  add("disk of each", "KiB", ((await inside.diskKib()) - diskBefore) / count);
  log(`S waits ${Math.round((untilMs - Date.now()) / 1_000)} s for the wake-ups`);
  await pause(Math.max(0, untilMs - Date.now()));
  await until(() => service.paths(path).length === count, "all of them have to wake", 120_000);
  const wakes = service.paths(path).flatMap((each) => service.hits(each).map((at) => at - untilMs));
  add("woken too early", "times", wakes.filter((ms) => ms < 0).length);
  add("woken more than once", "times", wakes.length - count);
  add("last wake after its time", "ms", Math.max(...wakes));
  add("memory after the wake-ups", "MiB", (await inside.memoryMib()) - memoryBefore);
}

/** How long one takes. They sleep beyond the end of the benchmark, and are out of memory before anything is measured. */
async function tryStarts(inside: Inside, url: string): Promise<number> {
  const ms = await timed(() => startAll(inside, { count: TRIED, untilMs: Date.now() + LONG_MS, url }));
  await pause(EVICTED_BY_MS);
  return ms / TRIED;
}

interface Starts {
  readonly count: number;
  readonly untilMs: number;
  readonly url: string;
}

async function startAll(inside: Inside, { count, untilMs, url }: Starts): Promise<void> {
  let begun = 0;
  const client = async () => {
    while (begun < count) {
      const n = (begun += 1);
      await inside.begin(randomUUID(), { kind: "sleeper", count: STEPS, untilMs, url: `${url}/${n}` });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
}
