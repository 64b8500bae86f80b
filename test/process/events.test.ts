import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJournal, startExecution, type ExecutionAddress } from "../../examples/demo/client.ts";
import { delay, freePort, startWorker, type Worker } from "../../examples/demo/processes.ts";
import { startFlakyService, type FlakyService } from "../../examples/flaky-service.ts";
import { EventText, type SeenEvent } from "../support/event-viewer.ts";
import { seededDraw } from "../support/seeded-draw.ts";
import { drawWorkload } from "./errand-program.ts";

const VIEWERS = 10;
const KILLS = 3;
const SEED = 7;

let folder: string;
let service: FlakyService | undefined;
let worker: Worker | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-events-"));
});

afterEach(async () => {
  await worker?.stop();
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Watches as an `EventSource` does: comes back after whatever happens, with the last number that it saw. */
class EventSourceLike {
  readonly seen: SeenEvent[] = [];
  connections = 0;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Until the Worker says that there is nothing any more. */
  async watch(): Promise<void> {
    for (;;) {
      try {
        const last = this.seen.at(-1)?.id;
        const headers: Record<string, string> = last === undefined ? {} : { "Last-Event-ID": String(last) };
        const response = await fetch(this.#url, { headers });
        if (response.status === 204) return;
        if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
        this.connections += 1;
        await this.#read(response);
      } catch (error) {
        // The process was killed, and is not there yet.
        if (!(error instanceof TypeError)) throw error;
      }
      await delay(50);
    }
  }

  async #read({ body }: Response): Promise<void> {
    const text = new EventText();
    for await (const chunk of body ?? []) {
      text.push(new TextDecoder().decode(chunk, { stream: true }));
      this.seen.push(...text.events.splice(0));
    }
  }
}

describe("viewers of an engine whose process is killed", () => {
  it("see every entry once and in order when they come back with the last number that they saw", async () => {
    const { programs, plan, openGate } = drawWorkload(1, seededDraw(SEED));
    service = await startFlakyService({ plan });
    const port = await freePort();
    const config = join(import.meta.dirname, "wrangler.toml");
    const start = (url: string) => startWorker({ port, persistTo: folder, vars: { FLAKY_URL: url }, config });
    worker = await start(service.url);
    const [program] = programs;
    const address: ExecutionAddress = { url: worker.url, workflow: "errand", id: program?.id ?? "" };
    await startExecution(address, program?.input);
    const url = `${worker.url}/v1/workflows/errand/executions/${address.id}/events`;
    const viewers = Array.from({ length: VIEWERS }, () => new EventSourceLike(url));
    const watching = Promise.all(viewers.map((viewer) => viewer.watch()));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await delay(1_500);
      await worker.kill();
      worker = await start(service.url);
    }
    openGate();
    await watching;
    const journal = await readJournal(address, 0);
    for (const { seen, connections } of viewers) {
      expect(seen.map(({ data }) => data)).toEqual(journal);
      expect(connections).toBeGreaterThan(KILLS);
    }
  });
});
