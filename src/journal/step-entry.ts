import type { Failure } from "../steps/failure.ts";
import type { RetryReason, Spent } from "../steps/retry-decision.ts";
import type { Asked, Encoded, Fact, StepTerms } from "./entry.ts";

/** What the first entry of a step says of it. */
interface AskedStep extends Asked<"step">, Partial<StepTerms> {
  /** The code gave it a rollback. */
  readonly rollback?: true;
}

/** A step that has to wait for a place among the running attempts. */
export interface Queued extends Fact<"queued">, AskedStep {}

/** The first attempt of a step that was not queued is also the step's first entry. */
export interface FirstAttemptStarted extends Fact<"attempt-started">, AskedStep {
  readonly attempt: number;
}

export interface AttemptStarted extends Fact<"attempt-started"> {
  readonly op: number;
  readonly attempt: number;
  /** An earlier object died: nothing else is started before this attempt has ended or outlived its watch. */
  readonly watched?: true;
  readonly kind?: undefined;
}

/** A watched attempt has lived for a while: if the object dies now, it is no more to blame than others. */
export interface AttemptOutlived extends Fact<"attempt-outlived"> {
  readonly op: number;
}

/** A failed attempt within the budget. */
export interface AttemptRetried extends Fact<"attempt-failed"> {
  readonly op: number;
  readonly attempt: number;
  readonly failure: Failure;
  readonly retryAt: number;
  readonly because: RetryReason;
  /** The delay that a test did not wait out, and that counts as elapsed. */
  readonly skippedMs?: number;
  readonly spent?: undefined;
}

/** A failed attempt that ended its step. */
export interface StepSpent extends Fact<"attempt-failed"> {
  readonly op: number;
  readonly attempt: number;
  readonly failure: Failure;
  readonly spent: Spent;
  /** What the workflow's code sees. */
  readonly error: Encoded;
  /** When the service asked to be tried again, where that is beyond the bound. */
  readonly retryAt?: number;
}

export interface StepCompleted extends Fact<"step-completed"> {
  readonly op: number;
  readonly value: Encoded;
}

/** What is journaled of steps. */
export type StepEntry =
  | Queued
  | FirstAttemptStarted
  | AttemptStarted
  | AttemptOutlived
  | AttemptRetried
  | StepSpent
  | StepCompleted;
