import { execFile, spawn, type ChildProcess } from "node:child_process";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";

/** The folder that holds `package.json`. */
export const ROOT = join(import.meta.dirname, "../..");

/** A started program with everything that it started itself. */
export interface Program {
  readonly url: string;
  /** Ends all of it. Resolves when the port is free again; a second call has no effect. */
  readonly stop: () => Promise<void>;
}

export interface Worker extends Program {
  /** SIGKILL to workerd first, then to all the rest, so that nothing can clean up. Resolves to workerd's process ids. */
  readonly kill: () => Promise<readonly number[]>;
  /** The process ids of workerd: of the Worker, and of a proxy before it. */
  readonly pids: () => Promise<readonly number[]>;
}

export interface WorkerOptions {
  readonly port: number;
  /** Where Durable Objects are kept from one start to the next. */
  readonly persistTo: string;
  readonly vars: Readonly<Record<string, string>>;
  /** Default: `wrangler.toml` of the repository. */
  readonly config?: string;
  /** Wrangler attaches a debugger to the Worker as a rule, which makes code with many promises much slower. */
  readonly debugger?: "attached" | "none";
}

const STARTED_BY_MS = 60_000;
const STOPPED_BY_MS = 10_000;
const OUTPUT_LINES_SHOWN = 20;
/** After a failed build wrangler lives on and waits for a change of the source. */
const STARTING_FAILED = "[ERROR] Build failed";

/** Starts `wrangler dev`. Resolves when it listens, without sending a request; rejects with its last output. */
export async function startWorker({
  port,
  persistTo,
  vars,
  config = join(ROOT, "wrangler.toml"),
  debugger: attached = "attached",
}: WorkerOptions): Promise<Worker> {
  const url = `http://127.0.0.1:${port}`;
  const args = ["dev", "--config", config, "--persist-to", persistTo, "--ip", "127.0.0.1", "--port", String(port)];
  args.push("--inspector-port", "0", "--show-interactive-dev-session=false");
  for (const [name, value] of Object.entries(vars)) args.push("--var", `${name}:${value}`);
  const child = launch([join(ROOT, "node_modules/wrangler/bin/wrangler.js"), ...args], {
    CI: "true",
    // Its own tracing of every request costs more than the requests.
    X_LOCAL_OBSERVABILITY: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_LOG_PATH: join(persistTo, "logs"),
    // Wrangler leaves the Worker alone where an editor says that it attaches its own.
    ...(attached === "none" && { VSCODE_INSPECTOR_OPTIONS: "{}" }),
  });
  await firstMatch(child, { pattern: new RegExp(`Ready on ${url}`, "u"), what: "wrangler dev" });
  return {
    url,
    stop: () => end(child, port),
    pids: () => workerdPids(child),
    kill: async () => {
      const pids = await workerdPids(child);
      for (const pid of pids) signalIfAlive(pid, "SIGKILL");
      await end(child, port);
      return pids;
    },
  };
}

export interface FlakyServiceProcessOptions {
  readonly retryAfterSeconds: number;
}

/** Starts `examples/flaky-service.ts` as a process of its own, on a free port. */
export async function startFlakyServiceProcess({ retryAfterSeconds }: FlakyServiceProcessOptions): Promise<Program> {
  const child = launch([join(ROOT, "examples/flaky-service.ts"), "--retry-after", String(retryAfterSeconds)], {});
  const line = await firstMatch(child, { pattern: /^\{.*\}$/mu, what: "the flaky service" });
  // The service's own line, written by `main` of flaky-service.ts.
  const { url } = JSON.parse(line) as { readonly url: string };
  return { url, stop: () => end(child, Number(new URL(url).port)) };
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // `address()` is a string only for pipes.
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

const outputs = new WeakMap<ChildProcess, string[]>();
const running = new Set<ChildProcess>();

// Whatever ends this process, nothing that it started stays behind.
process.on("exit", () => {
  for (const child of running) signalIfAlive(-(child.pid ?? 0), "SIGKILL");
});

/** A group of its own, so that one signal reaches every process that the program starts. */
function launch(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  const output: string[] = [];
  outputs.set(child, output);
  child.stdout?.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

interface Expected {
  readonly pattern: RegExp;
  /** The program's name in an error. */
  readonly what: string;
}

/** What the program's output said, at the first match. */
async function firstMatch(child: ChildProcess, { pattern, what }: Expected): Promise<string> {
  const startedAt = Date.now();
  for (;;) {
    const output = stripVTControlCharacters(outputs.get(child)?.join("") ?? "");
    const match = pattern.exec(output);
    if (match !== null) return match[0];
    const ended = child.exitCode ?? child.signalCode;
    const waited = Date.now() - startedAt;
    if (ended === null && waited < STARTED_BY_MS && !output.includes(STARTING_FAILED)) {
      await delay(20);
      continue;
    }
    signalIfAlive(-(child.pid ?? 0), "SIGKILL");
    const state = ended === null ? `still running after ${waited} ms` : `ended with ${ended}`;
    throw new Error(
      `Cannot start ${what} as it has to say that it is ready: current value is ${state}. Its output:\n${endOf(output)}`,
    );
  }
}

/** From the first error on, else the last lines. */
function endOf(output: string): string {
  const lines = output.trimEnd().split("\n");
  const failedAt = lines.findIndex((line) => line.includes(STARTING_FAILED));
  return (
    failedAt === -1 ? lines.slice(-OUTPUT_LINES_SHOWN) : lines.slice(failedAt, failedAt + OUTPUT_LINES_SHOWN)
  ).join("\n");
}

/** SIGTERM gives nothing that a crash would not: every program here has to survive SIGKILL anyway. */
async function end(child: ChildProcess, port: number): Promise<void> {
  const exited =
    child.exitCode !== null || child.signalCode !== null
      ? undefined
      : new Promise((resolve) => child.once("exit", resolve));
  signalIfAlive(-(child.pid ?? 0), "SIGKILL");
  await exited;
  const killedAt = Date.now();
  while (await listens(port)) {
    if (Date.now() - killedAt > STOPPED_BY_MS) {
      throw new Error(`Cannot stop a program as its port has to be free: current value is ${port}, still in use`);
    }
    await delay(20);
  }
}

/** The process ids of workerd in the group of `child`. wrangler runs one for the Worker and one before it as a proxy. */
async function workerdPids(child: ChildProcess): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,pgid=,comm="]);
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, group, command]) => Number(group) === child.pid && command?.endsWith("workerd") === true)
    .map(([pid]) => Number(pid));
}

function signalIfAlive(pid: number, signal: "SIGKILL"): void {
  // 0 would be this process's own group.
  if (pid === 0) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself meanwhile: what was asked for is done.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
