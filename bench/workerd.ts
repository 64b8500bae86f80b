import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { freePort, startWorker, type Worker } from "../examples/demo/processes.ts";

const OBJECT = /^[0-9a-f]{64}\.sqlite/;

/** A Worker in `wrangler dev` with its storage in a folder, which can be killed and started again. */
export class BenchWorker {
  readonly #config: string;
  readonly #folder: string;
  readonly #port: number;
  #worker: Worker | undefined;

  private constructor(config: string, folder: string, port: number) {
    this.#config = config;
    this.#folder = folder;
    this.#port = port;
  }

  static async start(config: string, folder: string): Promise<BenchWorker> {
    const worker = new BenchWorker(config, folder, await freePort());
    await worker.restart();
    return worker;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async restart(): Promise<void> {
    this.#worker = await startWorker({
      port: this.#port,
      persistTo: this.#folder,
      vars: {},
      config: this.#config,
    });
  }

  async kill(): Promise<void> {
    await this.#worker?.kill();
  }

  async stop(): Promise<void> {
    await this.#worker?.stop();
  }

  /** Resident memory of workerd, in MiB; the proxy of `wrangler dev` is a part of it that stays the same. */
  async memoryMib(): Promise<number> {
    const pids = (await this.#worker?.pids()) ?? [];
    const kib = pids.map((pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]));
    return kib.reduce((sum, one) => sum + one, 0) / 1_024;
  }

  /** Of the files of objects: what workerd keeps besides is one small file. */
  diskKib(): number {
    const folder = join(this.#folder, "v3/do");
    let bytes = 0;
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (file.isFile() && OBJECT.test(file.name)) bytes += statSync(join(file.parentPath, file.name)).blocks * 512;
    }
    return bytes / 1_024;
  }
}
