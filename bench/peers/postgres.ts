import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "../../examples/demo/processes.ts";
import { PeerProcess } from "./peer-process.ts";

/** Where Debian puts each version. */
const DEBIAN = "/usr/lib/postgresql";
/** PostgreSQL refuses to run as this user. */
const SUPERUSER = 0;

/** A PostgreSQL server with the settings that it is shipped with. Gives the host of a peer its URL. */
export async function startPostgres(storage: string): Promise<PeerServer> {
  const bin = binFolder();
  const owner = process.getuid?.() === SUPERUSER ? userOf("postgres") : undefined;
  const folder = join(storage, "postgres");
  mkdirSync(folder);
  if (owner !== undefined) {
    letThrough(storage);
    chownSync(folder, owner.uid, owner.gid);
  }
  execFileSync(join(bin, "initdb"), ["-D", folder, "-U", "postgres", "-A", "trust"], { ...owner, stdio: "ignore" });
  const port = await freePort();
  const server = new PeerProcess({
    command: join(bin, "postgres"),
    args: ["-D", folder, "-p", String(port), "-k", folder, "-h", "127.0.0.1"],
    env: {},
    ready: "ready to accept connections",
    ...owner,
  });
  await server.start();
  return { env: { POSTGRES_URL: `postgresql://postgres@127.0.0.1:${port}/bench` }, stop: () => server.kill() };
}

const PERMISSIONS = 0o7777;
const PASSABLE = 0o011;

/** Another user than ours has to come through to its own folder, past those that are ours alone. */
function letThrough(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & PASSABLE) !== PASSABLE) chmodSync(folder, (mode & PERMISSIONS) | PASSABLE);
  if (folder !== dirname(folder)) letThrough(dirname(folder));
}

/** What runs beside the host of a peer, and what the host has to know of it. */
export interface PeerServer {
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

function binFolder(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const [latest] = versions;
  if (latest === undefined) throw new Error(`PostgreSQL is not installed: there is no ${DEBIAN}`);
  return join(DEBIAN, latest, "bin");
}

function userOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
