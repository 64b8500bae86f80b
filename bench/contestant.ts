import type { Program } from "./program.ts";

/** What all contestants are given. */
export interface Setting {
  /** A folder of the contestant's own, on the disk that all share. */
  readonly folder: string;
}

/** Something that runs programs, measured through its own normal client. */
export interface Contestant {
  readonly name: string;
  /** Resolves when it can be asked. Rejects, with the reason, where it cannot be had on this machine. */
  start(setting: Setting): Promise<Running>;
}

export interface Running {
  /** The versions and settings that were measured. */
  readonly settings: string;
  /** From its start to its result. Rejects where the program cannot be run. */
  run(program: Program): Promise<unknown>;
  /** Resolves as soon as the start is durable. */
  begin(program: Program): Promise<void>;
  /** SIGKILL to everything that runs programs. */
  kill(): Promise<void>;
  /** Starts again what was killed, without a request. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Why programs of a kind are not run on it. */
  readonly without?: Readonly<Partial<Record<Program["kind"], string>>>;
  /** Steps of the largest program of a kind that is run on it, where a larger one takes minutes. */
  readonly atMost?: Readonly<Partial<Record<Program["kind"], number>>>;
  /** Only of what lives in workerd. */
  readonly inside?: Inside;
}

/** What can be seen of executions beside their results. */
export interface Inside {
  /** Starts an execution under an id and resolves with its answer: at its end, or when it is durable. */
  begin(id: string, program: Program): Promise<void>;
  run(id: string, program: Program): Promise<unknown>;
  /** Resolves when the execution only waits. */
  settled(id: string): Promise<void>;
  /** The signal `go`; resolves at the end of the execution. */
  signal(id: string): Promise<void>;
  /** Puts the object of an execution out of memory. */
  evict(id: string): Promise<void>;
  /** Of the object's present life: rows as the platform bills them, and how often its alarm has rung. */
  usage(id: string): Promise<ObjectUsage>;
  /** Memory of the process that holds the objects, in MiB. */
  memoryMib(): Promise<number>;
  /** Objects that the process has not put out of memory. */
  objectsInMemory(): Promise<number>;
  /** Of all objects together, in KiB. */
  diskKib(): Promise<number>;
  /** The first request after a start, in ms. */
  firstRequest(): Promise<number>;
}

export interface ObjectUsage {
  readonly rowsWritten: number;
  readonly alarmsRung: number;
  /** Text of the journal in bytes, where there is one. */
  readonly bytes: number;
}
