import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Contestant, Running } from "../contestant.ts";
import { BURST, TURNS } from "../names.ts";
import type { Program } from "../program.ts";
import { BenchWorker } from "../workerd.ts";
import type { Way } from "./worker.ts";

const WITHOUT = {
  paced: "a bare object recovers nothing",
  hopeless: "a bare object recovers nothing",
  signalled: "a bare object does not replay",
  sleeper: "a bare object keeps no workflow",
} as const;

/** A Durable Object that only writes the rows, in one of two ways. */
export function bareObject(way: Way): Contestant {
  return {
    name: way === "burst" ? BURST : TURNS,
    async start({ folder }): Promise<Running> {
      const worker = await BenchWorker.start(join(import.meta.dirname, "wrangler.toml"), folder);
      const run = (id: string, program: Program) => runBare(`${worker.url}/${way}/${id}`, program);
      return {
        settings: "Hono and one Durable Object, one row for each step",
        run: (program) => run(randomUUID(), program),
        begin: (program) => run(randomUUID(), program).then(() => {}),
        kill: () => worker.kill(),
        restart: () => worker.restart(),
        stop: () => worker.stop(),
        without: WITHOUT,
        inside: {
          begin: (id, program) => run(id, program).then(() => {}),
          run,
          settled: () => Promise.resolve(),
          signal: () => Promise.reject(new Error(WITHOUT.signalled)),
          evict: () => Promise.reject(new Error(WITHOUT.signalled)),
          usage: async (id) => {
            const response = await fetch(`${worker.url}/${id}/rows`);
            // The shape of the Worker's own answer.
            const { rowsWritten } = await response.json<{ readonly rowsWritten: number }>();
            return { rowsWritten, alarmsRung: 0, bytes: 0 };
          },
          memoryMib: () => worker.memoryMib(),
          objectsInMemory: () => worker.objectsInMemory(),
          diskKib: () => Promise.resolve(worker.diskKib()),
          firstRequest: async () => {
            const startedAt = performance.now();
            await runBare(`${worker.url}/${way}/${randomUUID()}`, { kind: "steps", count: 1 });
            return performance.now() - startedAt;
          },
        },
      };
    },
  };
}

async function runBare(url: string, program: Program): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(program),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The bare object answered ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as unknown;
}
