import { outsideAttempts } from "../execution/attempt-scope.ts";
import type { Deployment } from "../execution/deployment.ts";
import type { AttemptWatch, Directory, Fetch } from "../execution/ports.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import { MemoryNetwork, type Caller, type LatencyMs } from "./memory-network.ts";
import { MemoryObject } from "./memory-object.ts";
import type { Faults, LogLine, MemoryPlatform, OpenWork } from "./memory-platform.ts";
import { MemoryStorage } from "./memory-storage.ts";
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
  readonly skewMs?: ((object: MemoryObject) => number) | undefined;
  /** Asked when nothing moves: true where it has moved something. */
  readonly whenQuiet?: (() => Promise<boolean>) | undefined;
  /** How an object tells the directory, and counts the turns of that; without it there is none. */
  readonly directory?: ((caller: Caller, turned: () => void) => Directory) | undefined;
  /** How long, in real time, work that nothing virtual brings to its end is waited for. 0: not at all. */
  readonly patienceMs: number;
  /** What an object is made from that is called by another one before anybody has named it. */
  readonly deployment: () => Deployment;
  /**
   * Messages between executions take time, and what is due at one time happens one after the other: the order of events
   * does not depend on how many turns an object takes. Without it a way takes one turn.
   */
  readonly isOrdered?: boolean | undefined;
}

/** What the clock rings besides the executions, and what never ends: the scheduler. */
export interface Perpetual {
  /** By the true time. */
  readonly ringsAt: number | undefined;
  readonly isRinging: boolean;
  ring(): Promise<void>;
}

/** Ways of different messages take fractions of their own, so that none arrives just when something else is due. */
const latencyMs: LatencyMs = (method, way) => 1 + (METHODS.indexOf(method) * 2 + (way === "there" ? 1 : 2)) / 1_009;
const METHODS: readonly (keyof ExecutionPort)[] = ["start", "watch", "told", "signal", "command", "view"];

/** Turns of the event loop without a turn of the engine after which nothing moves any more. */
const QUIET_TURNS = 4;

/** Wakes in one {@link MemoryObjects.runToEnd}: as many as forty executions of the largest size have operations. */
const WAKES_TO_END = 1_000_000;

/** Between two looks at work that takes real time. */
const LOOK_MS = 1;

/** By how much less work is waited for that has hung before. */
const HUNG_BEFORE = 10;

/** The objects of a test by `workflow/id`, and the clock that they share. */
export class MemoryObjects {
  readonly clock: VirtualClock;
  readonly faults: Faults = {};
  readonly byName = new Map<string, MemoryObject>();
  readonly network: MemoryNetwork;
  readonly #platform: MemoryPlatform;
  perpetual: Perpetual | undefined;
  readonly #isOrdered: boolean;
  readonly #patienceMs: number;
  readonly #whenQuiet: () => Promise<boolean>;
  /** Work that was waited for in vain: which, by whose it is. */
  readonly #givenUp = new Map<string, Set<string>>();
  /** Objects that were interrupted, and have not been asked since. */
  readonly #interrupted = new Set<MemoryObject>();
  #turns = 0;
  /** Calls of `settle` that have not ended. */
  #settling = 0;

  constructor({ now, patienceMs, whenQuiet, deployment, directory, isOrdered, ...platform }: MemoryObjectsOptions) {
    this.clock = new VirtualClock(now);
    this.#isOrdered = isOrdered === true;
    const turned = () => void (this.#turns += 1);
    this.network = new MemoryNetwork({
      clock: this.clock,
      objectOf: ({ workflow, id }) => this.object(workflow, id, deployment),
      turned,
      ...(this.#isOrdered && { latencyMs }),
    });
    this.#patienceMs = patienceMs;
    this.#whenQuiet = whenQuiet ?? (async () => false);
    this.#platform = {
      ...platform,
      clock: this.clock,
      faults: this.faults,
      executionsOf: (caller) => this.network.from(caller),
      directoryOf: directory && ((caller) => directory(caller, turned)),
      turned,
    };
  }

  get now(): number {
    return this.clock.now();
  }

  /** The object of this execution, made from `deploy` where it is new. */
  object(workflow: string, id: string, deploy: () => Deployment): MemoryObject {
    const name = `${workflow}/${id}`;
    return this.byName.get(name) ?? this.adopt(name, deploy(), new MemoryStorage());
  }

  /** A new object over this storage. */
  adopt(name: string, deployment: Deployment, storage: MemoryStorage): MemoryObject {
    const object = new MemoryObject({ name, storage }, deployment, this.#platform);
    this.byName.set(name, object);
    return object;
  }

  /**
   * Waits until nothing can go on without the clock. One call waits for work that takes real time: another one may be
   * made by that very work.
   */
  async settle(): Promise<void> {
    const isOutermost = this.#settling === 0;
    this.#settling += 1;
    try {
      for (let moved = true; moved;) {
        await this.#comeToQuiet();
        moved = this.#reviveInterrupted() || (await this.#whenQuiet()) || (isOutermost && (await this.#waitForWork()));
      }
    } finally {
      this.#settling -= 1;
    }
  }

  /** The object loses its memory; what was written is kept. It is asked again at the next quiet. */
  interrupt(object: MemoryObject): void {
    object.evict();
    this.#interrupted.add(object);
  }

  /** The alarm would find it within seconds; a request does so at once, and a test need not move the clock for it. */
  #reviveInterrupted(): boolean {
    if (this.#interrupted.size === 0) return false;
    for (const object of this.#interrupted) {
      // Whatever it throws is what the next request to it throws, too.
      outsideAttempts(() => object.service.view()).catch(() => {});
    }
    this.#interrupted.clear();
    return true;
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
    // Where as many delays by the virtual clock run, the work waits for those.
    if (work.length <= this.clock.delays) return false;
    // What has hung before is likely to hang again: a step that is timed out is not worth all patience each time.
    const isNew = work.some(({ whose }) => !this.#givenUp.has(whose));
    const turns = this.#turns;
    for (const until = realNow() + this.#patienceMs / (isNew ? 1 : HUNG_BEFORE); realNow() < until;) {
      await realDelay(LOOK_MS);
      if (this.#turns !== turns || !isSame(work, this.#work())) return true;
    }
    for (const one of work) this.#giveUp(one);
    return false;
  }

  #work(): readonly OpenWork[] {
    return [...this.byName.values()].flatMap(({ openWork }) => openWork.filter((one) => !this.#isGivenUp(one)));
  }

  #isGivenUp({ whose, which }: OpenWork): boolean {
    return this.#givenUp.get(whose)?.has(which) ?? false;
  }

  #giveUp({ whose, which }: OpenWork): void {
    this.#givenUp.set(whose, (this.#givenUp.get(whose) ?? new Set()).add(which));
  }

  /** Moves the clock to `at`, firing everything that is due on the way in order. */
  async advanceTo(at: number): Promise<void> {
    await this.settle();
    for (let next = this.nextAt(); next !== undefined && next <= at; next = this.nextAt()) {
      this.clock.moveTo(next);
      await this.#fire();
    }
    this.clock.moveTo(at);
  }

  /** Moves the clock from wake to wake until nothing waits for time; purges and schedules are not waited for. */
  async runToEnd(): Promise<void> {
    await this.settle();
    for (let wakes = 0; wakes < WAKES_TO_END; wakes += 1) {
      const next = this.nextAt((object) => !object.hasEnded);
      if (next === undefined) return;
      this.clock.moveTo(next);
      await this.#fire();
    }
    throw new Error(
      `Cannot run to the end as it must come within ${WAKES_TO_END} wakes: ` +
        "something starts anew again and again. Move the clock with advance.",
    );
  }

  async #fire(): Promise<void> {
    if (this.#isOrdered) while (this.clock.fireOne()) await this.settle();
    else if (this.clock.fireDue() > 0) await this.settle();
    if (this.perpetual !== undefined) await this.#ring(this.perpetual);
    for (const object of this.byName.values()) await this.#ring(object);
  }

  async #ring(object: Perpetual): Promise<void> {
    if (object.isRinging || object.ringsAt === undefined || object.ringsAt > this.now) return;
    void object.ring();
    await this.settle();
  }

  /** When something is due next, alarms and work of steps alike; the scheduler where every object counts. */
  nextAt(counts?: (object: MemoryObject) => boolean): number | undefined {
    let next = this.clock.nextAt;
    const look = ({ ringsAt, isRinging }: Perpetual) => {
      if (ringsAt !== undefined && !isRinging && (next === undefined || ringsAt < next)) next = ringsAt;
    };
    for (const object of this.byName.values()) if (counts?.(object) ?? true) look(object);
    if (counts === undefined && this.perpetual !== undefined) look(this.perpetual);
    return next;
  }
}

function isSame(before: readonly OpenWork[], now: readonly OpenWork[]): boolean {
  const isAt = ({ whose, which }: OpenWork, index: number) => now[index]?.whose === whose && now[index].which === which;
  return before.length === now.length && before.every((one, index) => isAt(one, index));
}
