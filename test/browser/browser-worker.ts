import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startWorker, type Worker } from "../../examples/demo/processes.ts";
import { examplePlan, type FlakyService, startFlakyService } from "../../examples/flaky-service.ts";

const CONFIG = join(import.meta.dirname, "wrangler.toml");

export interface BrowserWorkerOptions {
  /** Default: that of this folder. */
  readonly config?: string;
  readonly vars?: Readonly<Record<string, string>>;
}

interface Parts {
  readonly folder: string;
  readonly service: FlakyService;
  readonly options: Parameters<typeof startWorker>[0];
}

/** A Worker that a browser looks at, the service that it calls, and what it stores. */
export class BrowserWorker {
  readonly #parts: Parts;
  #worker: Worker;

  private constructor(parts: Parts, worker: Worker) {
    this.#parts = parts;
    this.#worker = worker;
  }

  static async start({ config = CONFIG, vars = {} }: BrowserWorkerOptions = {}): Promise<BrowserWorker> {
    const folder = await mkdtemp(join(tmpdir(), "stepwell-browser-"));
    const service = await startFlakyService({ plan: examplePlan({ retryAfterSeconds: 6 }) });
    const all = { FLAKY_URL: service.url, ...vars };
    const options = { port: await freePort(), persistTo: join(folder, "state"), vars: all, config };
    return new BrowserWorker({ folder, service, options }, await startWorker(options));
  }

  get url(): string {
    return this.#worker.url;
  }

  /** Ends it, and starts it again on what it has stored. */
  async restart(while_: () => Promise<void>): Promise<void> {
    await this.#worker.kill();
    await while_();
    this.#worker = await startWorker(this.#parts.options);
  }

  async close(): Promise<void> {
    await this.#worker.stop();
    await this.#parts.service.close();
    await rm(this.#parts.folder, { recursive: true, force: true });
  }
}
