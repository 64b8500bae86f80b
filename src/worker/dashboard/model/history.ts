import type { Ended, Entry, OperationKind } from "../../../journal/entry.ts";
import type { ExecutionName } from "../../../journal/execution-name.ts";
import type { Failure } from "../../../steps/failure.ts";
import type { RetryReason, Spent } from "../../../steps/retry-decision.ts";
import type { ResolvedRetryPolicy } from "../../../steps/retry-policy.ts";

/** An entry as the HTTP interface shows it: with its number, and its value as plain JSON or a link to it. */
export type ShownEntry = Entry & { readonly entry: number };

/** What an operation did for a while. `queued`: it waited for a place among the running attempts. */
export type SpanKind = "queued" | "attempt" | "retry" | "wait";

/** How it came to its end. `lost`: with its object; `withdrawn`: it was journaled as started and never called. */
export type SpanEnd =
  | "done"
  | "failed"
  | "lost"
  | "withdrawn"
  | "timed-out"
  | "cancelled"
  | "abandoned"
  | "refused"
  | "forked";

export interface Span {
  readonly kind: SpanKind;
  readonly from: number;
  to: number | undefined;
  ended: SpanEnd | undefined;
  /** The number of the entry that began it. */
  readonly entry: number;
  readonly attempt?: number | undefined;
  /** Of an attempt that failed. */
  failure?: Failure | undefined;
  /** Of the time before another attempt: which rule set it. */
  readonly because?: RetryReason | undefined;
  /** When it is to end, where that is known ahead. */
  readonly dueAt?: number | undefined;
}

/** What was journaled of an operation that can be shown by itself. */
export interface Shown {
  /** The number of the entry that holds it. */
  readonly entry: number;
  readonly value: unknown;
}

export type OperationStatus =
  | "queued"
  | "running"
  | "waiting"
  | "completed"
  | "failed"
  | "exhausted"
  | "timed-out"
  | "refused"
  | "cancelled"
  | "abandoned";

/** Tried under a retry policy: a step, or its rollback. */
export interface Tries {
  attempts: number;
  lastFailure: Failure | undefined;
  spent: Spent | undefined;
  retryAt: number | undefined;
  readonly spans: Span[];
}

export interface RollbackHistory extends Tries {
  readonly plannedAt: number;
  status: "pending" | "running" | "waiting" | "completed" | "failed" | "exhausted" | "not-run";
  endedAt: number | undefined;
  reason: string | undefined;
}

export interface OperationHistory extends Tries {
  readonly op: number;
  readonly kind: OperationKind;
  readonly name: string;
  readonly askedAt: number;
  status: OperationStatus;
  endedAt: number | undefined;
  /** Numbers of the entries that speak of it. */
  readonly entries: number[];
  readonly dueAt: number | undefined;
  readonly policy: ResolvedRetryPolicy | undefined;
  readonly timeoutMs: number | undefined;
  readonly hasRollback: boolean;
  rollback: RollbackHistory | undefined;
  /** What it was given: the input of a child, the value of a message. */
  given: Shown | undefined;
  /** What it settled with, where that is a value. */
  value: Shown | undefined;
  /** What the workflow's code saw instead of a value. */
  error: Shown | undefined;
  /** The other execution that it is about. */
  readonly execution: ExecutionName | undefined;
  /** The name of the signal, or the id of the callback. */
  readonly subject: string | undefined;
  /** Why it was refused. */
  refusal: { readonly code: string; readonly message: string } | undefined;
  /** Of a child: somebody else had started it. */
  isAdopted: boolean;
}

export interface SignalHistory {
  readonly entry: number;
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
  readonly key: string | undefined;
  /** The operation that took it; `undefined` while nobody has read it. */
  takenBy: number | undefined;
}

export interface PauseHistory {
  readonly from: number;
  to: number | undefined;
  readonly by: "request" | "fault";
  readonly code: string;
  readonly message: string;
}

/** Something that happened to the execution as a whole. */
export interface Mark {
  readonly entry: number;
  readonly at: number;
  readonly kind: "start" | "run" | "patch" | "cancel" | "lost" | "fork" | "rollback" | "end";
  readonly text: string;
}

/**
 * What became of everything that an execution asked for, for people who look back: the engine's own fold keeps only what
 * decides what comes next. It belongs to one reader, and is changed in place.
 */
export interface History {
  entries: number;
  startedAt: number | undefined;
  /** The time of the last entry. */
  lastAt: number | undefined;
  input: Shown | undefined;
  parent: ExecutionName | undefined;
  /** What steps live under that do not say otherwise. */
  policy: ResolvedRetryPolicy | undefined;
  timeoutMs: number | undefined;
  readonly operations: OperationHistory[];
  readonly signals: SignalHistory[];
  readonly pauses: PauseHistory[];
  readonly marks: Mark[];
  progress: Shown | undefined;
  forkedFrom: { readonly id: string; readonly entry: number } | undefined;
  end: Ended | undefined;
  /** The numbers of steps whose rollbacks are due, in the order of their turns. */
  readonly rollbacks: number[];
}

export function emptyHistory(): History {
  return {
    entries: 0,
    startedAt: undefined,
    lastAt: undefined,
    input: undefined,
    parent: undefined,
    policy: undefined,
    timeoutMs: undefined,
    operations: [],
    signals: [],
    pauses: [],
    marks: [],
    progress: undefined,
    forkedFrom: undefined,
    end: undefined,
    rollbacks: [],
  };
}

/** What has no outcome yet. */
export function isOpen({ status }: OperationHistory): boolean {
  return status === "queued" || status === "running" || status === "waiting";
}
