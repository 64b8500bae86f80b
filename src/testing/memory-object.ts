import type { Deployment } from "../execution/deployment.ts";
import { ExecutionService } from "../execution/execution-service.ts";
import type {
  AttemptName,
  AttemptWatch,
  Fetch,
  JournalCommit,
  JournalRow,
  LogLevel,
  Ports,
} from "../execution/ports.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { endTurn } from "./turn-end.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type StorageOperation = "append" | "blob" | "alarm" | "turn";

/** What a test may do to the storage of its objects. Each may throw, or kill the object. */
export interface Faults {
  /** Before the n-th storage operation (from 1) in the life of this storage. */
  beforeWrite?: (operation: number, kind: StorageOperation) => void;
  /** Before a commit: entries that become durable together. */
  beforeCommit?: (object: MemoryObject) => void;
  /** At the end of a turn that has written something: that is durable now. */
  afterWrites?: (object: MemoryObject) => void;
}

/** What an object in memory lives on. */
export interface MemoryPlatform {
  readonly clock: VirtualClock;
  readonly env: unknown;
  readonly fetch: Fetch;
  readonly faults: Faults;
  readonly log: (line: LogLine) => void;
  /** Counts every turn, so that a test can tell when nothing moves any more. */
  readonly turned: () => void;
  /** The end of a turn. Replaced where a test wants to see what happens without one, or at one. */
  readonly endTurn?: ((object: MemoryObject) => Promise<void>) | undefined;
  /** Told of every attempt, once the object itself was. */
  readonly watch?: ((object: MemoryObject) => AttemptWatch) | undefined;
}

/**
 * One object over storage in memory. As on the platform, what one turn writes becomes durable together at its end, and
 * what the turn that dies wrote is lost.
 */
export class MemoryObject {
  readonly #platform: MemoryPlatform;
  readonly #storage = new MemoryStorage();
  #deployment: Deployment;
  #life = 0;
  /** What the alarm that rang last had been set for. */
  #rangFor: number | undefined;
  #death = Promise.withResolvers<void>();
  #service: ExecutionService | undefined;
  /** The life whose turn is going to end. */
  #keeping: number | undefined;
  /** Attempts whose functions have not ended, over all lives of the object. */
  readonly #inFlight = new Set<string>();
  operations = 0;
  /** Turns, alarms set, and journal rows written. */
  turns = 0;
  alarmsSet = 0;
  rowsWritten = 0;
  /** The alarm handler is running. */
  isRinging = false;

  constructor(deployment: Deployment, platform: MemoryPlatform) {
    this.#deployment = deployment;
    this.#platform = platform;
  }

  get service(): ExecutionService {
    this.#service ??= new ExecutionService(this.#ports(), this.#deployment);
    return this.#service;
  }

  get deployment(): Deployment {
    return this.#deployment;
  }

  /** True while there is work in memory. */
  get isBusy(): boolean {
    return this.#service?.isBusy ?? false;
  }

  /** What keeps it busy, when nothing moves: functions of steps, or else the workflow's code itself. */
  get openWork(): readonly string[] {
    if (!this.isBusy) return [];
    return this.#inFlight.size > 0 ? [...this.#inFlight] : [`code at turn ${this.turns}`];
  }

  get alarm(): number | undefined {
    return this.#storage.alarm;
  }

  /** Behind the engine's back. */
  spoilAlarm(at: number | undefined): void {
    this.#storage.spoilAlarm(at);
  }

  get hasEnded(): boolean {
    return this.#storage.hasEnded;
  }

  get rows(): readonly JournalRow[] {
    return this.#storage.rows;
  }

  readBlob(id: number): string | undefined {
    return this.#storage.readBlob(id);
  }

  get isEmpty(): boolean {
    return this.#storage.isEmpty;
  }

  /** Counts the times that it lost its memory. */
  get life(): number {
    return this.#life;
  }

  /** Resolves when this object next loses its memory: callers that wait for an answer get none. */
  get death(): Promise<void> {
    return this.#death.promise;
  }

  #die(): void {
    // The platform rings an alarm again whose handler did not come to its end.
    if (this.isRinging) this.#storage.alarm ??= this.#rangFor;
    this.#life += 1;
    this.#death.resolve();
    this.#death = Promise.withResolvers();
    this.#service = undefined;
    this.#inFlight.clear();
    this.isRinging = false;
  }

  /** Memory is lost; all that was written is kept. */
  evict(): void {
    this.#die();
    this.#storage.keep();
  }

  /** Memory is lost, and what the running turn has written with it. */
  kill(): void {
    this.#storage.restore();
    this.#die();
  }

  /** Other code is deployed: the object starts anew on it. */
  deploy(deployment: Deployment): void {
    this.evict();
    this.#deployment = deployment;
  }

  async ring(): Promise<void> {
    const life = this.#life;
    this.#rangFor = this.#storage.alarm;
    this.#storage.alarm = undefined;
    this.isRinging = true;
    try {
      await this.service.wake(this.#rangFor);
    } catch {
      // The platform rings again after a handler that threw.
      if (life === this.#life) this.#storage.alarm ??= this.#platform.clock.now() + 2_000;
    }
    if (life === this.#life) this.isRinging = false;
  }

  #operate(life: number, kind: StorageOperation, act: () => void): void {
    if (life !== this.#life) throw new DeadObject();
    this.operations += 1;
    this.#platform.faults.beforeWrite?.(this.operations, kind);
    if (life !== this.#life) throw new DeadObject();
    act();
    if (this.#keeping !== life) void this.#keepAfterTurn(life);
  }

  /** The turn of the event loop that is running now ends by itself, too. */
  async #keepAfterTurn(life: number): Promise<void> {
    this.#keeping = life;
    await endTurn();
    if (life !== this.#life) return;
    this.#keeping = undefined;
    this.#storage.keep();
    this.#platform.faults.afterWrites?.(this);
  }

  #write(life: number, commit: JournalCommit): void {
    if (life !== this.#life) throw new DeadObject();
    this.#platform.faults.beforeCommit?.(this);
    const { rows, blobs } = commit;
    // All of it or nothing, whichever part fails.
    for (const _ of rows) this.#operate(life, "append", () => this.#storage.checkNew(commit));
    for (const _ of blobs) this.#operate(life, "blob", () => this.#storage.checkNew(commit));
    this.rowsWritten += rows.length;
    this.#storage.write(commit);
  }

  #setAlarm(at: number | undefined): void {
    this.alarmsSet += 1;
    this.#storage.alarm = at;
  }

  async #endTurn(life: number): Promise<void> {
    if (life !== this.#life) await new Promise(() => {});
    this.turns += 1;
    this.#operate(life, "turn", () => this.#storage.keep());
    this.#platform.turned();
    await (this.#platform.endTurn ?? endTurn)(this);
    if (life !== this.#life) await new Promise(() => {});
  }

  #ports(): Ports {
    const life = this.#life;
    const isDead = () => life !== this.#life;
    const { clock, env, fetch, log } = this.#platform;
    const storage = this.#storage;
    const end = () => this.#endTurn(life);
    return {
      storage: {
        read: (from, rows) => storage.read(from, rows),
        write: (commit) => this.#write(life, commit),
        readBlob: (id) => storage.readBlob(id),
        deleteAll: async () => this.#operate(life, "append", () => storage.deleteAll()),
        rowsWritten: 0,
      },
      alarm: {
        get: async () => storage.alarm,
        set: (at) => this.#operate(life, "alarm", () => this.#setAlarm(at)),
      },
      clock: {
        now: () => clock.now(),
        timer: (at, callback) => clock.timer(at, () => isDead() || callback()),
      },
      turn: { end, durable: end },
      env,
      fetch,
      log: (level, message, fields) => isDead() || log({ level, message, fields }),
      watch: this.#watchOf(life),
    };
  }

  #watchOf(life: number): AttemptWatch {
    const watch = this.#platform.watch?.(this);
    return {
      started: (attempt) => {
        this.#inFlight.add(keyOf(attempt));
        watch?.started(attempt);
      },
      ended: (attempt) => {
        // Nobody waits for what an earlier life began.
        if (life !== this.#life) return new Promise(() => {});
        this.#inFlight.delete(keyOf(attempt));
        return watch?.ended(attempt);
      },
    };
  }
}

function keyOf({ kind, op, attempt }: AttemptName): string {
  return `${kind} ${op} attempt ${attempt}`;
}

/** What those get who still hold an object that is no more. */
class DeadObject extends Error {
  override readonly name = "DeadObject";
}
