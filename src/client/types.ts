import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { NameOf } from "../execution/execution-ref.ts";
import type { Outcome, StartArguments } from "../execution/outcome-types.ts";
import type { ExecutionState, ExecutionView as ViewOnTheWire, StepCounts } from "../execution/wire.ts";
import type { AnyWorkflow, OutputOf, TypesOf } from "../execution/workflow.ts";
import type { Attributes } from "../journal/attributes.ts";
import type { Budget } from "../journal/budget.ts";
import type { Duration } from "../steps/duration.ts";

/** What every request takes. */
export interface RequestOptions {
  /** Aborts the request and its retries. What the request has changed by then stays changed. */
  readonly signal?: AbortSignal | undefined;
}

export interface StartOptions extends RequestOptions {
  /** 1 to 128 of `A-Z a-z 0-9 . _ ~ -`. @default a new UUIDv7, or what `idempotencyKey` determines */
  readonly id?: string | undefined;
  /** Determines the id where none is given: 1 to 256 printable ASCII characters. */
  readonly idempotencyKey?: string | undefined;
  /** Answer when it has ended, at the latest after this long: in whole seconds, rounded up, and at most 60. */
  readonly wait?: Duration | undefined;
  /** When its code shall first run, as a moment or in Unix milliseconds: at most 365 days ahead. */
  readonly startAt?: Date | number | undefined;
  /** From the start, or from `startAt`; then it is cancelled. Comes before the workflow's own. */
  readonly deadline?: Duration | undefined;
  /** What it may use before it is paused. Comes before the workflow's own, field by field. */
  readonly budget?: Budget | undefined;
  /** Up to 20 strings, numbers and booleans that it is shown with. */
  readonly attributes?: Attributes | undefined;
}

export interface SignalOptions extends RequestOptions {
  /** Signals with the same key count once: 1 to 256 printable ASCII characters. @default a new one for each call */
  readonly idempotencyKey?: string | undefined;
  /** Answer when it next waits or ends, at the latest after this long: in whole seconds, rounded up, and at most 60. */
  readonly wait?: Duration | undefined;
}

export interface ResultOptions extends RequestOptions {
  /** Then `ResultTimeout` is thrown; 0 looks once. @default as long as it takes */
  readonly timeout?: Duration | undefined;
}

export interface ForkOptions extends RequestOptions {
  /** @default a new UUIDv7 */
  readonly id?: string | undefined;
  /** The name of a step (`ship`, `ship#2`) or the number of an entry: what came before it is copied. */
  readonly before?: string | number | undefined;
}

export interface JournalOptions extends RequestOptions {
  /** Goes on with what is journaled later, until the execution has ended. @default false */
  readonly follow?: boolean | undefined;
  /** Number of the first entry. @default 0 */
  readonly from?: number | undefined;
}

/** What is found; an absent field leaves nothing out. */
export interface ListFilter extends RequestOptions {
  readonly workflow?: AnyWorkflow | string | undefined;
  readonly state?: ExecutionState | undefined;
  /** Those that have all of these values. */
  readonly attributes?: Attributes | undefined;
  readonly startedAfter?: Date | number | undefined;
  readonly startedBefore?: Date | number | undefined;
  readonly idPrefix?: string | undefined;
  /** @default "newest" */
  readonly order?: "newest" | "oldest" | undefined;
}

/** One execution in a list. */
export interface ExecutionSummary {
  readonly id: string;
  readonly workflow: string;
  readonly version?: string;
  readonly state: ExecutionState;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Why it is paused, or how it failed. */
  readonly code?: string;
  readonly attributes: Attributes;
}

/** How many executions there are, in each state. */
export type StateCounts = { readonly [State in ExecutionState]: number };

export interface ExecutionCounts {
  readonly total: StateCounts;
  /** By the name of the workflow: of each that is deployed or has executions. */
  readonly workflows: Readonly<Record<string, StateCounts>>;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** A workflow that is deployed. Its schemas are those that the schema library can give as JSON Schema. */
export interface DeployedWorkflow {
  readonly name: string;
  readonly version?: string;
  /** The names of its signals, and the codes of its errors. */
  readonly signals: readonly string[];
  readonly errors: readonly string[];
  readonly schemas: {
    readonly input?: JsonSchema;
    readonly output?: JsonSchema;
    readonly signals: Readonly<Record<string, JsonSchema>>;
    readonly errors: Readonly<Record<string, JsonSchema>>;
  };
  readonly links: Readonly<Record<string, string>>;
}

/** What callers see of a schedule. */
export interface ScheduleView {
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly workflow: string;
  readonly overlap: "skip" | "allow" | "cancel-previous";
  readonly catchUp: "none" | "last" | "all";
  readonly paused: boolean;
  readonly pausedAt?: number;
  /** `null` where no time comes any more, and while it is paused. */
  readonly nextAt: number | null;
  readonly nextTimes: readonly number[];
  /** Starts that are decided, and that no execution has answered. */
  readonly pending: readonly { readonly id: string; readonly at: number; readonly failures: number }[];
  readonly lastStart?: ScheduledStart;
  /** The latest time that started nothing: it had passed long before it was seen, or overlapped. */
  readonly lastMissedAt?: number;
  readonly lastSkippedAt?: number;
  readonly lastRefused?: { readonly at: number; readonly code: string; readonly message: string };
  readonly links: Readonly<Record<string, string>>;
}

/** The execution that a schedule started last. */
export interface ScheduledStart {
  readonly id: string;
  readonly workflow: string;
  /** The time that was meant, or when the trigger came. */
  readonly at: number;
  readonly by: "time" | "trigger";
  readonly startedAt: number;
  /** How it ended, where it has. */
  readonly outcome?: "completed" | "failed" | "cancelled";
  readonly purged?: true;
  readonly links: Readonly<Record<string, string>>;
}

/** What callers see of an execution; its values are what they were. */
export interface ExecutionView extends Omit<ViewOnTheWire, "progress" | "outcome" | "steps"> {
  readonly progress?: unknown;
  readonly outcome?: unknown;
  readonly steps: { readonly [Phase in keyof StepCounts]: number };
  /** Paths of its own resources. */
  readonly links: Readonly<Record<string, string>>;
}

/**
 * One fact of a journal: what it has besides depends on its type. Values are what they were; one over 64 KiB is
 * `{ $value, length }`, where `$value` is the path that answers with it.
 */
export interface JournalEntry {
  /** Its number, from 0. */
  readonly entry: number;
  readonly type: string;
  /** When it was written, in Unix milliseconds. */
  readonly at: number;
  readonly [field: string]: unknown;
}

/** One execution, by its workflow and id. Every method works when destructured. */
export interface ExecutionHandle<W extends AnyWorkflow = AnyWorkflow> {
  readonly id: string;
  /** Of a start: false where the execution was there already. */
  readonly created?: boolean;
  /** Of a start that waited: how the execution ended, if it did. */
  readonly outcome?: Outcome<W>;
  /**
   * The value that it completes with; waits for its end.
   *
   * @throws {ExecutionFailed} if it failed
   * @throws {ExecutionCancelled} if it was cancelled
   * @throws {ResultTimeout} if it has not ended in time
   */
  result(options?: ResultOptions): Promise<OutputOf<W>>;
  /**
   * How it ended, whatever that is; waits for its end.
   *
   * @throws {ResultTimeout} if it has not ended in time
   */
  awaitOutcome(options?: ResultOptions): Promise<Outcome<W>>;
  /** Sends a signal that its workflow declares. It is durable when the promise resolves. */
  signal<Name extends keyof TypesOf<W>["signals"] & string>(
    name: Name,
    value: StandardSchemaV1.InferInput<TypesOf<W>["signals"][Name]>,
    options?: SignalOptions,
  ): Promise<void>;
  status(options?: RequestOptions): Promise<ExecutionView>;
  /** Cancels it cooperatively: its code may compensate. */
  cancel(reason?: string, options?: RequestOptions): Promise<void>;
  pause(reason?: string, options?: RequestOptions): Promise<void>;
  resume(reason?: string, options?: RequestOptions): Promise<void>;
  /** Ends it at once as cancelled: no code of it runs, not even rollbacks. */
  terminate(reason?: string, options?: RequestOptions): Promise<void>;
  /** A new execution with a copy of the journal; this one stays as it is. */
  fork(options?: ForkOptions): Promise<ExecutionHandle<W>>;
  /** Purges it, with its journal; it must have ended. */
  delete(options?: RequestOptions): Promise<void>;
  /** Its journal, page by page as it is read. */
  journal(options?: JournalOptions): AsyncIterable<JournalEntry>;
}

export interface TriggerOptions extends RequestOptions {
  /** Triggers with the same key start one execution: 1 to 256 printable ASCII characters. @default a new one */
  readonly idempotencyKey?: string | undefined;
}

/** The schedules that are deployed. Every method works when destructured. */
export interface Schedules {
  /** In the order of the options. */
  list(options?: RequestOptions): Promise<readonly ScheduleView[]>;
  /** `undefined` where none of this name is deployed. */
  get(name: string, options?: RequestOptions): Promise<ScheduleView | undefined>;
  /** Its times start nothing. */
  pause(name: string, options?: RequestOptions): Promise<ScheduleView>;
  /** From its next time on, and without those that passed in the pause. */
  resume(name: string, options?: RequestOptions): Promise<ScheduleView>;
  /**
   * Starts now what it starts, in a pause too. The handle has no `created` where the start is still to come: until then
   * there is no such execution.
   *
   * @throws {RequestRefused} `SCHEDULE_OVERLAP` where the execution that it started last must have ended
   */
  trigger<W extends AnyWorkflow = AnyWorkflow>(name: string, options?: TriggerOptions): Promise<ExecutionHandle<W>>;
}

/** Starts executions and reaches those that exist. */
export interface Client {
  /**
   * Starts an execution. The same id with the same input is the same execution; with another input it is refused with
   * `ID_CONFLICT`.
   *
   * @param workflow the workflow, its spec, or its name with the type as a type argument
   * @throws {RequestRefused} with the code of the problem document
   * @example
   * ```ts
   * const handle = await client.start(order, { sku: "lamp" }, { id: "order-42" });
   * const other = await client.start<typeof order>("order", { sku: "lamp" });
   * ```
   */
  start<W extends AnyWorkflow>(
    workflow: W | NameOf<W>,
    ...rest: StartArguments<W, StartOptions>
  ): Promise<ExecutionHandle<W>>;
  /** A handle, at once: whether there is such an execution its first request tells. */
  get<W extends AnyWorkflow>(workflow: W | NameOf<W>, id: string): ExecutionHandle<W>;
  /** Executions, page by page as they are read: none is skipped or comes twice. */
  list(filter?: ListFilter): AsyncIterable<ExecutionSummary>;
  /** How many executions there are, by workflow and state. */
  counts(options?: RequestOptions): Promise<ExecutionCounts>;
  /** What is deployed, in the order of registration; of one name, the last starts. */
  workflows(options?: RequestOptions): Promise<readonly DeployedWorkflow[]>;
  readonly schedules: Schedules;
}
