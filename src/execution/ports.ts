import type { ExecutionName } from "../journal/execution-name.ts";
import type { Incarnation, Report } from "../journal/report.ts";
import type { ExecutionPort } from "./wire.ts";

/** What an execution needs of the platform it lives on. Each has a durable implementation and one in memory. */

/** One commit, as it is stored. */
export interface JournalRow {
  /** Number of the row's first entry. */
  readonly seq: number;
  /** JSON text of an array of entries. */
  readonly entries: string;
}

/** What becomes durable together. */
export interface JournalCommit {
  readonly rows: readonly JournalRow[];
  /** Large values by the numbers of their entries. */
  readonly blobs: ReadonlyMap<number, string>;
}

/** A part of a large value's UTF-8, as it is stored. */
export interface BlobPart {
  /** The number of the entry that the value belongs to. */
  readonly id: number;
  readonly part: number;
  readonly data: ArrayBuffer;
}

/** What a journal in memory needs of its storage: it never reads large values in parts. */
export type JournalBacking = Omit<JournalStorage, "readBlobParts">;

/**
 * The storage of one journal. Everything is synchronous: what is written before the end of a turn becomes durable
 * together with all else that the turn wrote, or not at all, and before anything that is sent afterwards arrives.
 */
export interface JournalStorage {
  /**
   * The rows from the one that holds entry `from`, in order: all of them, or the first so many. Empty where nothing was
   * ever stored.
   */
  read(from: number, rows?: number): readonly JournalRow[];
  /** Writes all of it, or nothing and throws. */
  write(commit: JournalCommit): void;
  readBlob(id: number): string | undefined;
  /** The parts of large values from a place on that belong to entries before `cut`, in order: at most a page of them. */
  readBlobParts(from: Pick<BlobPart, "id" | "part">, cut: number): readonly BlobPart[];
  /** Removes everything, the alarm included. */
  deleteAll(): Promise<void>;
  /** Rows written so far in the life of this object, as the platform bills them; alarms included. */
  readonly rowsWritten: number;
}

/** Where the copy of another journal is put together. It is read by nobody before it is adopted. */
export interface JournalStaging {
  /** Something is in it, from this life of the object or an earlier one. */
  readonly isUsed: boolean;
  /** Adds all of it, or nothing and throws. */
  add(rows: readonly JournalRow[], parts: readonly BlobPart[]): void;
  /** Makes what is in it the journal, of which there is none: the whole or nothing, and throws then. */
  adopt(): void;
  discard(): void;
}

/** The one alarm of an object; durable with the turn's other writes. Times are Unix milliseconds. */
export interface Alarm {
  get(): Promise<number | undefined>;
  /** `undefined` removes it. */
  set(at: number | undefined): void;
}

export interface Clock {
  now(): number;
  /** Calls back once, no earlier than `at`, if this object is still in memory. Gives the function that withdraws it. */
  timer(at: number, callback: () => void): () => void;
}

export interface Turn {
  /** Resolves after every microtask that can run now has run. */
  end(): Promise<void>;
  /** Resolves when everything written so far is durable. */
  durable(): Promise<void>;
}

/** Sends one HTTP request, as the platform's `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Reaches another execution of the deployment, or this one, whether it exists or not. Each call may fail, before or
 * after it took effect. What was written before a call is durable when the call arrives.
 */
export type Executions = (name: ExecutionName) => ExecutionPort;

/** What an index of executions is told by them. Each call may fail, before or after it took effect. */
export interface Directory {
  report(report: Report): Promise<void>;
  /** The execution is about to be purged. */
  remove(execution: Incarnation): Promise<void>;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/** One attempt of a step, or of its rollback. */
export interface AttemptName {
  readonly kind: "step" | "rollback";
  readonly op: number;
  /** The step's name with its occurrence. */
  readonly name: string;
  readonly attempt: number;
}

/** Sees attempts from outside, between the engine and their functions. */
export interface AttemptWatch {
  /** Its function is about to be called. */
  started(attempt: AttemptName): void;
  /** Its function has ended; what it gave is taken when the promise resolves, at once where there is none. */
  ended(attempt: AttemptName): Promise<void> | undefined;
}

export interface Ports {
  readonly storage: JournalStorage;
  readonly staging: JournalStaging;
  readonly alarm: Alarm;
  readonly clock: Clock;
  readonly turn: Turn;
  /** For `step.fetch`. */
  readonly fetch: Fetch;
  readonly executions: Executions;
  /** Absent where it is switched off. */
  readonly directory?: Directory | undefined;
  /** The Worker's bindings: handed to the workflow, never journaled. */
  readonly env: unknown;
  /** Only tests have one. */
  readonly watch?: AttemptWatch;
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
}
