import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFailed } from "vitest";
import { readJournal, readState, startExecution, type ExecutionAddress } from "../../examples/demo/client.ts";
import type { JournalEntry } from "../../examples/demo/journal-entry.ts";
import { delay, freePort, startWorker, type Worker } from "../../examples/demo/processes.ts";
import { checkStep, stepRecords } from "../../examples/demo/step-check.ts";
import { startFlakyService, type FlakyService } from "../../examples/flaky-service.ts";
import { createClient } from "../../src/client/index.ts";
import { compareList, type Listed } from "../support/compare-list.ts";
import { seededDraw } from "../support/seeded-draw.ts";
import { drawWorkload } from "./errand-program.ts";

const EXECUTIONS = 50;
const KILLS = 5;
/** Four stages of three steps, and `finish`. */
const STEPS = 13;
/** A lease can be 30 seconds long after a death, and `finish` asks to come back once a second. */
const ALL_FINISHED_BY_MS = 90_000;
/** The last ends are reported after the last kill, and that at once. */
const LISTED_BY_MS = 30_000;
/** The answer to the last request is under way when the service has counted it. */
const SETTLED_BY_MS = 2_000;

const SEED = Number(process.env["STEPWELL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

let folder: string;
let service: FlakyService | undefined;
let worker: Worker | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-kill-"));
});

afterEach(async () => {
  await worker?.stop();
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(serviceUrl: string, port: number): Promise<Worker> {
  const config = join(import.meta.dirname, "wrangler.toml");
  return await startWorker({ port, persistTo: folder, vars: { FLAKY_URL: serviceUrl }, config });
}

/** Waits, without a request to the Worker, until the service has let every execution's last step through. */
async function allFinished(ledger: FlakyService): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    const finished = ledger
      .ledgers()
      .filter(({ path, hits }) => path.endsWith("/finish") && hits.some(({ answer }) => answer === "200"));
    if (finished.length >= EXECUTIONS) return await delay(SETTLED_BY_MS);
    if (Date.now() - startedAt > ALL_FINISHED_BY_MS) {
      const found = `${finished.length} of ${EXECUTIONS}`;
      throw new Error(`Cannot end the test as every execution has to finish without help: current value is ${found}`);
    }
    await delay(100);
  }
}

/** What the directory says otherwise than it is: it follows by a moment. */
async function listFaults(url: string, states: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const startedAt = Date.now();
  for (;;) {
    const listed: Listed[] = [];
    for await (const summary of createClient({ url }).list()) listed.push(summary);
    const faults = compareList(listed, states);
    if (faults.length === 0 || Date.now() - startedAt > LISTED_BY_MS) return faults;
    await delay(200);
  }
}

/** What is not as promised in one execution, in words. */
function faultsOf(ledger: FlakyService, id: string, entries: readonly JournalEntry[]): readonly string[] {
  const records = stepRecords(entries);
  const faults = records.flatMap((record) => {
    const ledgers = ledger.ledgers().filter(({ path }) => path === `/${id}/${record.name}`);
    return checkStep(record, ledgers).faults.map((fault) => `${id}/${record.name} ${fault}`);
  });
  const completions = entries.filter(({ type }) => type === "step-completed").length;
  if (records.length !== STEPS || completions !== STEPS) {
    faults.push(`${id} journaled ${completions} completions of ${records.length} steps instead of ${STEPS}`);
  }
  return faults;
}

/** Attempts that died with their object. */
function interruptionsIn(entries: readonly JournalEntry[]): number {
  return entries.filter(({ type, failure }) => type === "object-lost" || failure?.name === "StepInterrupted").length;
}

describe("an engine whose process is killed", () => {
  it("case 222: completes 50 executions through five SIGKILLs at random moments, runs no completed step again and lists each as it is", async () => {
    onTestFailed(() => console.error(`Repeat with STEPWELL_SEED=${SEED}`));
    const draw = seededDraw(SEED);
    const { programs, plan, openGate } = drawWorkload(EXECUTIONS, draw);
    service = await startFlakyService({ plan });
    const port = await freePort();
    worker = await start(service.url, port);
    const { url } = worker;
    const addressOf = (id: string): ExecutionAddress => ({ url, workflow: "errand", id });
    await Promise.all(programs.map(({ id, input }) => startExecution(addressOf(id), input)));

    for (let kill = 0; kill < KILLS; kill++) {
      await delay(draw(100, 3_000));
      await worker.kill();
      worker = await start(service.url, port);
    }
    // Nobody has finished before, so all of them were in flight at every kill.
    openGate();
    await allFinished(service);

    const states = await Promise.all(programs.map(({ id }) => readState(addressOf(id))));
    expect(states).toEqual(programs.map(() => "completed"));
    // Case 222: also of what was told to a directory that died.
    expect(await listFaults(url, new Map(programs.map(({ id }) => [`errand/${id}`, "completed"])))).toEqual([]);
    const journals = await Promise.all(programs.map(({ id }) => readJournal(addressOf(id), 0)));
    const ledger = service;
    expect(programs.flatMap(({ id }, index) => faultsOf(ledger, id, journals[index] ?? []))).toEqual([]);
    // Otherwise the kills met nothing that they could have broken.
    expect(journals.reduce((total, entries) => total + interruptionsIn(entries), 0)).toBeGreaterThan(0);
  });
});
