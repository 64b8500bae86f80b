import type { AttemptWatch, Directory, Executions, Fetch, LogLevel } from "../execution/ports.ts";
import type { Caller } from "./memory-network.ts";
import type { StagingOperation } from "./memory-staging.ts";
import type { MemoryObject } from "./memory-object.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type StorageOperation = "append" | "blob" | "alarm" | "turn" | StagingOperation;

/** What a test may do to the storage of its objects. Each may throw, or kill the object. */
export interface Faults {
  /** Before the n-th storage operation (from 1) in the life of this storage. */
  beforeWrite?: (operation: number, kind: StorageOperation, object: MemoryObject) => void;
  /** Before a commit: entries that become durable together. */
  beforeCommit?: (object: MemoryObject) => void;
  /** At the end of a turn that has written something: that is durable now. */
  afterWrites?: (object: MemoryObject) => void;
}

/** Something that an object waits for and the engine cannot bring about: a step's function, or the workflow's code. */
export interface OpenWork {
  /** What works, whenever it does. */
  readonly whose: string;
  /** Which time it is. */
  readonly which: string;
}

/** What an object in memory lives on. */
export interface MemoryPlatform {
  readonly clock: VirtualClock;
  readonly env: unknown;
  readonly fetch: Fetch;
  /** How an object reaches others. */
  readonly executionsOf: (caller: Caller) => Executions;
  /** How it tells the directory; absent where there is none. */
  readonly directoryOf?: ((caller: Caller) => Directory) | undefined;
  readonly faults: Faults;
  readonly log: (line: LogLine) => void;
  /** Counts every turn, so that a test can tell when nothing moves any more. */
  readonly turned: () => void;
  /** The end of a turn. Replaced where a test wants to see what happens without one, or at one. */
  readonly endTurn?: ((object: MemoryObject) => Promise<void>) | undefined;
  /** By how much the clock of the machine that an object lives on is ahead; asked once for each life. @default 0 */
  readonly skewMs?: ((object: MemoryObject) => number) | undefined;
  /** Told of every attempt, once the object itself was. */
  readonly watch?: ((object: MemoryObject) => AttemptWatch) | undefined;
}
