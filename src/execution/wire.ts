/**
 * What an Execution object and its callers say to each other. Everything is plain data; journaled values travel as the
 * text of the value codec, so that a caller decodes only what it needs and large values are not cloned piece by piece.
 * What is expected to happen is an answer with a `kind`, never an exception: errors lose their class on the way.
 */
import type { Attributes } from "../journal/attributes.ts";
import type { Budget, Usage } from "../journal/budget.ts";
import type { AnsweredCallback } from "../journal/callback.ts";
import type { Command } from "../journal/command.ts";
import type { Parent } from "../journal/entry.ts";
import type { ExecutionName } from "../journal/execution-name.ts";
import type { EntryForm } from "./entry-document.ts";
import type { Issue } from "./issue.ts";
import type { Report } from "../journal/report.ts";
import type { TraceContext } from "../journal/trace-context.ts";
import type { ExecutionState } from "../journal/execution-state.ts";
import type { Reason, RollbackCounts, StepCounts, WaitView } from "../journal/view.ts";
import type {
  CopyJournal,
  CopyPage,
  CopyRequest,
  CutAnswer,
  CutRequest,
  ForkAnswer,
  ForkRequest,
} from "./wire-fork.ts";

export type { ExecutionState, RollbackCounts, StepCounts, WaitView };

/** The text of the value codec. */
export type ValueText = string;

export type OutcomeView =
  | { readonly kind: "completed"; readonly value: ValueText }
  | {
      readonly kind: "failed";
      readonly declared: boolean;
      readonly code: string;
      readonly message: string;
      readonly details: ValueText;
    }
  | { readonly kind: "cancelled" };

export interface ExecutionView {
  readonly id: string;
  readonly workflow: string;
  readonly version?: string;
  readonly state: ExecutionState;
  /** Of a fork that of the original, as its code sees it. */
  readonly startedAt: number;
  /** The execution that started it. */
  readonly parent?: ExecutionName;
  /** Of a fork: the original, the first entry of it that was not copied, and when the fork was made. */
  readonly forkedFrom?: { readonly id: string; readonly entry: number; readonly at: number };
  /** When it is cancelled if it has not ended. */
  readonly deadlineAt?: number;
  readonly attributes: Attributes;
  readonly endedAt?: number;
  readonly progress?: ValueText;
  readonly waitingFor: readonly WaitView[];
  readonly nextWakeAt?: number;
  readonly steps: StepCounts;
  /** Once there is something to roll back. */
  readonly rollbacks?: RollbackCounts;
  /**
   * Why it is paused, or how it failed; while rollbacks run, how it is going to end, and before another run, why the
   * last one failed.
   */
  readonly reason?: Reason;
  readonly outcome?: OutcomeView;
  readonly unreadSignals: number;
  readonly cancelRequestedAt?: number;
  /** Why it was cancelled or terminated, as whoever did it said. */
  readonly cancelReason?: string;
  /** What budgets count, and sizes that the limits bound; the journal's bytes leave large values out. */
  readonly usage: Usage & { readonly entries: number; readonly operations: number; readonly journalBytes: number };
}

export interface StartRequest {
  readonly workflow: string;
  readonly id: string;
  readonly version?: string;
  /** The parsed input. */
  readonly input: ValueText;
  /** Hash of the input as it came. */
  readonly inputHash: string;
  /** When the code shall first run, in Unix milliseconds; a time that has passed is now. */
  readonly startAt?: number;
  /** From the start, or from `startAt`. Comes before the workflow's own. */
  readonly deadlineMs?: number;
  readonly attributes?: Attributes;
  /** Comes before the workflow's own, field by field. */
  readonly budget?: Budget;
  /** The execution that starts it. */
  readonly parent?: Parent;
  /** It is cancelled before its code runs, or if that has begun, as by the command. Only of a start by a parent. */
  readonly cancel?: { readonly reason: string };
  /** Where the request came to, with the path of the routes: callbacks get their URLs from it. */
  readonly origin?: string;
  /** The trace that the request belongs to. */
  readonly trace?: TraceContext;
  /** Answer when it ends, at the latest after this long. 0: answer once the start is durable. */
  readonly waitMs: number;
}

export interface SignalRequest {
  readonly name: string;
  readonly value: ValueText;
  readonly key?: string;
  /** Answer when it next waits or ends, at the latest after this long. 0: answer once the signal is durable. */
  readonly waitMs: number;
}

/** The answer to a callback, as it came. */
export interface AnswerRequest extends AnsweredCallback {
  readonly value: ValueText;
}

export type { Command } from "../journal/command.ts";

export interface CommandRequest {
  readonly command: Command;
  readonly reason?: string;
  /** Only for the child that was started under this key: another execution of its name is as good as none. */
  readonly parentKey?: string;
}

export interface WatchRequest {
  /** Who is to be told of the end. */
  readonly by: ExecutionName;
}

/** The end of another execution, to one that may wait for it. */
export interface ToldRequest extends ExecutionName {
  /** The key under which its parent started it. */
  readonly parentKey?: string;
  readonly outcome: OutcomeView;
}

export interface PageRequest {
  /** Number of the first entry wanted. */
  readonly from: number;
  readonly limit: number;
}

/** No execution with this id: nothing was stored by asking. */
export interface Absent {
  readonly kind: "absent";
}

/** A rule forbids it; `code` is the problem document's. */
export interface Refused {
  readonly kind: "refused";
  readonly code:
    | "ID_CONFLICT"
    | "EXECUTION_ENDED"
    | "EXECUTION_NOT_ENDED"
    | "EXECUTION_UNREACHABLE"
    | "CALLBACK_USED"
    | "CALLBACK_EXPIRED"
    | "CALLBACK_ENDED"
    | "NOT_FOUND"
    | "JOURNAL_LIMIT"
    | "SIGNAL_LIMIT"
    | "UNSUPPORTED"
    | "NOT_CONFIGURED"
    | "VALIDATION_ERROR"
    | "VIEWER_LIMIT"
    | "UNAVAILABLE"
    | "FORK_INSIDE_CALLBACK";
  readonly message: string;
}

/** What was sent cannot be taken: whoever sent it learns why, and nothing has happened. */
export interface Unacceptable {
  readonly kind: "unacceptable";
  readonly code: "VALIDATION_ERROR" | "VALUE_TOO_LARGE" | "UNSUPPORTED";
  readonly message: string;
  readonly issues?: readonly Issue[];
}

export interface Found {
  readonly kind: "found";
  readonly view: ExecutionView;
}

export interface StartAnswer {
  readonly kind: "started";
  /** False where the same start had already been made. */
  readonly created: boolean;
  /** Another than the parent of the request had made the start. */
  readonly adopted?: true;
  readonly view: ExecutionView;
}

/** What the directory is told of it. */
export interface Listed {
  readonly kind: "listed";
  readonly report: Report;
}

export interface SignalAnswer {
  readonly kind: "accepted";
  /** The key was known: nothing was stored. */
  readonly duplicate: boolean;
  readonly view: ExecutionView;
}

export interface CallbackAnswer {
  readonly kind: "answered";
  /** The callback had this answer already, under the same key. */
  readonly duplicate: boolean;
}

export interface CommandAnswer {
  readonly kind: "done";
  /** False where the execution already was so. */
  readonly changed: boolean;
  readonly view: ExecutionView;
}

/** `watched`: it has not ended, and will tell its end. */
export type WatchAnswer = { readonly kind: "watched" } | { readonly kind: "ended"; readonly outcome: OutcomeView };

export interface WatchRefused {
  readonly kind: "refused";
  readonly code: "WATCHERS_LIMIT" | "UNSUPPORTED";
  readonly message: string;
}

export interface JournalPage {
  readonly kind: "page";
  /** JSON text of an array of `{ entry: number, … }`: the journal's entries with their numbers, values encoded. */
  readonly entries: string;
  /** Number of the first entry after the page, `null` at the end. */
  readonly next: number | null;
}

export interface LargeValue {
  readonly kind: "value";
  /** Absent where the entry does not exist, or holds its value itself. */
  readonly value?: ValueText;
}

/** A wish to see entries as they come. */
export interface EventsRequest {
  /** Number of the first entry wanted. */
  readonly from: number;
  readonly form: EntryForm;
  /** False: nobody reads them, only whether they can be read is asked. */
  readonly isOpened: boolean;
}

/** `over`: the execution has ended, and there is no entry from the wanted one on. */
export type EventsAnswer =
  | { readonly kind: "over" }
  | { readonly kind: "events"; readonly stream?: ReadableStream<Uint8Array> };

/** The methods of an Execution object that its callers use. */
export interface ExecutionPort {
  start(request: StartRequest): Promise<StartAnswer | Refused>;
  view(): Promise<Found | Absent>;
  /** The directory asks what is to be known of it. */
  listed(): Promise<Listed | Absent>;
  /** Answers when the execution has ended, at the latest after `waitMs`. */
  result(waitMs: number): Promise<Found | Absent>;
  signal(request: SignalRequest): Promise<SignalAnswer | Absent | Refused>;
  /** Answers one callback, once. What does not fit its schema uses nothing up. */
  answerCallback(request: AnswerRequest): Promise<CallbackAnswer | Absent | Refused | Unacceptable>;
  command(request: CommandRequest): Promise<CommandAnswer | Absent | Refused>;
  journal(request: PageRequest): Promise<JournalPage | Absent>;
  /** The large value that belongs to an entry. */
  value(entry: number): Promise<LargeValue | Absent>;
  /** Every entry from one on, as server-sent events, live and to the last one. */
  events(request: EventsRequest): Promise<EventsAnswer | Absent | Refused>;
  /** Purges an execution that has ended, once everybody who waits for its end was told. */
  purge(): Promise<{ readonly kind: "purged" } | Absent | Refused>;
  /** Asks for the end of the execution, now or when it comes. */
  watch(request: WatchRequest): Promise<WatchAnswer | Absent | WatchRefused>;
  /** Tells it the end of another execution. */
  told(request: ToldRequest): Promise<{ readonly kind: "heard" } | Absent | Refused>;
  /** Where this execution is cut for a fork. */
  cut(request: CutRequest): Promise<CutAnswer | Absent | Refused>;
  /** A page of what a fork copies. */
  copy(request: CopyRequest): Promise<CopyPage | Absent>;
  /** Begins as a fork of another execution, which `copy` reads. `absent`: the original is gone. */
  fork(request: ForkRequest, copy: CopyJournal): Promise<ForkAnswer | Absent | Refused>;
}
