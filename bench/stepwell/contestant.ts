import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createClient } from "../../src/client/index.ts";
import type { Client } from "../../src/client/types.ts";
import type { Contestant, ObjectUsage, Running } from "../contestant.ts";
import { STEPWELL } from "../names.ts";
import { pause, type Program } from "../program.ts";
import { BenchWorker } from "../workerd.ts";

const WORKFLOW = "program";

export const stepwellContestant: Contestant = {
  name: STEPWELL,
  async start({ folder }): Promise<Running> {
    const worker = await BenchWorker.start(join(import.meta.dirname, "wrangler.toml"), folder);
    const client = createClient({ url: worker.url });
    const run = (id: string, program: Program) => runProgram(client, id, program);
    const begin = async (id: string, program: Program) => void (await client.start(WORKFLOW, program, { id }));
    return {
      settings: "stepwell/client over HTTP, `wrangler dev`, storage on disk, no directory",
      run: (program) => run(randomUUID(), program),
      begin: (program) => begin(randomUUID(), program),
      kill: () => worker.kill(),
      restart: () => worker.restart(),
      stop: () => worker.stop(),
      inside: {
        begin,
        run,
        async settled(id) {
          const handle = client.get(WORKFLOW, id);
          while ((await handle.status()).state !== "waiting") await pause(50);
        },
        async signal(id) {
          const handle = client.get(WORKFLOW, id);
          await handle.signal("go", undefined, { wait: "60s" });
          await handle.result();
        },
        async evict(id) {
          await fetch(`${worker.url}/bench/evict/${id}`);
        },
        async usage(id) {
          const response = await fetch(`${worker.url}/bench/usage/${id}`);
          // The shape of the Worker's own answer.
          return await response.json<ObjectUsage>();
        },
        memoryMib: () => worker.memoryMib(),
        objectsInMemory: () => worker.objectsInMemory(),
        diskKib: () => Promise.resolve(worker.diskKib()),
        async firstRequest() {
          const startedAt = performance.now();
          await run(randomUUID(), { kind: "steps", count: 1 });
          return performance.now() - startedAt;
        },
      },
    };
  },
};

async function runProgram(client: Client, id: string, program: Program): Promise<unknown> {
  const handle = await client.start(WORKFLOW, program, { id, wait: "60s" });
  const { outcome } = handle;
  if (outcome?.kind === "completed") return outcome.value;
  return await handle.result();
}
