import type { Attributes } from "./attributes.ts";
import type { JournaledBudget } from "./budget.ts";
import type { CallbackEntry } from "./callback-entry.ts";
import type { ChildEntry } from "./child-entry.ts";
import type { ExecutionName } from "./execution-name.ts";
import type { MessageEntry } from "./message-entry.ts";
import type { ForkedFrom } from "./fork-entry.ts";
import type { Failure } from "../steps/failure.ts";
import type { ResolvedRetryPolicy } from "../steps/retry-policy.ts";
import type { ReportEntry } from "./report-entry.ts";
import type { RollbackEntry } from "./rollback-entry.ts";
import type { StepEntry } from "./step-entry.ts";
import type { TraceContext } from "./trace-context.ts";
import type { WaitEntry } from "./wait-entry.ts";

/**
 * The version of the journal's format, in its first entry. A newer engine reads every older format.
 */
export const JOURNAL_FORMAT = 1;

/**
 * A journaled value: what the value codec made of it, either in place (the codec's flat JSON: an array, or a negative
 * number for `undefined`, `NaN` and their like) or, above 64 KiB, by the number of the entry whose blob holds it.
 */
export type Encoded = readonly unknown[] | number | BlobReference;

export interface BlobReference {
  /** The number of the entry that the value belongs to. */
  readonly blob: number;
  /** Size of the encoded text in UTF-16 units. */
  readonly length: number;
}

/** What an operation is. */
export type OperationKind =
  | "step"
  | "sleep"
  | "signal"
  | "callback"
  | "callback-result"
  | "child"
  | "execution"
  | "message";

/** Carried by the first entry of every operation; first entries stand in the order in which the code asked. */
export interface Asked<Kind extends OperationKind = OperationKind> {
  readonly op: number;
  readonly kind: Kind;
  /** The name with its occurrence: `ship`, `ship#2`. */
  readonly name: string;
}

/** The terms that a step lives under from its first entry on, whatever is deployed later. */
export interface StepTerms {
  readonly policy: ResolvedRetryPolicy;
  readonly timeoutMs: number;
}

export interface Fact<Type extends string> {
  readonly type: Type;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The execution that started this one. */
export interface Parent extends ExecutionName {
  /** Of the operation that started it: it tells the start of this very parent from that of another of its name. */
  readonly key: string;
}

/** The first entry of a journal, with the terms of every step that does not carry others. */
export interface Started extends Fact<"started">, StepTerms, JournaledBudget {
  readonly format: number;
  readonly workflow: string;
  readonly id: string;
  readonly version?: string;
  /** What `random`, `uuid`, jitter and keys are drawn from. */
  readonly seed: string;
  /** The parsed input. */
  readonly input: Encoded;
  /** Hash of the input as it came, by which a repeated start is told from a conflicting one. */
  readonly inputHash: string;
  /** When the code may first run, where that is later than the start. */
  readonly startAt?: number;
  /** When the execution is cancelled if it has not ended. */
  readonly deadlineAt?: number;
  readonly attributes?: Attributes;
  readonly parent?: Parent;
  /** Where the start request came to, with the path of the routes: callbacks get their URLs from it. */
  readonly origin?: string;
  /** The trace that the start request belongs to; `step.fetch` sends it on. */
  readonly trace?: TraceContext;
  /** How long the execution can be read after its end. */
  readonly retentionMs: number;
}

export interface CancelRequested extends Fact<"cancel-requested"> {
  readonly reason?: string;
  /** Nobody asked: the deadline passed. */
  readonly by?: "deadline";
}

/** The cancellation reaches the operations that were open, one turn each, in the order of their numbers. */
export interface CancelDelivered extends Fact<"cancel-delivered"> {
  readonly ops: readonly Asked[];
}

/** The workflow's code failed outside every step; it is run again at `retryAt`. */
export interface RunFailed extends Fact<"run-failed"> {
  readonly attempt: number;
  /** Where it is not `RUN_FAILED`. */
  readonly code?: string;
  readonly failure: Failure;
  readonly retryAt: number;
}

/** The run that was due after a failed one, or the first one of an execution that was to start later. */
export interface RunStarted extends Fact<"run-started"> {
  readonly attempt: number;
}

export interface Paused extends Fact<"paused"> {
  /** `fault`: the workflow's code or the engine cannot go on; `request`: somebody asked. */
  readonly by: "request" | "fault";
  readonly code: string;
  readonly message: string;
  readonly failure?: Failure;
  /** Of a `JOURNAL_MISMATCH`: the operation's number, what stands there and what the code asked for. */
  readonly position?: number;
  readonly recorded?: string;
  readonly asked?: string;
}

export type Resumed = Fact<"resumed">;

/**
 * Attempts that were journaled as started when the execution was paused, and were never called: of steps, or of a
 * rollback where it is ending.
 */
export interface AttemptsWithdrawn extends Fact<"attempts-withdrawn"> {
  readonly ops: readonly number[];
}

/** The object was lost with this work in it. */
export interface ObjectLost extends Fact<"object-lost"> {
  /** The operations whose attempts were in flight, and are not charged with it. */
  readonly ops: readonly number[];
  /** The one that was charged, where one was to blame: the death does not count towards a crash loop then. */
  readonly blamed?: number;
}

/** The first clean wait after `object-lost`: the count of deaths in a row starts anew. */
export type Recovered = Fact<"recovered">;

export interface Progress extends Fact<"progress"> {
  readonly value: Encoded;
}

export interface AttributesSet extends Fact<"attributes"> {
  /** Those that were set; the others stay. */
  readonly values: Attributes;
}

/** The code took the new side of `patched(id)`, and does so on every replay. */
export interface Patched extends Fact<"patched"> {
  readonly id: string;
}

/** Operations that were open when the workflow returned. */
export interface Abandoned extends Fact<"abandoned"> {
  readonly ops: readonly Asked[];
}

export interface Completed extends Fact<"completed"> {
  readonly value: Encoded;
}

export interface Failed extends Fact<"failed"> {
  readonly declared: boolean;
  readonly code: string;
  readonly message: string;
  readonly details: Encoded;
}

export interface Cancelled extends Fact<"cancelled"> {
  /**
   * `workflow`: its code let the cancellation through; `terminated`: no code ran; `before-start`: its code had not run
   * yet.
   */
  readonly by: "workflow" | "terminated" | "before-start";
  readonly reason?: string;
}

export type Ended = Completed | Failed | Cancelled;

/** One fact in the journal. */
export type Entry =
  | Started
  | StepEntry
  | WaitEntry
  | CallbackEntry
  | ChildEntry
  | MessageEntry
  | CancelRequested
  | CancelDelivered
  | RunFailed
  | RunStarted
  | Paused
  | Resumed
  | AttemptsWithdrawn
  | ObjectLost
  | Recovered
  | Progress
  | AttributesSet
  | Patched
  | ForkedFrom
  | ReportEntry
  | Abandoned
  | RollbackEntry
  | Completed
  | Failed
  | Cancelled;

export function isEnd(entry: Entry): entry is Ended {
  return entry.type === "completed" || entry.type === "failed" || entry.type === "cancelled";
}
