import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BenchWorker } from "../../bench/workerd.ts";
import { AskedExecutions } from "./asked.ts";
import { drive } from "./drive.ts";
import { lookUp } from "./look-up.ts";
import { reportLines, trafficFaults, verdictLines } from "./report.ts";

/**
 * `npm run load -- --seconds N --connections N`: starts, signals, results, views, lists and counts mixed, over many
 * connections, to a real `wrangler dev` with the directory. Then every execution is looked up. Ends with figures and an
 * exit code: 0 only if nothing was refused or lost, no answer was a 5xx, and everything ended right and is listed so.
 */

interface Arguments {
  readonly seconds: number;
  readonly connections: number;
}

function readArguments(): Arguments {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { seconds: text, connections: text } });
  return {
    seconds: countOf(values.seconds ?? "120", "--seconds", 3_600),
    connections: countOf(values.connections ?? "100", "--connections", 1_000),
  };
}

function countOf(text: string, field: string, maximum: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= maximum) return count;
  throw new RangeError(
    `Cannot use ${field} as it must be a whole number from 1 to ${maximum}: current value is ${text}`,
  );
}

const progress = (line: string) => console.error(line);

async function load({ seconds, connections }: Arguments, persistTo: string): Promise<boolean> {
  const worker = await BenchWorker.start(join(import.meta.dirname, "wrangler.toml"), persistTo);
  const { url } = worker;
  await fetch(`${url}/v1/counts`);
  const before = await worker.memoryMib();
  progress(`${seconds} s of load over ${connections} connections at ${url}`);
  const asked = new AskedExecutions();
  const traffic = await drive({ url, seconds, connections, asked, progress });
  const after = await worker.memoryMib();
  progress(`looking up ${asked.all.length} executions`);
  const lost = await lookUp(url, asked.all);
  const memoryMib = [before, after, await worker.memoryMib()] as const;
  await worker.stop();
  const faults = [...trafficFaults(traffic), ...traffic.faults, ...lost];
  const figures = { traffic, connections, executions: asked.all.length, memoryMib };
  for (const line of [...reportLines(figures), ...verdictLines(faults)]) console.log(line);
  return faults.length === 0;
}

// Leaving by `exit` is what takes the started processes along.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

try {
  const parsed = readArguments();
  const persistTo = await mkdtemp(join(tmpdir(), "stepwell-load-"));
  process.once("exit", () => rmSync(persistTo, { recursive: true, force: true, maxRetries: 5 }));
  process.exit((await load(parsed, persistTo)) ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
