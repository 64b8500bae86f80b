import { AsyncLocalStorage } from "node:async_hooks";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Deployment } from "../../src/execution/deployment.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { emptyState } from "../../src/journal/state.ts";
import type { Execution } from "../workers/worker.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { watchStorage, type UnwatchedAlarm } from "./watch-storage.ts";

export type Inside<R> = (object: Execution, state: DurableObjectState) => R | Promise<R>;

/** What an alarm waits for after its handler threw. */
const RING_AGAIN_MS = 2_000;

/** The object that the running code belongs to: whoever asks the host for a delay does not say so. */
export const objectOfCode = new AsyncLocalStorage<LiveObject>();

/** One Durable Object with a clock of its own, because timers have to fire in the context of their object. */
export class LiveObject {
  readonly name: string;
  deployment: Deployment;
  clock: VirtualClock;
  isRinging = false;
  /** What was last done to the alarm: asking storage is a request to the object. */
  alarmAt: number | undefined;
  #journaled = emptyState();
  /** Counts the object's turns, over all of its lives. */
  turns = 0;
  /** Turns of this life that have not ended. */
  openTurns = 0;
  /** As the platform bills them, over all lives; each alarm that the engine sets is one. */
  rowsWritten = 0;
  /** How often the alarm's handler was called. */
  rings = 0;
  #life = 0;
  /** What the alarm that rang last had been set for. */
  #rangFor: number | undefined;
  #platform: UnwatchedAlarm | undefined;

  constructor(name: string, deployment: Deployment, clock: VirtualClock) {
    this.name = name;
    this.deployment = deployment;
    this.clock = clock;
  }

  /** A new one each time: it may be used only by the object, or the test, that asks for it. */
  get stub(): DurableObjectStub<Execution> {
    return env.EXECUTIONS.get(env.EXECUTIONS.idFromName(this.name));
  }

  /** The object is constructed: a new life begins. */
  watch(ctx: DurableObjectState): void {
    this.#platform = watchStorage(ctx, {
      wrote: (rows) => (this.rowsWritten += rows),
      alarmMoved: (at) => (this.alarmAt = at),
      journaled: (entries) => this.#fold(entries),
      turn: (act) => this.#turn(act),
    });
  }

  /** It has ended, and everybody knows who has to. */
  get hasEnded(): boolean {
    const { end, outbox } = this.#journaled;
    return end !== undefined && outbox.size === 0;
  }

  #fold(entries: string | undefined): void {
    if (entries === undefined) this.#journaled = emptyState();
    else for (const entry of JSON.parse(entries) as Entry[]) fold(this.#journaled, entry);
  }

  async #turn<R>(act: () => Promise<R>): Promise<R> {
    const life = this.#life;
    this.openTurns += 1;
    this.turns += 1;
    try {
      return await act();
    } finally {
      if (life === this.#life) this.openTurns -= 1;
    }
  }

  /** Calls back in the object's own context. Constructs the object where it is not in memory. */
  inside<R>(callback: Inside<R>): Promise<R> {
    return runInDurableObject<Execution, R>(this.stub, (object, state) =>
      objectOfCode.run(this, () => callback(object, state)),
    );
  }

  async alarm(): Promise<number | undefined> {
    return await this.inside(async (_, { storage }) => (await storage.getAlarm()) ?? undefined);
  }

  /** As the platform does: the alarm is gone before its handler runs, and rings again where that threw. */
  async ring(): Promise<void> {
    const life = this.#life;
    await this.inside((object, { storage }) => {
      const at = this.alarmAt;
      this.#rangFor = at;
      // Not waited for: every commit is a write to disk, and there may be thousands of rings in a test.
      void this.#platform?.deleteAlarm();
      this.isRinging = true;
      this.rings += 1;
      // An alarm that rings early was not early for the platform, whose clock went before ours.
      const info = at === undefined ? {} : { scheduledTime: Math.min(at, this.clock.now()) };
      const rung = async () => {
        try {
          await object.alarm(info);
        } catch {
          if (life !== this.#life || (await storage.getAlarm()) !== null) return;
          await this.#platform?.setAlarm(this.clock.now() + RING_AGAIN_MS);
        } finally {
          if (life === this.#life) this.isRinging = false;
        }
      };
      // The handler stays with the work, which may have to wait for the clock.
      void rung();
    });
  }

  /** Behind the engine's back. */
  async spoilAlarm(at: number | undefined): Promise<void> {
    await this.inside(() => (at === undefined ? this.#platform?.deleteAlarm() : this.#platform?.setAlarm(at)));
  }

  async evict(): Promise<void> {
    // The platform rings an alarm again whose handler did not come to its end.
    const again = this.isRinging ? this.#rangFor : undefined;
    this.#life += 1;
    this.clock = new VirtualClock(this.clock.now());
    this.isRinging = false;
    this.openTurns = 0;
    try {
      await evictDurableObject(this.stub);
    } catch (error) {
      // It is out of memory already.
      if (!String(error).includes("not currently running")) throw error;
    }
    if (this.alarmAt === undefined && again !== undefined) await this.spoilAlarm(again);
  }
}
