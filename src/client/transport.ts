import type { Outcome } from "../execution/outcome-types.ts";
import type { Command } from "../execution/wire.ts";
import type { AnyWorkflow } from "../execution/workflow.ts";
import type {
  DeployedWorkflow,
  ExecutionCounts,
  ExecutionSummary,
  ExecutionView,
  JournalEntry,
  ScheduleView,
} from "./types.ts";

/** Which execution. */
export interface Ref {
  readonly workflow: string;
  readonly id: string;
}

/** What every request may carry. */
interface Carried {
  readonly key?: string | undefined;
  /** Answer when there is something to tell, at the latest after this long: whole seconds, at most 60. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Start extends Carried {
  readonly workflow: string;
  readonly input: unknown;
  /** What else is said, as the HTTP interface takes it. */
  readonly body: { readonly id: string | undefined; readonly [term: string]: unknown };
}

export interface Look extends Carried, Ref {}

export interface Signal extends Carried, Ref {
  readonly name: string;
  readonly value: unknown;
}

export interface Ordered extends Carried, Ref {
  readonly body: { readonly reason: string | undefined };
}

export interface Fork extends Carried, Ref {
  readonly body: { readonly id: string; readonly before: string | number | undefined };
}

export interface Trigger extends Carried {
  readonly schedule: string;
  /** There is nothing to be said with it. */
  readonly body: object;
}

export interface ScheduleOrder extends Trigger {
  readonly command: "pause" | "resume";
}

export interface Paged extends Carried {
  /** A moment as a `Date` goes as Unix milliseconds. */
  readonly query: Readonly<Record<string, string | number | boolean | Date | undefined>>;
}

/** An outcome of whichever workflow it is. */
export type AnyOutcome = Outcome<AnyWorkflow>;

export interface Started extends ExecutionView {
  readonly created: boolean;
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** Number of the first entry after the page, `null` at the end. */
  readonly next: number | null;
}

export interface ListPage {
  readonly executions: readonly ExecutionSummary[];
  /** Cursor of the next page, `null` at the end. */
  readonly next: string | null;
}

export interface Triggered extends Ref {
  /** Absent where the start is still to come. */
  readonly created?: boolean | undefined;
}

/**
 * What a client can ask, and what it is answered. What is about no single thing has the name of its path.
 */
export type Verbs = {
  readonly start: readonly [request: Start, answer: Started];
  readonly view: readonly [request: Look, answer: ExecutionView];
  /** `undefined` while it has not ended. */
  readonly result: readonly [request: Look, answer: AnyOutcome | undefined];
  readonly signal: readonly [request: Signal, answer: unknown];
  readonly fork: readonly [request: Fork, answer: ExecutionView];
  readonly delete: readonly [request: Look, answer: unknown];
  readonly journal: readonly [request: Look & Paged, answer: JournalPage];
  readonly executions: readonly [request: Paged, answer: ListPage];
  readonly workflows: readonly [request: Carried, answer: { readonly workflows: readonly DeployedWorkflow[] }];
  readonly counts: readonly [request: Carried, answer: ExecutionCounts];
  readonly schedules: readonly [request: Carried, answer: { readonly schedules: readonly ScheduleView[] }];
  readonly order: readonly [request: ScheduleOrder, answer: ScheduleView];
  readonly trigger: readonly [request: Trigger, answer: Triggered];
} & { readonly [Verb in Command]: readonly [request: Ordered, answer: unknown] };

/**
 * How a client reaches executions: by HTTP, or from inside the Worker. Values are what they are on both sides. What is
 * refused is thrown as `RequestRefused`; whatever else is thrown says that there was no answer. Everything may be asked
 * again after it failed: starts and forks carry an id or key, signals a key, commands only say what shall be so.
 */
export type Transport = <Verb extends keyof Verbs>(verb: Verb, request: Verbs[Verb][0]) => Promise<Verbs[Verb][1]>;
