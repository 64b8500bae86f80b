import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../examples/demo/processes.ts";
import { PeerProcess } from "../peer-process.ts";
import type { PeerServer } from "../postgres.ts";

/** Restate's server as it is shipped, on ports of its own. */
export async function startRestate(storage: string, folder: string): Promise<PeerServer> {
  const base = join(storage, "restate");
  mkdirSync(base);
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const server = new PeerProcess({
    command: process.execPath,
    args: [join(folder, "node_modules/.bin/restate-server"), "--base-dir", base],
    cwd: base,
    env: {
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_DISABLE_TELEMETRY: "true",
    },
    ready: "Partition 0",
  });
  await server.start();
  return {
    env: { RESTATE_INGRESS_URL: `http://127.0.0.1:${ingress}`, RESTATE_ADMIN_URL: `http://127.0.0.1:${admin}` },
    stop: () => server.kill(),
  };
}
