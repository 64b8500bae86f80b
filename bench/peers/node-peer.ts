import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../examples/demo/processes.ts";
import type { Contestant, Running } from "../contestant.ts";
import type { Program } from "../program.ts";
import { PeerProcess } from "./peer-process.ts";
import type { PeerServer } from "./postgres.ts";

export interface NodePeer {
  readonly name: string;
  /** The folder that holds its `package.json`, its lock file and `host.ts`. */
  readonly folder: string;
  readonly settings: string;
  /** A module in its folder that is run first, with arguments, where it compiles what it is given. */
  readonly compile?: readonly string[];
  readonly atMost?: Running["atMost"];
  /** Starts what it needs besides. */
  readonly server?: (storage: string, folder: string) => Promise<PeerServer>;
}

const WITHOUT = "not measured: there is no common form of it";

const INSTALLED_BY_MS = 5 * 60_000;

/** An engine in a Node process of its own, installed from its lock file on first use. */
export function nodePeer({ name, folder, settings, server, compile, atMost }: NodePeer): Contestant {
  return {
    name,
    async start({ folder: storage }): Promise<Running> {
      install(folder);
      if (compile !== undefined) run(folder, process.execPath, compile);
      const besides = await server?.(storage, folder);
      const port = await freePort();
      const host = new PeerProcess({
        command: process.execPath,
        args: ["--disable-warning=ExperimentalWarning", join(folder, "host.ts")],
        env: { ...besides?.env, PORT: String(port), STORAGE: storage, NODE_ENV: "production" },
        ready: "The peer is ready",
      });
      await host.start();
      return {
        settings,
        run: (program) => ask(port, "run", program),
        begin: async (program) => void (await ask(port, "begin", program)),
        kill: () => host.kill(),
        restart: () => host.start(),
        async stop() {
          await host.kill();
          await besides?.stop();
        },
        ...(atMost !== undefined && { atMost }),
        without: { signalled: WITHOUT, sleeper: WITHOUT },
      };
    },
  };
}

function install(folder: string): void {
  if (existsSync(join(folder, "node_modules"))) return;
  run(folder, "npm", ["ci", "--no-audit", "--no-fund"]);
}

function run(folder: string, command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    timeout: INSTALLED_BY_MS,
  });
  if (status === 0) return;
  const said = error?.message ?? stderr.trim().split("\n").slice(-3).join(" ");
  throw new Error(`${command} ${args.join(" ")} failed in ${folder}: ${said}`);
}

async function ask(port: number, what: "run" | "begin", program: Program): Promise<unknown> {
  const url = `http://127.0.0.1:${port}/${what}`;
  const response = await fetch(url, { method: "POST", body: JSON.stringify(program) });
  const text = await response.text();
  if (!response.ok) throw new Error(text.slice(0, 200));
  return JSON.parse(text) as unknown;
}
