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
/** A database has three, and its object may have a connection; some are for everything else. */
const FILES_EACH = 5;
const SLOWEST_HERD_MS = 5 * 60_000;
const PROGRESS_MS = 10_000;

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
  const startMs = count < TRIED ? SLOW_START_MS : await tryStarts(inside, service.url);
  const memoryBefore = await inside.memoryMib();
  const diskBefore = await inside.diskKib();
  const herds = herdsOf(count, { startMs, url: `${service.url}/ok/${randomUUID()}` });
  log(`S ${count} starts`);
  for (const herd of herds) await startAll(inside, herd);
  const leftMs = Math.min(...herds.map(({ untilMs }) => untilMs)) - Date.now();
  if (leftMs < EVICTED_BY_MS) throw new Error("The machine is too slow: they would wake before all of them sleep.");
  add("memory while in memory", "MiB", (await inside.memoryMib()) - memoryBefore);
  await pause(EVICTED_BY_MS);
  add("objects in memory once evicted", "times", await inside.objectsInMemory());
  add("memory of the process then", "MiB", (await inside.memoryMib()) - memoryBefore);
  add("disk of each", "KiB", ((await inside.diskKib()) - diskBefore) / count);
  const latesMs: number[] = [];
  for (const herd of herds) latesMs.push(...(await wakesOf(bench, herd)));
  const together = Math.max(...herds.map((herd) => herd.count));
  add("woken at the same moment", "times", together);
  add("woken too early", "times", latesMs.filter((ms) => ms < 0).length);
  add("woken more than once", "times", latesMs.length - count);
  add("until the last of those has woken, each", "ms", Math.max(...latesMs) / together);
  add("memory after the wake-ups", "MiB", (await inside.memoryMib()) - memoryBefore);
}

/** Waits until all of a herd have woken, and gives how much after their time each of them did. */
async function wakesOf({ service, log }: Bench, { untilMs, url, count }: Starts): Promise<readonly number[]> {
  const path = `${new URL(url).pathname}/`;
  const woken = () => service.paths(path).length;
  log(`S waits ${Math.round((untilMs - Date.now()) / 1_000)} s for ${count} wake-ups`);
  await pause(Math.max(0, untilMs - Date.now()));
  const progress = setInterval(() => log(`S ${woken()} of ${count} woke`), PROGRESS_MS);
  await until(() => woken() === count, "all of them have to wake", SLOWEST_HERD_MS).finally(() =>
    clearInterval(progress),
  );
  return service.paths(path).flatMap((each) => service.hits(each).map((at) => at - untilMs));
}

/**
 * All of a herd wake in the same second, and are in memory together: so many that their files can be open at once. Each
 * herd has time enough to go before the next one comes.
 */
function herdsOf(
  count: number,
  { startMs, url }: { readonly startMs: number; readonly url: string },
): readonly Starts[] {
  const size = Math.min(count, Math.floor(openFilesLimit() / FILES_EACH));
  const firstMs = Date.now() + ASLEEP_MS + count * startMs * SLOWER;
  const apartMs = EVICTED_BY_MS + size * startMs * SLOWER;
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => ({
    count: Math.min(size, count - i * size),
    untilMs: Math.ceil(firstMs + i * apartMs),
    url: `${url}/${i}`,
  }));
}

function openFilesLimit(): number {
  // The type of a report is open; its limits are numbers, or the word for none.
  const { userLimits } = process.report.getReport() as {
    readonly userLimits: { readonly open_files: { readonly soft: number | "unlimited" } };
  };
  const { soft } = userLimits.open_files;
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : soft;
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
