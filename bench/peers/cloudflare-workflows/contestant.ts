import { join } from "node:path";
import type { Contestant, Running } from "../../contestant.ts";
import type { Program } from "../../program.ts";
import { BenchWorker } from "../../workerd.ts";

const WITHOUT = "not measured: there is no common form of it";

/** The engine that `wrangler dev` runs locally; the one on the platform is another. */
export const cloudflareWorkflows: Contestant = {
  name: "Cloudflare Workflows (local)",
  async start({ folder }): Promise<Running> {
    const worker = await BenchWorker.start(join(import.meta.dirname, "wrangler.toml"), folder);
    const ask = async (what: "run" | "begin", program: Program): Promise<unknown> => {
      const response = await fetch(`${worker.url}/${what}`, { method: "POST", body: JSON.stringify(program) });
      const text = await response.text();
      if (!response.ok) throw new Error(text.slice(0, 200));
      return JSON.parse(text) as unknown;
    };
    return {
      settings: "`wrangler dev`, status asked every 2 ms inside the Worker",
      run: (program) => ask("run", program),
      begin: async (program) => void (await ask("begin", program)),
      kill: () => worker.kill(),
      restart: () => worker.restart(),
      stop: () => worker.stop(),
      without: { signalled: WITHOUT, sleeper: WITHOUT },
    };
  },
};
