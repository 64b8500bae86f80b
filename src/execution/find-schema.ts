import { LIMITS } from "../limits.ts";
import type { Activity } from "./caller.ts";
import { callWorkflow } from "./call-workflow.ts";
import type { Deployment } from "./deployment.ts";
import { Journal } from "./journal.ts";
import type { Ports } from "./ports.ts";
import type { GivenSchema, Run } from "./run.ts";

/**
 * Which schema the code gives to a recorded callback: by a replay of which nothing is kept. A run like any other is fed
 * what the journal holds, over a journal of its own that is never written; no step's function is called, nothing is
 * logged, and so an execution may be paused meanwhile, or be doing something else. `undefined` where the code does not
 * come to that callback: its version is not deployed, or it does not fit the journal.
 */
export async function findSchema(
  op: number,
  { ports, deployment }: { readonly ports: Ports; readonly deployment: Deployment },
): Promise<GivenSchema | undefined> {
  const journal = new Journal(ports.storage);
  journal.load();
  let activity: Activity = "none";
  const { clock } = ports;
  const watch = new Hearing(clock);
  const silent = { ...ports, log: () => {} };
  const call = callWorkflow(deployment, silent, {
    journal,
    activity: () => activity,
    now: () => clock.now(),
    inFlight: () => false,
    placesTaken: () => 0,
    allowsAttempt: () => true,
    isCareful: () => false,
    kick: () => watch.hear(),
  });
  if (call.kind === "absent") return undefined;
  const turn = async (act: () => void) => {
    activity = "delivery";
    act();
    await ports.turn.end();
    activity = "none";
  };
  await turn(call.begin);
  const found = await replayUntilAsked(op, call.run, { turn, watch });
  call.run.stop();
  return found;
}

interface Replay {
  readonly turn: (act: () => void) => Promise<void>;
  readonly watch: Hearing;
}

async function replayUntilAsked(op: number, run: Run, { turn, watch }: Replay): Promise<GivenSchema | undefined> {
  for (let found = run.schemaOf(op); ; found = run.schemaOf(op)) {
    if (found !== undefined || run.isOver || run.result !== undefined) return found;
    const next = run.deliverable;
    if (next !== undefined) await turn(() => void run.deliver(next));
    // Its code awaits something that is no operation, or it is past everything that is recorded.
    else if (run.caughtUp && run.hasAskedAll) return undefined;
    else if (!(await watch.heard())) return undefined;
  }
}

/** Waits for code that is elsewhere, as long as a run may stall. */
class Hearing {
  readonly #clock: Ports["clock"];
  #tell: (() => void) | undefined;

  constructor(clock: Ports["clock"]) {
    this.#clock = clock;
  }

  hear(): void {
    this.#tell?.();
  }

  /** False where nothing was heard for too long. */
  async heard(): Promise<boolean> {
    return await new Promise((resolve) => {
      const withdraw = this.#clock.timer(this.#clock.now() + LIMITS.stallMs, () => resolve(false));
      this.#tell = () => {
        withdraw();
        resolve(true);
      };
    });
  }
}
