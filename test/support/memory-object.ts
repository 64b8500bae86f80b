import type { Deployment } from "../../src/execution/deployment.ts";
import { ExecutionService } from "../../src/execution/execution-service.ts";
import type { Fetch, JournalRow, LogLevel, Ports } from "../../src/execution/ports.ts";
import type { VirtualClock } from "./virtual-clock.ts";

interface Disk {
  rows: JournalRow[];
  blobs: Map<number, string>;
  alarm: number | undefined;
}

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a test may do to the storage of an object. Each hook may throw, or kill the object. */
export interface Faults {
  /** Before the n-th storage operation (from 1) in the life of this storage. */
  beforeWrite?: (operation: number, kind: "append" | "blob" | "alarm" | "turn") => void;
}

export interface MemoryPlatform {
  readonly clock: VirtualClock;
  readonly env: unknown;
  readonly fetch: Fetch;
  readonly faults: Faults;
  readonly log: (line: LogLine) => void;
  /** Counts every turn, so that a test can tell when nothing moves any more. */
  readonly turned: () => void;
  /** The end of a turn. Replaced where a test wants to see what happens without one. */
  readonly endTurn?: () => Promise<void>;
}

const setImmediateOnce = globalThis.setImmediate;

/**
 * One object over storage in memory. As on the platform, what one turn writes becomes durable together at its end, and
 * what the turn that dies wrote is lost.
 */
export class MemoryObject {
  readonly #platform: MemoryPlatform;
  #deployment: Deployment;
  #disk: Disk = { rows: [], blobs: new Map(), alarm: undefined };
  #durable: Snapshot = snapshotOf(this.#disk);
  #life = 0;
  /** What the alarm that rang last had been set for. */
  #rangFor: number | undefined;
  #death = Promise.withResolvers<void>();
  #service: ExecutionService | undefined;
  operations = 0;
  /** Alarms set, and journal rows written. */
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

  get alarm(): number | undefined {
    return this.#disk.alarm;
  }

  /** Behind the engine's back. */
  spoilAlarm(at: number | undefined): void {
    this.#disk.alarm = at;
    this.#durable = { ...this.#durable, alarm: at };
  }

  get hasEnded(): boolean {
    return /[[,]\{"type":"(?:completed|failed|cancelled)"/.test(this.#disk.rows.at(-1)?.entries ?? "");
  }

  get rows(): readonly JournalRow[] {
    return this.#disk.rows;
  }

  get isEmpty(): boolean {
    return this.#disk.rows.length === 0 && this.#disk.blobs.size === 0 && this.#disk.alarm === undefined;
  }

  /** Resolves when this object next loses its memory: callers that wait for an answer get none. */
  get death(): Promise<void> {
    return this.#death.promise;
  }

  #die(disk: Disk): void {
    this.#disk = disk;
    // The platform rings an alarm again whose handler did not come to its end.
    if (this.isRinging) this.#disk.alarm ??= this.#rangFor;
    this.#life += 1;
    this.#death.resolve();
    this.#death = Promise.withResolvers();
    this.#service = undefined;
    this.isRinging = false;
  }

  /** Memory is lost; all that was written is kept. */
  evict(): void {
    this.#die(this.#disk);
    this.#durable = snapshotOf(this.#disk);
  }

  /** Memory is lost, and what the running turn has written with it. */
  kill(): void {
    this.#die(restored(this.#durable));
  }

  /** Other code is deployed: the object starts anew on it. */
  deploy(deployment: Deployment): void {
    this.evict();
    this.#deployment = deployment;
  }

  async ring(): Promise<void> {
    const life = this.#life;
    this.#rangFor = this.#disk.alarm;
    this.#disk.alarm = undefined;
    this.isRinging = true;
    try {
      await this.service.wake(this.#rangFor);
    } catch {
      // The platform rings again after a handler that threw.
      if (life === this.#life) this.#disk.alarm ??= this.#platform.clock.now() + 2_000;
    }
    if (life === this.#life) this.isRinging = false;
  }

  #refuseSecondRow({ seq }: JournalRow): void {
    const last = this.#disk.rows.at(-1);
    if (last !== undefined && seq <= last.seq) throw new Error(`Row ${seq} stands already.`);
  }

  #refuseSecondBlob(id: number): void {
    if (this.#disk.blobs.has(id)) throw new Error(`Blob ${id} stands already.`);
  }

  #ports(): Ports {
    const life = this.#life;
    const isDead = () => life !== this.#life;
    const operate = (kind: "append" | "blob" | "alarm" | "turn", act: () => void) => {
      if (isDead()) throw new DeadObject();
      this.operations += 1;
      this.#platform.faults.beforeWrite?.(this.operations, kind);
      if (isDead()) throw new DeadObject();
      act();
      // The turn of the event loop that is running now ends by itself, too.
      setImmediateOnce(() => isDead() || (this.#durable = snapshotOf(this.#disk)));
    };
    const endTurn = async () => {
      if (isDead()) await new Promise(() => {});
      operate("turn", () => (this.#durable = snapshotOf(this.#disk)));
      this.#platform.turned();
      await (this.#platform.endTurn?.() ?? new Promise((resolve) => setImmediateOnce(resolve)));
      if (isDead()) await new Promise(() => {});
    };
    const clock = this.#platform.clock;
    return {
      storage: {
        read: (from, rows = Number.MAX_SAFE_INTEGER) => {
          const first = Math.max(
            0,
            this.#disk.rows.findLastIndex((row) => row.seq <= from),
          );
          return this.#disk.rows.slice(first, first + rows);
        },
        write: ({ rows, blobs }) => {
          // All of it or nothing, whichever part fails. Rows and blobs stand once, as their numbers are the keys.
          for (const row of rows) operate("append", () => this.#refuseSecondRow(row));
          for (const id of blobs.keys()) operate("blob", () => this.#refuseSecondBlob(id));
          this.rowsWritten += rows.length;
          this.#disk.rows.push(...rows);
          this.#disk = { ...this.#disk, blobs: new Map([...this.#disk.blobs, ...blobs]) };
        },
        readBlob: (id) => this.#disk.blobs.get(id),
        deleteAll: async () => operate("append", () => (this.#disk = { rows: [], blobs: new Map(), alarm: undefined })),
        rowsWritten: 0,
      },
      alarm: {
        get: async () => this.#disk.alarm,
        set: (at) => operate("alarm", () => void ((this.alarmsSet += 1), (this.#disk.alarm = at))),
      },
      clock: {
        now: () => clock.now(),
        timer: (at, callback) => clock.timer(at, () => isDead() || callback()),
      },
      turn: { end: endTurn, durable: endTurn },
      env: this.#platform.env,
      fetch: this.#platform.fetch,
      log: (level, message, fields) => isDead() || this.#platform.log({ level, message, fields }),
    };
  }
}

class DeadObject extends Error {
  override readonly name = "DeadObject";
}

/** Rows are only ever added, so a snapshot of them is their number. */
interface Snapshot {
  readonly rows: readonly JournalRow[];
  readonly length: number;
  readonly blobs: ReadonlyMap<number, string>;
  readonly alarm: number | undefined;
}

function snapshotOf({ rows, blobs, alarm }: Disk): Snapshot {
  return { rows, length: rows.length, blobs, alarm };
}

function restored({ rows, length, blobs, alarm }: Snapshot): Disk {
  return { rows: rows.slice(0, length), blobs: new Map(blobs), alarm };
}
