import { brandClasses, brandOf } from "./brand.ts";
import { ExecutionCancelled, ExecutionFailed } from "./outcome-errors.ts";

/** An error of the workflow's own family (`errors.CODE(details)`): ends the execution wherever it is thrown. */
export class DeclaredError<Code extends string = string, Details = unknown> extends Error {
  readonly code: Code;
  readonly details: Details;
  constructor(code: Code, details: Details, message: string = code) {
    super(message);
    this.code = code;
    this.details = details;
  }
  static is(error: unknown): error is DeclaredError {
    return brandOf(error) === "DeclaredError";
  }
}

export interface NonRetryableErrorOptions {
  /** The code that the execution fails with if nobody catches the error. Default `NON_RETRYABLE`. */
  readonly code?: string | undefined;
  /** Any journalable value that callers shall see. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** Thrown in a step: no further attempt. Thrown in the workflow: the execution fails for good, with `code`. */
export class NonRetryableError extends Error {
  readonly code: string;
  declare readonly details?: unknown;
  constructor(message: string, options: NonRetryableErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = options.code ?? "NON_RETRYABLE";
    if (options.details !== undefined) this.details = options.details;
  }
  /** Also true for an {@link HttpRefusal}, which is not worth a retry either. */
  static is(error: unknown): error is NonRetryableError {
    const brand = brandOf(error);
    return brand === "NonRetryableError" || brand === "HttpRefusal";
  }
}

/** A service's refusal that no retry will change. `code` is the service's own. */
export class HttpRefusal extends Error {
  readonly status: number;
  declare readonly code?: string;
  readonly body: unknown;
  constructor(status: number, body: unknown, code?: string) {
    super(`The service answered ${status}${code === undefined ? "" : ` ${code}`}.`);
    this.status = status;
    this.body = body;
    if (code !== undefined) this.code = code;
  }
  static is(error: unknown): error is HttpRefusal {
    return brandOf(error) === "HttpRefusal";
  }
}

/** What prescribes a delay: see `retryAfter`. */
export type RetryDelay = number | string | Date | null;

export interface RetryableErrorOptions {
  /** When the next attempt may start at the earliest; left out or `null`: the ordinary backoff. */
  readonly retryAfter?: RetryDelay | undefined;
  readonly cause?: unknown;
}

/** Thrown in a step: the attempt failed, and the next one starts no earlier than `retryAfter` says. */
export class RetryableError extends Error {
  declare readonly retryAfter?: RetryDelay;
  constructor(message: string, options: RetryableErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
  static is(error: unknown): error is RetryableError {
    return brandOf(error) === "RetryableError";
  }
}

/** The codes of a service's refusal, without anything it said. */
export interface Refusal {
  readonly status: number;
  readonly code?: string;
}

export interface StepExhaustedOptions {
  readonly step: string;
  readonly attempts: number;
  readonly refusal?: Refusal | undefined;
  /** Unix milliseconds: when the service asked to be tried again, if that is beyond the bound. */
  readonly retryAt?: number | undefined;
  /** What the last attempt threw; the workflow's code and operators see it, callers never. */
  readonly cause?: unknown;
}

/** A step whose budget is spent. */
export class StepExhausted extends Error {
  override readonly name = "StepExhausted" as const;
  readonly step: string;
  readonly attempts: number;
  declare readonly refusal?: Refusal;
  declare readonly retryAt?: number;
  constructor(options: StepExhaustedOptions) {
    super(`Workflow Step ${options.step} exhausted its retries.`, { cause: options.cause });
    this.step = options.step;
    this.attempts = options.attempts;
    if (options.refusal !== undefined) this.refusal = options.refusal;
    if (options.retryAt !== undefined) this.retryAt = options.retryAt;
  }
  static is(error: unknown): error is StepExhausted {
    return brandOf(error) === "StepExhausted";
  }
}

/** The reason of an attempt's `signal` when its time is up, and what the attempt then fails with. */
export class StepTimeout extends Error {
  static is(error: unknown): error is StepTimeout {
    return brandOf(error) === "StepTimeout";
  }
}

/** What an attempt failed with whose object was lost before its outcome was journaled. */
export class StepInterrupted extends Error {
  static is(error: unknown): error is StepInterrupted {
    return brandOf(error) === "StepInterrupted";
  }
}

/** The cooperative cancellation of the execution: what pending operations reject with, and a `signal`'s reason. */
export class CancelledError extends Error {
  static is(error: unknown): error is CancelledError {
    return brandOf(error) === "CancelledError";
  }
}

/** The engine refused an operation; `code` says which rule or limit. */
export class OperationRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
  static is(error: unknown): error is OperationRefused {
    return brandOf(error) === "OperationRefused";
  }
}

/** The classes by their brands: how the value codec rebuilds a journaled error. */
export const ERROR_CLASSES = {
  DeclaredError,
  NonRetryableError,
  HttpRefusal,
  RetryableError,
  StepExhausted,
  StepTimeout,
  StepInterrupted,
  CancelledError,
  OperationRefused,
  ExecutionFailed,
  ExecutionCancelled,
} as const;

brandClasses(ERROR_CLASSES);

/** True for the engine's cooperative cancellation, live and after any replay. */
export function cancelled(error: unknown): error is CancelledError {
  return CancelledError.is(error);
}

/** True for a step whose budget is spent, live and after any replay. */
export function exhausted(error: unknown): error is StepExhausted {
  return StepExhausted.is(error);
}
