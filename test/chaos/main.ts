import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { delay, freePort, startWorker, type Worker } from "../../examples/demo/processes.ts";
import { examplePlan, startFlakyService, type FlakyService, type Plan } from "../../examples/flaky-service.ts";
import { seededDraw, type Draw } from "../support/seeded-draw.ts";
import { ADAPTERS } from "./adapters.ts";
import { alarmFault, leftBehind, longestWait, type LeftBehind, type Life } from "./alarms.ts";
import { startChat, type Chat } from "./chat.ts";
import { check, nameOf } from "./check.ts";
import { listFaults } from "./listed.ts";
import { Load } from "./load.ts";
import { reportLines } from "./report.ts";
import { StoredExecutions } from "./stored-executions.ts";
import { hasEnded } from "./stored.ts";

/**
 * `npm run chaos -- --minutes N --seed N`: every example under load in a real `wrangler dev` with its storage on disk,
 * workerd killed every few seconds, and nobody who helps after a restart. Ends with figures and an exit code: 0 only if
 * nothing was lost and nothing done twice, every execution ended, none was ever without its alarm, and the directory
 * lists each as it is.
 */

const WORKER_NAME = "stepwell-chaos";
const CONFIG = join(import.meta.dirname, "wrangler.toml");
const STARTS_PER_SECOND = 2.5;
/** It is killed within so long. */
const LIFE_MS = 7_000;
const LOOK_MS = 2_000;
/** What is left at the end has its last backoffs, waits and a lease of 30 seconds. */
const ENDS_WITHIN_MS = 240_000;
/** A report that failed is made again after a minute. */
const LISTED_WITHIN_MS = 90_000;

interface Setting {
  readonly minutes: number;
  readonly draw: Draw;
  readonly service: FlakyService;
  readonly chat: Chat;
  readonly load: Load;
  readonly port: number;
  readonly persistTo: string;
}

/** Fails as services do, whenever it likes; else as the examples expect it. */
function chaosPlan(draw: Draw): Plan {
  const expected = examplePlan({ retryAfterSeconds: 1 });
  return (url, hit) => {
    const die = draw(1, 100);
    if (die <= 6) return { kind: "refuse", status: 500 };
    if (die <= 9) return { kind: "reset" };
    const answer = expected(url, hit);
    return answer.kind === "ok" && answer.body === undefined && die <= 20
      ? { kind: "slow", ms: draw(1, 1_500) }
      : answer;
  };
}

async function startedWorker({ service, chat, port, persistTo }: Setting): Promise<Worker> {
  return await startWorker({
    port,
    persistTo,
    vars: { FLAKY_URL: service.url, CHAT_URL: chat.url, PHOTOS_URL: `${service.url}/jobs` },
    config: CONFIG,
  });
}

/** The Worker and the adapters are of one mind. A workflow that nobody starts would survive anything. */
async function checkAdapters(url: string): Promise<void> {
  const response = await fetch(`${url}/v1/workflows`);
  // The shape of the HTTP API; the Worker is of the same commit.
  const { workflows } = await response.json<{ readonly workflows: readonly { readonly name: string }[] }>();
  const served = workflows.map(({ name }) => name).toSorted();
  const adapted = ADAPTERS.map(({ workflow }) => workflow).toSorted();
  if (served.join() !== adapted.join()) {
    const rule = `the Worker has to serve what there are adapters for, ${adapted.join(", ")}`;
    throw new Error(`Cannot start as ${rule}: current value is ${served.join(", ")}`);
  }
}

class Chaos {
  readonly lives: Life[] = [];
  readonly faults: string[] = [];
  readonly stored: StoredExecutions;
  readonly #setting: Setting;
  #worker: Worker;
  #readyAt = Date.now();
  #found: readonly LeftBehind[] = [];
  /** Those that the engine had paused as they died again and again. */
  readonly resumed = new Set<string>();
  processesKilled = 0;

  constructor(setting: Setting, worker: Worker) {
    this.#setting = setting;
    this.#worker = worker;
    this.stored = new StoredExecutions(setting.persistTo, WORKER_NAME);
  }

  async killUntil(until: number): Promise<void> {
    const { draw, load } = this.#setting;
    let restartMs = 0;
    while (Date.now() < until) {
      // Where it takes long to come up it may stay up as long, or it would never do anything.
      await delay(Math.min(draw(500, Math.max(LIFE_MS, restartMs)), Math.max(0, until - Date.now())));
      await this.#kill();
      const killedAt = Date.now();
      this.#worker = await startedWorker(this.#setting);
      this.#readyAt = Date.now();
      restartMs = this.#readyAt - killedAt;
      const all = [...this.stored.look().values()];
      const ended = all.filter(hasEnded).length;
      const left = Math.max(0, Math.round((until - Date.now()) / 1_000));
      console.log(
        `kill ${this.lives.length}: ${load.all.length} asked for, ${all.length} stored, ${ended} ended; ${left} s left`,
      );
    }
  }

  /** Looks at every execution as it lies on disk when everything is dead. */
  async #kill(): Promise<void> {
    const pids = await this.#worker.kill();
    const killedAt = Date.now();
    this.processesKilled += pids.length;
    this.#endLife(killedAt);
    const found: LeftBehind[] = [];
    for (const [name, one] of this.stored.read()) {
      const fault = alarmFault(one, killedAt);
      if (fault !== undefined) this.faults.push(`${name} ${fault}, at kill ${this.lives.length}`);
      const left = leftBehind(name, one, killedAt);
      if (left !== undefined) found.push(left);
    }
    this.#found = found;
  }

  #endLife(killedAt: number): void {
    this.lives.push({ readyAt: this.#readyAt, killedAt, found: this.#found });
  }

  /**
   * Waits until every client has its answers and every execution its end. It looks at the disk alone: a request would
   * wake what its alarm has forgotten.
   */
  async settle(): Promise<number> {
    const { load } = this.#setting;
    const from = Date.now();
    let givesUpAt = from + ENDS_WITHIN_MS;
    for (;;) {
      const open = this.#open(load);
      const waited = Date.now() - from;
      if (load.waiting > 0) givesUpAt = Date.now() + ENDS_WITHIN_MS;
      else if (open.length === 0 || Date.now() > givesUpAt) return waited;
      const seconds = Math.round(waited / 1_000);
      console.log(`${seconds} s after the last start: ${open.length} have not ended, ${load.waiting} clients wait`);
      await delay(LOOK_MS);
    }
  }

  /** What has not ended, as far as the disk tells; what died too often is resumed. */
  #open(load: Load): readonly string[] {
    const stored = this.stored.look();
    const missing = load.all.filter((loaded) => loaded.isStarted && !stored.has(nameOf(loaded))).map(nameOf);
    const open = [...stored].filter(([, one]) => !hasEnded(one));
    for (const [name, { entries }] of open) {
      const last = entries.at(-1);
      if (last?.type !== "paused" || last.code !== "CRASH_LOOP" || this.resumed.has(name)) continue;
      this.resumed.add(name);
      load.resume(name);
    }
    return [...missing, ...open.map(([name]) => name)];
  }

  /** What the directory says that the executions do not, when there was time for every report. */
  async listFaults(): Promise<readonly string[]> {
    const givesUpAt = Date.now() + LISTED_WITHIN_MS;
    for (;;) {
      const faults = await listFaults(this.#worker.url, this.stored.look());
      if (faults.length === 0 || Date.now() > givesUpAt) return faults;
      console.log(`${faults.length} are not listed as they are`);
      await delay(LOOK_MS);
    }
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    this.#endLife(Date.now());
  }
}

async function run(setting: Setting, seed: number): Promise<boolean> {
  const { minutes, load, service, chat } = setting;
  const worker = await startedWorker(setting);
  await checkAdapters(worker.url);
  const chaos = new Chaos(setting, worker);
  const until = Date.now() + minutes * 60_000;
  await Promise.all([load.run(until), chaos.killUntil(until)]);
  const endedAfterMs = await chaos.settle();
  chaos.faults.push(...(await chaos.listFaults()));
  await chaos.stop();
  const journals = chaos.stored.read();
  const found = check(load.all, journals, [...service.ledgers(), ...chat.ledgers()]);
  const findings = { ...found, faults: [...found.faults, ...chaos.faults, ...load.client.faults] };
  const kills = chaos.lives.length - 1;
  if (kills === 0) findings.faults.push("nothing was killed");
  const figures = {
    seed,
    minutes,
    kills,
    killsOfProcesses: chaos.processesKilled,
    resumed: chaos.resumed.size,
    longest: longestWait(chaos.lives, journals),
    endedAfterMs,
  };
  for (const line of reportLines(figures, { all: load.all, journals }, findings)) console.log(line);
  return findings.faults.length === 0;
}

function readArguments(): { readonly minutes: number; readonly seed: number } {
  const { values } = parseArgs({ options: { minutes: { type: "string", default: "2" }, seed: { type: "string" } } });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 600)) {
    throw new RangeError(
      `Cannot use --minutes as it must be above 0 and at most 600: current value is ${values.minutes}`,
    );
  }
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0) {
    throw new RangeError(`Cannot use --seed as it must be a whole number: current value is ${values.seed}`);
  }
  return { minutes, seed };
}

async function main(): Promise<boolean> {
  const { minutes, seed } = readArguments();
  console.log(`chaos for ${minutes} minutes, seed ${seed}`);
  const draw = seededDraw(seed);
  const service = await startFlakyService({ plan: chaosPlan(seededDraw(seed + 1)) });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const load = new Load({
    adapters: ADAPTERS.filter(({ isChild }) => isChild !== true),
    draw,
    url,
    perSecond: STARTS_PER_SECOND,
  });
  const chat = await startChat({ draw: seededDraw(seed + 2), heardOf: (callback) => load.heardOf(callback) });
  const persistTo = await mkdtemp(join(tmpdir(), "stepwell-chaos-"));
  const removeStorage = () => rmSync(persistTo, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", removeStorage);
  const isWhole = await run({ minutes, draw, service, chat, load, port, persistTo }, seed);
  await Promise.all([service.close(), chat.close()]);
  if (!isWhole) {
    process.off("exit", removeStorage);
    console.log(`The storage is kept in ${persistTo}.`);
  }
  return isWhole;
}

// Leaving by `exit` is what takes the started processes along.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

try {
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
