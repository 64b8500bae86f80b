import type { Failure } from "../steps/failure.ts";
import type { RetryReason, Spent } from "../steps/retry-decision.ts";
import type { Cancelled, Fact, Failed } from "./entry.ts";

/**
 * The execution is going to end so, once the rollback of every completed step that has one had its outcome. Nothing
 * else starts any more.
 */
export interface Ending extends Fact<"ending"> {
  readonly outcome: Failed | Cancelled;
}

export interface RollbackStarted extends Fact<"rollback-started"> {
  /** The number of the step. */
  readonly op: number;
  readonly attempt: number;
}

/** A failed attempt of a rollback within the budget of its step's policy. */
export interface RollbackRetried extends Fact<"rollback-failed"> {
  readonly op: number;
  readonly attempt: number;
  readonly failure: Failure;
  readonly retryAt: number;
  readonly because: RetryReason;
  /** As of a step's. */
  readonly skippedMs?: number;
  readonly spent?: undefined;
}

/** A failed attempt that ended its rollback. The others still run. */
export interface RollbackSpent extends Fact<"rollback-failed"> {
  readonly op: number;
  readonly attempt: number;
  readonly failure: Failure;
  readonly spent: Spent;
  /** When the service asked to be tried again, where that is beyond the bound. */
  readonly retryAt?: number;
}

export interface RollbackCompleted extends Fact<"rollback-completed"> {
  readonly op: number;
}

/** The execution ends without this rollback, or without another attempt of it. */
export interface RollbackNotRun extends Fact<"rollback-not-run"> {
  readonly op: number;
  readonly reason: string;
}

/** What is journaled between the end of the workflow's code and that of its execution. */
export type RollbackEntry =
  | Ending
  | RollbackStarted
  | RollbackRetried
  | RollbackSpent
  | RollbackCompleted
  | RollbackNotRun;
