import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { freePort, startWorker, type Worker } from "../examples/demo/processes.ts";

const OBJECT = /^[0-9a-f]{64}\.sqlite/;
/** An object that is in memory has this open, and two files more. */
const OPEN_OBJECT = /\/[0-9a-f]{64}\.sqlite$/;

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
      debugger: "none",
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

  /** Objects that are in memory, by the files that workerd has open. */
  async objectsInMemory(): Promise<number> {
    const pids = (await this.#worker?.pids()) ?? [];
    return pids.flatMap(filesOf).filter((file) => OPEN_OBJECT.test(file)).length;
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

function filesOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}
