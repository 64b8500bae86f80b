import type { Attributes } from "../../src/journal/attributes.ts";
import type { Budget } from "../../src/journal/budget.ts";
import type { Entry } from "../../src/journal/entry.ts";
import type { TraceContext } from "../../src/journal/trace-context.ts";
import { decodeValue } from "../../src/journal/value.ts";
import type { DeploymentOptions } from "../../src/execution/deployment.ts";
import type { Fetch, JournalCommit } from "../../src/execution/ports.ts";
import type { AnyWorkflow } from "../../src/execution/workflow.ts";
import type { ExecutionSummary } from "../../src/execution/wire-directory.ts";
import type { Command, ExecutionView, OutcomeView } from "../../src/execution/wire.ts";

/**
 * Durable Objects ring alarms by the real clock, so virtual time lies where that is not for a long time: alarms ring by
 * hand alone. A year's sleep still ends long before 2189, the last year that alarms know.
 */
export const VIRTUAL_START = Date.UTC(2100, 0, 1);

export type NumberedFact = Entry & { readonly entry: number };

/** An outcome with its values decoded. */
export type Outcome =
  | { readonly kind: "completed"; readonly value: unknown }
  | {
      readonly kind: "failed";
      readonly declared: boolean;
      readonly code: string;
      readonly message: string;
      readonly details: unknown;
    }
  | { readonly kind: "cancelled" };

/** One execution in a test, wherever it lives. */
export interface Probe {
  readonly id: string;
  view(): Promise<ExecutionView>;
  outcome(): Promise<Outcome | undefined>;
  facts(): Promise<readonly NumberedFact[]>;
  /** Answers the kind of the answer, or the code of the refusal. */
  signal(name: string, value: unknown, key?: string): Promise<string>;
  /** Answers a callback by its URL: `answered`, `duplicate`, or the code of the refusal. */
  answer(url: string, value: unknown, key?: string): Promise<string>;
  command(command: Command, reason?: string): Promise<string>;
  /** Deletes it: answers the kind of the answer, or the code of the refusal. */
  purge(): Promise<string>;
  /** Memory is lost; all that was written is kept. */
  evict(): Promise<void>;
  /** The fork, or the code of the refusal. */
  fork(options?: ForkOptions): Promise<Probe | string>;
  /** What storage holds as the alarm. */
  alarm(): Promise<number | undefined>;
  /** Behind the engine's back. */
  spoilAlarm(at: number | undefined): Promise<void>;
  /** Rings the alarm now, due or not. */
  ring(): Promise<void>;
}

export interface ForkOptions {
  readonly id?: string;
  readonly before?: string | number;
}

export interface StartOptions {
  readonly id?: string;
  readonly input?: unknown;
  readonly startAt?: number;
  readonly deadlineMs?: number;
  readonly attributes?: Attributes;
  readonly budget?: Budget;
  readonly origin?: string;
  readonly trace?: TraceContext;
}

/** Where executions live in a test: in memory in Node, or in Durable Objects in workerd. The clock is virtual. */
export interface Host {
  now(): number;
  /** Starts an execution and goes on until nothing can go on without the clock. */
  start(workflow: AnyWorkflow, options?: StartOptions): Promise<Probe>;
  /** An execution that another one may have started; it need not exist. */
  get(workflow: AnyWorkflow, id: string): Probe;
  /** Moves the clock, firing everything that is due on the way in order. */
  advance(ms: number): Promise<void>;
  /** Moves the clock from wake to wake until nothing waits for time; purges are not waited for. */
  runToEnd(): Promise<void>;
  /** The work of a step that takes so long. */
  delay(ms: number): Promise<void>;
  /** What the directory has, newest first. */
  listed(): Promise<readonly ExecutionSummary[]>;
  /** The directory loses all that it knows. */
  loseDirectory(): Promise<void>;
  /** An execution whose journal stands in storage already, without an alarm, and which nobody has touched yet. */
  stored(workflow: AnyWorkflow, id: string, journal: JournalCommit): Promise<Probe>;
  /** Other code, with other defaults, is deployed for every execution; their memory is lost. Both hosts have it. */
  deploy(options: DeploymentOptions): Promise<void>;
}

export interface HostOptions extends DeploymentOptions {
  readonly env?: unknown;
  /** Executions are told to a directory. Default: there is none. */
  readonly directory?: boolean;
  /** What `step.fetch` sends its requests with. Default: the platform's. */
  readonly fetch?: Fetch;
}

export type MakeHost = (options: HostOptions) => Host;

export function outcomeOf(outcome: OutcomeView | undefined): Outcome | undefined {
  if (outcome === undefined || outcome.kind === "cancelled") return outcome;
  if (outcome.kind === "completed") return { kind: "completed", value: decodeValue(outcome.value) };
  return { ...outcome, details: decodeValue(outcome.details) };
}
