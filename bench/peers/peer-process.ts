import { spawn, type ChildProcess } from "node:child_process";
import { pause } from "../program.ts";

const READY_BY_MS = 60_000;
const LINES_SHOWN = 3;

export interface PeerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What its output says when it can be used. */
  readonly ready: string;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}

const running = new Set<ChildProcess>();

// Whatever ends this process, nothing that it started stays behind.
process.on("exit", () => {
  for (const child of running) killGroup(child);
});

/** With all that it has started itself. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It ended by itself meanwhile: what was asked for is done.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** A program that can be killed and started again. */
export class PeerProcess {
  readonly #program: PeerProgram;
  #child: ChildProcess | undefined;

  constructor(program: PeerProgram) {
    this.#program = program;
  }

  async start(): Promise<void> {
    const { command, args, env, ready, cwd, uid, gid } = this.#program;
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that one signal reaches all of it.
      detached: true,
      ...(cwd !== undefined && { cwd }),
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
    });
    this.#child = child;
    running.add(child);
    child.once("exit", () => running.delete(child));
    let output = "";
    const hear = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const startedAt = Date.now();
    while (!output.includes(ready)) {
      if (child.exitCode !== null || Date.now() - startedAt > READY_BY_MS) {
        killGroup(child);
        throw new Error(`it did not start: ${output.trim().split("\n").slice(-LINES_SHOWN).join(" ")}`);
      }
      await pause(10);
    }
    // From here on its output is read, or it would stand still, and not kept.
    child.stdout.off("data", hear).resume();
    child.stderr.off("data", hear).resume();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    killGroup(child);
    await exited;
  }
}
