import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Ledger } from "../flaky-service.ts";
import { checkHealth, startExecution } from "./client.ts";
import { follow, hasEnded, type Followed, type Reply } from "./following.ts";
import { operationNames } from "./journal-entry.ts";
import { delay, freePort, ROOT, startFlakyServiceProcess, startWorker, type Worker } from "./processes.ts";
import { report } from "./report.ts";
import { drawLine, type Line } from "./timeline.ts";

/**
 * `npm run demo`: three executions against a service that fails, workerd killed while `charge-card` waits for its retry,
 * and a comparison of what the journals hold with what the service counted. Exit code 0 only if all is as promised.
 * `--smoke` waits less and uses no colours.
 */

const PHASE_MS = 40_000;

const REPLIES: readonly Reply[] = [
  { operation: "approval", signal: "approval", value: { approved: true } },
  { operation: "done#2", signal: "done", value: {} },
];

interface Setting {
  readonly port: number;
  readonly persistTo: string;
  readonly serviceUrl: string;
  readonly draw: (line: Line) => void;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { smoke: { type: "boolean", default: false } } });
  const persistTo = join(ROOT, ".demo");
  rmSync(persistTo, { recursive: true, force: true });
  console.log("Starting the flaky service and wrangler dev …");
  const service = await startFlakyServiceProcess({ retryAfterSeconds: values.smoke ? 3 : 10 });
  const draw = drawer(values.smoke);
  const setting: Setting = { port: await freePort(), persistTo, serviceUrl: service.url, draw };
  const before = await startedWorker(setting);
  await checkHealth(before.url);
  const followed = await startExecutions(before.url, values.smoke ? "1s" : "2s");

  await killMidBackoff(before, followed, draw);
  const after = await startedWorker(setting);
  draw(noteOf("started again; no request is sent until the service has seen the retry"));
  await retrySeen(service.url);
  await follow(followed, {
    replies: REPLIES,
    draw,
    until: () => followed.every(hasEnded),
    what: "every execution has to end",
    timeoutMs: PHASE_MS,
  });

  const lines = report(followed, await ledgersOf(service.url));
  for (const { text } of lines) console.log(text);
  await Promise.all([after.stop(), service.stop()]);
  return lines.every(({ ok }) => ok);
}

function startedWorker({ port, persistTo, serviceUrl }: Setting): Promise<Worker> {
  return startWorker({ port, persistTo, vars: { FLAKY_URL: serviceUrl } });
}

async function startExecutions(url: string, interval: string): Promise<readonly Followed[]> {
  const inputs = {
    order: { sku: "lamp", cents: 4_900 },
    "fan-out": { tiles: 20 },
    reminder: { to: "ada@example.com", nudges: 5, interval },
  };
  const followed: Followed[] = [];
  for (const [workflow, input] of Object.entries(inputs)) {
    const execution = { url, workflow, id: "demo" };
    await startExecution(execution, input);
    followed.push({ execution, entries: [] });
  }
  return followed;
}

/** Follows until half of the time is over that the service asked `charge-card` to wait, and kills workerd. */
async function killMidBackoff(
  worker: Worker,
  followed: readonly Followed[],
  draw: (line: Line) => void,
): Promise<void> {
  let killAt = Number.POSITIVE_INFINITY;
  await follow(followed, {
    replies: REPLIES,
    draw,
    until: () => {
      killAt = Math.min(killAt, ...followed.map(middleOfBackoff));
      return Date.now() >= killAt;
    },
    what: "charge-card has to wait for its retry",
    timeoutMs: PHASE_MS,
  });
  const pids = await worker.kill();
  draw(noteOf(`SIGKILL to workerd (${pids.join(", ")}) while charge-card waits for its retry`));
}

function middleOfBackoff({ entries }: Followed): number {
  const names = operationNames(entries);
  const waiting = entries.find(
    ({ type, op }) => type === "attempt-failed" && op !== undefined && names.get(op) === "charge-card",
  );
  return waiting?.retryAt === undefined ? Number.POSITIVE_INFINITY : (waiting.at + waiting.retryAt) / 2;
}

/** Nobody has spoken to the Worker since it started again, so only the alarm can have woken the execution. */
async function retrySeen(serviceUrl: string): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    const payment = (await ledgersOf(serviceUrl)).find(({ path }) => path.startsWith("/payments/"));
    if ((payment?.hits.length ?? 0) > 1) return;
    if (Date.now() - startedAt > PHASE_MS) {
      throw new Error(
        `Cannot go on as charge-card has to be retried by its alarm: current value is nothing after ${PHASE_MS / 1_000} seconds`,
      );
    }
    await delay(50);
  }
}

async function ledgersOf(serviceUrl: string): Promise<readonly Ledger[]> {
  const response = await fetch(`${serviceUrl}/hits`);
  // Written by flaky-service.ts of the same commit.
  return (await response.json()) as readonly Ledger[];
}

function noteOf(text: string): Line {
  return { at: Date.now(), execution: "", operation: "", text, tone: "bad" };
}

function drawer(smoke: boolean): (line: Line) => void {
  const colours = process.stdout.isTTY && !smoke && (process.env["NO_COLOR"] ?? "") === "";
  const startedAt = Date.now();
  return (line) => console.log(drawLine(line, { startedAt, colours }));
}

// Leaving by `exit` is what takes the started processes along.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
