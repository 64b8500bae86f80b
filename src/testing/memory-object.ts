import type { Deployment } from "../execution/deployment.ts";
import { ExecutionService } from "../execution/execution-service.ts";
import type { AttemptName, AttemptWatch, JournalCommit, JournalRow, Ports } from "../execution/ports.ts";
import { MemoryStaging } from "./memory-staging.ts";
import type { MemoryStorage } from "./memory-storage.ts";
import type { MemoryPlatform, OpenWork, StorageOperation } from "./memory-platform.ts";
import { endTurn } from "./turn-end.ts";

/**
 * One object over storage in memory. As on the platform, what one turn writes becomes durable together at its end, and
 * what the turn that dies wrote is lost.
 */
export class MemoryObject {
  /** `workflow/id` */
  readonly name: string;
  readonly #platform: MemoryPlatform;
  readonly #storage: MemoryStorage;
  #deployment: Deployment;
  #life = 0;
  /** By how much the clock of this life, by which its alarm rings too, is ahead of the true time. */
  #aheadMs: number;
  /** What the alarm that rang last had been set for. */
  #rangFor: number | undefined;
  #death = Promise.withResolvers<void>();
  #service: ExecutionService | undefined;
  /** The life whose turn is going to end. */
  #keeping: number | undefined;
  /** Attempts whose functions have not ended, over all lives of the object. */
  readonly #inFlight = new Map<string, OpenWork>();
  operations = 0;
  /** Deaths that took what the running turn had written. */
  kills = 0;
  /** Turns, alarms set, and journal rows written. */
  turns = 0;
  alarmsSet = 0;
  rowsWritten = 0;
  /** The alarm handler is running. */
  isRinging = false;

  constructor(
    { name, storage }: { readonly name: string; readonly storage: MemoryStorage },
    deployment: Deployment,
    platform: MemoryPlatform,
  ) {
    this.name = name;
    this.#storage = storage;
    this.#deployment = deployment;
    this.#platform = platform;
    this.#aheadMs = platform.skewMs?.(this) ?? 0;
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
  get openWork(): readonly OpenWork[] {
    if (!this.isBusy) return [];
    if (this.#inFlight.size === 0) return [{ whose: `${this.name} code`, which: `turn ${this.turns}` }];
    return [...this.#inFlight.values()];
  }

  get alarm(): number | undefined {
    return this.#storage.alarm;
  }

  /** When the alarm rings by the true time. */
  get ringsAt(): number | undefined {
    const { alarm } = this.#storage;
    return alarm === undefined ? undefined : alarm - this.#aheadMs;
  }

  /** Behind the engine's back. */
  spoilAlarm(at: number | undefined): void {
    this.#storage.spoilAlarm(at);
  }

  /** What an earlier object wrote. */
  store(journal: JournalCommit): void {
    this.#storage.write(journal);
    this.evict();
  }

  /** It has ended, and everybody knows who has to. */
  get hasEnded(): boolean {
    return this.#storage.hasEnded;
  }

  get rows(): readonly JournalRow[] {
    return this.#storage.rows;
  }

  /** The rows from the one that holds entry `from`. */
  read(from: number): readonly JournalRow[] {
    return this.#storage.read(from);
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
    this.#aheadMs = this.#platform.skewMs?.(this) ?? 0;
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
    this.kills += 1;
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
      if (life === this.#life) this.#storage.alarm ??= this.#platform.clock.now() + this.#aheadMs + 2_000;
    }
    if (life === this.#life) this.isRinging = false;
  }

  #operate(life: number, kind: StorageOperation, act: () => void): void {
    if (life !== this.#life) throw new DeadObject();
    if (kind === "adopt") this.#platform.faults.beforeCommit?.(this);
    this.operations += 1;
    this.#platform.faults.beforeWrite?.(this.operations, kind, this);
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
    const aheadMs = this.#aheadMs;
    const end = () => this.#endTurn(life);
    return {
      storage: {
        read: (from, rows) => storage.read(from, rows),
        write: (commit) => this.#write(life, commit),
        readBlob: (id) => storage.readBlob(id),
        readBlobParts: (from, cut) => storage.readBlobParts(from, cut),
        deleteAll: async () => this.#operate(life, "append", () => storage.deleteAll()),
        rowsWritten: 0,
      },
      staging: new MemoryStaging(storage, (kind, act) => this.#operate(life, kind, act)),
      alarm: {
        get: async () => storage.alarm,
        set: (at) => this.#operate(life, "alarm", () => this.#setAlarm(at)),
      },
      clock: {
        now: () => clock.now() + aheadMs,
        timer: (at, callback) => clock.timer(at - aheadMs, () => isDead() || callback()),
      },
      turn: { end, durable: end },
      env,
      fetch,
      executions: this.#platform.executionsOf({ name: this.name, isGone: isDead }),
      directory: this.#platform.directoryOf?.({ name: this.name, isGone: isDead }),
      log: (level, message, fields) => isDead() || log({ level, message, fields }),
      watch: this.#watchOf(life),
    };
  }

  #watchOf(life: number): AttemptWatch {
    const watch = this.#platform.watch?.(this);
    return {
      started: (attempt) => {
        const { kind, op } = attempt;
        const which = `life ${life} attempt ${attempt.attempt}`;
        this.#inFlight.set(keyOf(attempt), { whose: `${this.name} ${kind} ${op}`, which });
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
