import { delay } from "../../examples/demo/processes.ts";
import { createClient } from "../../src/client/index.ts";
import { compareList, type Listed } from "../support/compare-list.ts";
import { pathOf, type Asked } from "./asked.ts";
import { outputFault, signal } from "./traffic.ts";

/** So many look-ups go at once. */
const AT_ONCE = 32;
/** The directory follows by a moment; what it was not told at once it is told by an alarm. */
const LISTED_WITHIN_MS = 60_000;
const LOOK_MS = 500;

/** What became of every execution that was asked for, in words where it is wrong. */
export async function lookUp(url: string, all: readonly Asked[]): Promise<readonly string[]> {
  const seen: Seen = { found: [], unknown: [], faults: [] };
  const left = [...all];
  const clients = Array.from({ length: AT_ONCE }, async () => {
    for (let asked = left.pop(); asked !== undefined; asked = left.pop()) await look(url, asked, seen);
  });
  await Promise.all(clients);
  const unlisted = await directoryFaults(url, seen);
  return [...seen.faults, ...unlisted];
}

interface Seen {
  readonly found: Asked[];
  /** Their starts were under way when the load ended, and nobody was told of them: they may still arrive. */
  readonly unknown: Asked[];
  readonly faults: string[];
}

async function look(url: string, asked: Asked, { found, unknown, faults }: Seen): Promise<void> {
  const fault = await faultOf(url, asked);
  if (fault === "unknown") return void unknown.push(asked);
  found.push(asked);
  if (fault !== undefined) faults.push(`${asked.workflow}/${asked.id} ${fault}`);
}

/** `unknown`: there is none, and nobody was told that there is. */
async function faultOf(url: string, asked: Asked): Promise<string | undefined> {
  // What the load has left waiting; what has ended refuses a signal, and this one under its key counts once.
  if (asked.signal !== undefined) await send(url, asked);
  const response = await fetch(`${url}${pathOf(asked)}/result`, { headers: { prefer: "wait=60" } });
  const document = await response.json<Readonly<Record<string, unknown>>>();
  if (response.status === 404 && !asked.isStarted) return "unknown";
  if (response.status !== 200) return `was answered with ${response.status}: ${JSON.stringify(document).slice(0, 200)}`;
  return outputFault(asked, document);
}

async function send(url: string, asked: Asked): Promise<void> {
  const { path, body, headers } = signal(asked);
  await fetch(`${url}${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  }).then((response) => response.arrayBuffer());
}

async function directoryFaults(url: string, seen: Seen): Promise<readonly string[]> {
  const until = Date.now() + LISTED_WITHIN_MS;
  for (;;) {
    for (const asked of seen.unknown.splice(0)) await look(url, asked, seen);
    const states = new Map(seen.found.map(({ workflow, id }) => [`${workflow}/${id}`, "completed"]));
    const listed: Listed[] = [];
    for await (const summary of createClient({ url }).list()) listed.push(summary);
    const faults = compareList(listed, states);
    if (faults.length === 0 || Date.now() > until) return faults;
    await delay(LOOK_MS);
  }
}
