import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJournal, readState, startExecution } from "../../examples/demo/client.ts";
import { delay, freePort, startWorker, type Worker } from "../../examples/demo/processes.ts";
import { startFlakyService, type FlakyService, type Plan } from "../../examples/flaky-service.ts";

/** A lease can be 30 seconds long after a death, and the flight asks to come back once a second. */
const DONE_BY_MS = 90_000;

let folder: string;
let service: FlakyService | undefined;
let worker: Worker | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-saga-"));
});

afterEach(async () => {
  await worker?.stop();
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

/** No car is ever there, and the flight cannot be cancelled before the gate is open. */
function planWithGate(gate: { isOpen: boolean }): Plan {
  return ({ pathname }) => {
    if (pathname.includes("book-car")) return { kind: "refuse", status: 500 };
    if (pathname.includes("cancel-flight") && !gate.isOpen) {
      return { kind: "refuse", status: 503, retryAfter: { form: "seconds", seconds: 1 } };
    }
    return { kind: "ok" };
  };
}

function answersTo({ ledgers }: FlakyService, job: string): readonly string[] {
  return ledgers()
    .filter(({ path }) => path.includes(job))
    .flatMap(({ hits }) => hits.map(({ answer }) => answer));
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const startedAt = Date.now();
  while (!holds()) {
    if (Date.now() - startedAt > DONE_BY_MS) throw new Error(`Cannot end the test as ${what} must come without help.`);
    await delay(50);
  }
}

describe("the saga of the examples, whose process is killed", () => {
  it("runs both rollbacks although workerd is killed between them, and the first one once", async () => {
    const gate = { isOpen: false };
    const ledger = await startFlakyService({ plan: planWithGate(gate) });
    service = ledger;
    const options = { port: await freePort(), persistTo: folder, vars: { FLAKY_URL: ledger.url } };
    worker = await startWorker(options);
    const address = { url: worker.url, workflow: "saga", id: "rome" };
    await startExecution(address, { city: "rome" });
    // The hotel is given back, and the flight was tried.
    await until(() => answersTo(ledger, "cancel-flight").length > 0, "the second rollback");
    await worker.kill();
    expect(answersTo(ledger, "cancel-hotel")).toEqual(["200"]);
    worker = await startWorker(options);
    gate.isOpen = true;
    await until(() => answersTo(ledger, "cancel-flight").includes("200"), "the end of the second rollback");
    // The answer to the last request is under way when the service has counted it.
    await delay(2_000);
    expect(await readState(address)).toBe("failed");
    const types = (await readJournal(address, 0)).map(({ type }) => type);
    expect(types.filter((type) => type === "rollback-completed")).toHaveLength(2);
    expect(types.findLast((type) => type !== "reported")).toBe("failed");
    expect(answersTo(ledger, "cancel-hotel")).toEqual(["200"]);
    expect(answersTo(ledger, "cancel-flight").filter((answer) => answer === "200")).toHaveLength(1);
    expect(answersTo(ledger, "book-car")).toHaveLength(3);
  });
});
