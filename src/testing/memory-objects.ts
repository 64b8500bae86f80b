import type { Deployment } from "../execution/deployment.ts";
import type { AttemptWatch, Fetch } from "../execution/ports.ts";
import { MemoryObject, type Faults, type LogLine, type MemoryPlatform } from "./memory-object.ts";
import { realDelay, realNow } from "./real-time.ts";
import { endTurn } from "./turn-end.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface MemoryObjectsOptions {
  readonly now: number;
  readonly env: unknown;
  readonly fetch: Fetch;
  readonly log: (line: LogLine) => void;
  readonly endTurn?: ((object: MemoryObject) => Promise<void>) | undefined;
  readonly watch?: ((object: MemoryObject) => AttemptWatch) | undefined;
  /** How long, in real time, work that nothing virtual brings to its end is waited for. 0: not at all. */
  readonly patienceMs: number;
}

/** Turns of the event loop without a turn of the engine after which nothing moves any more. */
const QUIET_TURNS = 4;

/** Wakes in one {@link MemoryObjects.runToEnd}: as many as forty executions of the largest size have operations. */
const WAKES_TO_END = 1_000_000;

/** Between two looks at work that takes real time. */
const LOOK_MS = 1;

/** The objects of a test by `workflow/id`, and the clock that they share. */
export class MemoryObjects {
  readonly clock: VirtualClock;
  readonly faults: Faults = {};
  readonly byName = new Map<string, MemoryObject>();
  readonly #platform: MemoryPlatform;
  readonly #patienceMs: number;
  /** Work that was waited for in vain, by the name of its object. */
  readonly #givenUp = new Set<string>();
  #turns = 0;

  constructor({ now, patienceMs, ...platform }: MemoryObjectsOptions) {
    this.clock = new VirtualClock(now);
    this.#patienceMs = patienceMs;
    this.#platform = {
      ...platform,
      clock: this.clock,
      faults: this.faults,
      turned: () => void (this.#turns += 1),
    };
  }

  get now(): number {
    return this.clock.now();
  }

  /** The object of this execution, made from `deploy` where it is new. */
  object(workflow: string, id: string, deploy: () => Deployment): MemoryObject {
    const name = `${workflow}/${id}`;
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const object = new MemoryObject(deploy(), this.#platform);
    this.byName.set(name, object);
    return object;
  }

  /** Waits until nothing can go on without the clock. */
  async settle(): Promise<void> {
    do await this.#comeToQuiet();
    while (await this.#waitForWork());
  }

  async #comeToQuiet(): Promise<void> {
    for (let quiet = 0, seen = this.#turns; quiet < QUIET_TURNS; quiet += 1) {
      await endTurn();
      if (this.#turns !== seen) quiet = 0;
      seen = this.#turns;
    }
  }

  /** True where something moved meanwhile. What did not is not waited for again. */
  async #waitForWork(): Promise<boolean> {
    if (this.#patienceMs === 0) return false;
    const work = this.#work();
    const turns = this.#turns;
    for (const until = realNow() + this.#patienceMs; this.#mayMove(work) && realNow() < until;) {
      await realDelay(LOOK_MS);
      if (this.#turns !== turns) return true;
    }
    for (const one of work) this.#givenUp.add(one);
    return false;
  }

  /** Where as many delays by the virtual clock run, the work waits for those. */
  #mayMove(work: readonly string[]): boolean {
    return work.length > this.clock.delays;
  }

  #work(): readonly string[] {
    const work: string[] = [];
    for (const [name, object] of this.byName) {
      for (const one of object.openWork) {
        const named = `${name} life ${object.life} ${one}`;
        if (!this.#givenUp.has(named)) work.push(named);
      }
    }
    return work;
  }

  /** Moves the clock to `at`, firing everything that is due on the way in order. */
  async advanceTo(at: number): Promise<void> {
    for (let next = this.nextAt(); next !== undefined && next <= at; next = this.nextAt()) {
      this.clock.moveTo(next);
      await this.#fire();
    }
    this.clock.moveTo(at);
    await this.settle();
  }

  /** Moves the clock from wake to wake until nothing waits for time; purges are not waited for. */
  async runToEnd(): Promise<void> {
    for (let wakes = 0; wakes < WAKES_TO_END; wakes += 1) {
      const next = this.nextAt((object) => !object.hasEnded);
      if (next === undefined) return;
      await this.advanceTo(Math.max(next, this.now));
    }
    throw new Error(
      `Cannot run to the end as it must come within ${WAKES_TO_END} wakes: ` +
        "something starts anew again and again. Move the clock with advance.",
    );
  }

  async #fire(): Promise<void> {
    this.clock.fireDue();
    await this.settle();
    for (const object of this.byName.values()) {
      if (object.isRinging || object.alarm === undefined || object.alarm > this.now) continue;
      void object.ring();
      await this.settle();
    }
  }

  /** When something is due next, alarms and work of steps alike. */
  nextAt(counts: (object: MemoryObject) => boolean = () => true): number | undefined {
    let next = this.clock.nextAt;
    for (const object of this.byName.values()) {
      const { alarm } = object;
      if (alarm === undefined || object.isRinging || !counts(object)) continue;
      if (next === undefined || alarm < next) next = alarm;
    }
    return next;
  }
}
