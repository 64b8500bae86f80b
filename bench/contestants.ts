import { join } from "node:path";
import { bareObject } from "./bare/contestant.ts";
import type { Contestant } from "./contestant.ts";
import { cloudflareWorkflows } from "./peers/cloudflare-workflows/contestant.ts";
import { nodePeer } from "./peers/node-peer.ts";
import { startPostgres } from "./peers/postgres.ts";
import { startRestate } from "./peers/restate/server.ts";
import { stepwellContestant } from "./stepwell/contestant.ts";

export const CONTESTANTS: readonly Contestant[] = [stepwellContestant, bareObject("turns"), bareObject("burst")];

/** What needs an installation of its own. */
export const PEERS: readonly Contestant[] = [
  cloudflareWorkflows,
  nodePeer({
    name: "OpenWorkflow (SQLite)",
    folder: join(import.meta.dirname, "peers/openworkflow"),
    settings: "0.10.1, client and worker in one Node process, 50 runs at once",
  }),
  nodePeer({
    name: "DBOS",
    folder: join(import.meta.dirname, "peers/dbos"),
    settings: "5.3.0, in one Node process over PostgreSQL as Debian ships it",
    server: startPostgres,
  }),
  nodePeer({
    name: "Restate",
    folder: join(import.meta.dirname, "peers/restate"),
    settings: "server 1.7.12 as shipped, SDK 1.17.2 in one Node process",
    server: startRestate,
  }),
  nodePeer({
    name: "Vercel Workflow (local)",
    folder: join(import.meta.dirname, "peers/vercel-workflow"),
    settings: "4.8.9 with its local world, which keeps runs in files and its queue in memory, in one Node process",
    compile: ["node_modules/workflow/bin/run.js", "build"],
    // A step costs more the more there were before it.
    atMost: { steps: 100, fetches: 100, parallel: 100, retries: 20 },
  }),
];
