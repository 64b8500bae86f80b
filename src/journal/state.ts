import type { Attributes } from "./attributes.ts";
import type { CallbackOperation, CallbackResultOperation } from "./callback-operations.ts";
import type { ChildOutcome } from "./child-entry.ts";
import type { ExecutionName } from "./execution-name.ts";
import type { ChildOperation, ExecutionOperation, MessageOperation } from "./execution-operations.ts";
import type { Undelivered } from "./outbox.ts";
import type { Unreported } from "./unreported.ts";
import type { Failure } from "../steps/failure.ts";
import type { ResolvedRetryPolicy } from "../steps/retry-policy.ts";
import type { RetryReason, Spent } from "../steps/retry-decision.ts";
import type { Encoded, Ended, Paused, RunFailed, Started } from "./entry.ts";
import type { ForkedFrom } from "./fork-entry.ts";
import type { Ending } from "./rollback-entry.ts";

/** An operation is open until its outcome is journaled, its execution ends or a cancellation reaches it. */
export type Closed = "cancelled" | "abandoned";

export interface StepOperation {
  readonly kind: "step";
  readonly op: number;
  readonly name: string;
  readonly policy: ResolvedRetryPolicy;
  readonly timeoutMs: number;
  /**
   * `interrupted`: its object died with several attempts in flight, so it starts again without a charge.
   * `waiting`: for `retryAt`. `failed`: ended by an error that is not worth a retry.
   */
  phase: "queued" | "running" | "interrupted" | "waiting" | "completed" | "exhausted" | "failed" | Closed;
  /** Attempts started. */
  attempts: number;
  /** Those among them that the budget does not count. */
  uncharged: number;
  firstStartedAt: number;
  /** Delays that were not waited out, and count as elapsed. */
  skippedMs: number;
  /** Time that the execution had been paused in all when the first attempt started. */
  pausedBeforeMs: number;
  retryAt: number;
  because: RetryReason;
  lastFailure: Failure | undefined;
  /** Why there was no further attempt. */
  spent: Spent | undefined;
  /** Attempts in a row, up to the last, that died with their object. */
  deaths: number;
  /** Of the last attempt, where it was started after a death: it is on while a death would be its alone. */
  watch: "none" | "on" | "over";
  /** The object died in its watch: it is tried again only where no other attempt is in flight. */
  blamed: boolean;
  readonly hasRollback: boolean;
  /** Of a completed step that has a rollback: its value, and the number of the entry that completed it. */
  undo: { readonly entry: number; readonly value: Encoded } | undefined;
}

/** The rollback of a completed step: attempted as a step of its own, under the terms of that step. */
export interface Rollback extends Omit<
  StepOperation,
  "kind" | "phase" | "spent" | "watch" | "blamed" | "hasRollback" | "undo"
> {
  readonly kind: "rollback";
  /** What the step completed with. */
  readonly value: Encoded;
  phase: "pending" | "running" | "waiting" | "completed" | "exhausted" | "failed" | "not-run";
}

/** What is tried under a retry policy. */
export type Attempted = StepOperation | Rollback;

export interface SleepOperation {
  readonly kind: "sleep";
  readonly op: number;
  readonly name: string;
  readonly dueAt: number;
  phase: "open" | "settled" | Closed;
}

export interface SignalOperation {
  readonly kind: "signal";
  readonly op: number;
  readonly name: string;
  readonly signal: string;
  readonly dueAt: number | undefined;
  phase: "open" | "settled" | Closed;
  /** What it took, unless that was returned. */
  taken: UnreadSignal | undefined;
}

/** What has its outcome only later. */
export type LastingOperation =
  | StepOperation
  | SleepOperation
  | SignalOperation
  | CallbackResultOperation
  | ChildOperation
  | ExecutionOperation
  | MessageOperation;

export type Operation = LastingOperation | CallbackOperation;

/** What an operation settles with, to be delivered in the order of the journal. */
export type Settlement = { readonly op: number; readonly at: number } & (
  | { readonly kind: "value"; readonly value: Encoded }
  | { readonly kind: "error"; readonly error: Encoded }
  | { readonly kind: "elapsed" }
  | { readonly kind: "signal"; readonly value: Encoded }
  /** An answer that is there for every wait. */
  | { readonly kind: "received"; readonly value: Encoded }
  | { readonly kind: "not-received" }
  | { readonly kind: "cancelled"; readonly reason: string | undefined }
  | { readonly kind: "started"; readonly execution: ExecutionName }
  | { readonly kind: "ended"; readonly outcome: ChildOutcome }
  | { readonly kind: "timeout" }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
);

/** The end of another execution, as long as a wait for it is open. */
export interface ReceivedEnd {
  readonly entry: number;
  readonly at: number;
  readonly outcome: ChildOutcome;
}

export interface UnreadSignal {
  readonly entry: number;
  readonly value: Encoded;
  readonly bytes: number;
  readonly at: number;
}

/**
 * The fold of a journal: everything that decisions are made from. It belongs to one reader and is changed in place,
 * because copying it for every entry makes a replay quadratic.
 */
export interface State {
  /** There is a directory that is told of the execution. No fact of the journal: whoever reads it says so. */
  readonly isListed: boolean;
  /** Number of entries, which is the number of the next one. */
  entries: number;
  started: Started | undefined;
  /** Where the copy ends that this journal begins with. */
  forked: ForkedFrom | undefined;
  /** By operation number. */
  readonly operations: Operation[];
  /** The open ones among them, in the order of their numbers. */
  readonly open: Map<number, LastingOperation>;
  /** Attempts started, of steps and rollbacks. */
  attempts: number;
  /** Of the values that stand in blobs of their own: their length, and the rows that they take. */
  largeLength: number;
  largeRows: number;
  /** In the order of the journal. A reader empties the slots that it has delivered. */
  readonly settlements: (Settlement | undefined)[];
  readonly unread: Map<string, UnreadSignal[]>;
  unreadSignals: number;
  unreadBytes: number;
  readonly signalKeys: Set<string>;
  /** What is still to be sent to other executions, by its key, in the order in which it came up. */
  readonly outbox: Map<string, Undelivered>;
  /** The open waits for another execution, by its name. */
  readonly waits: Map<string, Set<number>>;
  /** By the name of the execution, in the order in which they came. */
  readonly ends: Map<string, ReceivedEnd>;
  /** Names of executions that are known to have ended. */
  readonly knownEnded: Set<string>;
  /** Who besides the parent waits for the end of this execution, by name. */
  readonly watchers: Map<string, ExecutionName>;
  /** What the directory has to be told. */
  unreported: Unreported | undefined;
  /** Number of entries up to the last that says anything of the execution: reports do not. */
  facts: number;
  progress: Encoded | undefined;
  /** How often the workflow has set its progress: a replay skips as many. */
  progressEntries: number;
  /** The latest value of each. */
  attributes: Attributes;
  /** As `progressEntries`. */
  attributeEntries: number;
  readonly patches: Set<string>;
  /** By their ids. */
  readonly callbacks: Map<string, CallbackOperation>;
  /** When the code may first run; `undefined` once it did, or where it could at once. */
  startAt: number | undefined;
  cancelRequestedAt: number | undefined;
  cancelReason: string | undefined;
  cancelBy: "request" | "deadline" | undefined;
  cancelDelivered: boolean;
  pause: Paused | undefined;
  /** Time spent paused, before the present pause. */
  pausedMs: number;
  /** Runs that failed since the start or the last resume. */
  runFailures: number;
  /** The last of them, while another run is to come. */
  runFailure: RunFailed | undefined;
  /** Deaths of the object in a row. */
  losses: number;
  /** How it ends once the rollbacks have their outcomes. */
  ending: Ending["outcome"] | undefined;
  /** By the number of the step, in the order in which they run. */
  readonly rollbacks: Map<number, Rollback>;
  /** Those among them that have no outcome yet. */
  readonly openRollbacks: Map<number, Rollback>;
  end: Ended | undefined;
  /** The type of an entry that this engine does not know, or a format that is newer than it. */
  unreadable: string | undefined;
}

export function emptyState(isListed = false): State {
  return {
    isListed,
    entries: 0,
    started: undefined,
    forked: undefined,
    operations: [],
    open: new Map(),
    attempts: 0,
    largeLength: 0,
    largeRows: 0,
    settlements: [],
    unread: new Map(),
    unreadSignals: 0,
    unreadBytes: 0,
    signalKeys: new Set(),
    outbox: new Map(),
    waits: new Map(),
    ends: new Map(),
    knownEnded: new Set(),
    watchers: new Map(),
    unreported: undefined,
    facts: 0,
    progress: undefined,
    progressEntries: 0,
    attributes: {},
    attributeEntries: 0,
    patches: new Set(),
    callbacks: new Map(),
    startAt: undefined,
    cancelRequestedAt: undefined,
    cancelReason: undefined,
    cancelBy: undefined,
    cancelDelivered: false,
    pause: undefined,
    pausedMs: 0,
    runFailures: 0,
    runFailure: undefined,
    losses: 0,
    ending: undefined,
    rollbacks: new Map(),
    openRollbacks: new Map(),
    end: undefined,
    unreadable: undefined,
  };
}

/** True while no code of the workflow may run and nothing may start. */
export function isHalted(state: State): boolean {
  return state.end !== undefined || state.pause !== undefined || state.unreadable !== undefined;
}

/** The time spent paused until `now`, the present pause included. */
export function pausedUntil(state: State, now: number): number {
  return state.pausedMs + (state.pause === undefined ? 0 : Math.max(0, now - state.pause.at));
}

/** Goes on after a pause, as one that begins anew does: failures and deaths in a row are counted from here. */
export function resume(state: State, at: number): void {
  state.pausedMs = pausedUntil(state, at);
  state.pause = undefined;
  state.runFailures = 0;
  state.runFailure = undefined;
  state.losses = 0;
}

/** What has an attempt that was started and has not ended: several steps, or one rollback. */
export function runningAttempts(state: State): Attempted[] {
  const running: Attempted[] = [];
  for (const attempted of [...state.open.values(), ...state.openRollbacks.values()]) {
    if ((attempted.kind === "step" || attempted.kind === "rollback") && attempted.phase === "running") {
      running.push(attempted);
    }
  }
  return running;
}
