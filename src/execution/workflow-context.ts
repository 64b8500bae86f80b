import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Attributes } from "../journal/attributes.ts";
import type { OnParentEnd } from "../journal/child-entry.ts";
import type { Duration } from "../steps/duration.ts";
import type { ExecutionRef, NameOf } from "./execution-ref.ts";
import type { Outcome, StartArguments } from "./outcome-types.ts";
import type { AnyWorkflow, OutputOf, TypesOf } from "./workflow.ts";
import type { CancelledError, DeclaredError, RetryableError, RetryDelay, StepExhausted } from "../steps/errors.ts";
import type { StepOptions } from "../steps/step-options.ts";

declare global {
  // Merged with what `wrangler types` writes, so that `env` has the author's own bindings.
  namespace Cloudflare {
    interface Env {}
  }
}

export type Schemas = Readonly<Record<string, StandardSchemaV1>>;

export interface Log {
  readonly debug: (message: string, fields?: Record<string, unknown>) => void;
  readonly info: (message: string, fields?: Record<string, unknown>) => void;
  readonly warn: (message: string, fields?: Record<string, unknown>) => void;
  readonly error: (message: string, fields?: Record<string, unknown>) => void;
}

/** What the function of a step, and that of its rollback, is given. */
export interface StepContext {
  /** Counts from 1; interrupted attempts count. */
  readonly attempt: number;
  /** The same on every attempt and every replay, another one for every step of every execution. */
  readonly idempotencyKey: string;
  /** Further keys of the same kind, for a step that calls several services. */
  readonly key: (label: string) => string;
  /** Aborts when the attempt's time is up (with a `StepTimeout`), or the execution is cancelled or ends. */
  readonly signal: AbortSignal;
  /** How the attempt before failed. */
  readonly lastFailure?: { readonly name: string; readonly message: string };
  readonly log: Log;
}

export interface Step {
  /**
   * Runs `fn` until its outcome is journaled, and never again: a replay gives the journaled value. What `fn` returns
   * must be journalable; the workflow sees the journaled copy. Rejects with `StepExhausted` when the budget is spent.
   *
   * @param step its name, or its name with the terms that it does not share with the workflow
   * @param rollback undoes the step, given what it completed with, if the execution fails or is cancelled. The newest
   * completed step is rolled back first, each under its own step's terms and with a key of its own; one whose budget is
   * spent is recorded, and the others still run. It counts from the step's first attempt on: one that a later deploy
   * adds to a step that has begun is not run.
   */
  readonly run: <T>(
    step: string | StepOptions,
    fn: (context: StepContext) => T | Promise<T>,
    rollback?: (value: T, context: StepContext) => unknown,
  ) => Promise<T>;
  /**
   * Sends one HTTP request as a step, and journals the answer. `2xx` and `3xx` are answers; `408`, `425`, `429`, `5xx`
   * and network errors are tried again, when the service's `Retry-After` says so, else after the backoff. Rejects with
   * `HttpRefusal` for every other `4xx`, and with `StepExhausted` when the budget is spent.
   *
   * An `Idempotency-Key`, the same on every attempt, goes with all methods but GET, HEAD and OPTIONS, unless `init` has
   * one. Redirects are followed; to another origin without `Authorization`, cookies, the key and `traceparent`. A
   * `signal` in `init` ends the step for good when it aborts.
   *
   * @param step its name, or its name with the terms that it does not share with the workflow
   * @param request an absolute URL of http or https, or a `Request` without a body
   * @param init as for `fetch`; its body is text, bytes, `URLSearchParams`, `FormData` or a `Blob`, never a stream
   * @example
   * ```ts
   * const answer = await step.fetch("reserve-stock", `${SHOP}/stock/${sku}`, { method: "POST" });
   * const { id } = await answer.json<{ id: string }>();
   * ```
   */
  readonly fetch: (
    step: string | StepOptions,
    request: string | URL | Request,
    init?: RequestInit,
  ) => Promise<FetchResult>;
}

/** A journaled answer, with what is used of a `Response`. The body was read before: it can be asked for repeatedly. */
export interface FetchResult {
  /** The status is one of 200 to 299. */
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  /** The body as UTF-8. */
  readonly text: () => Promise<string>;
  /** The parsed body; what it is taken for is not checked. Rejects with a `SyntaxError` where it is no JSON. */
  readonly json: <T = unknown>() => Promise<T>;
  /** A copy of the body. */
  readonly bytes: () => Promise<Uint8Array>;
}

/** A timeout is an outcome, not an error. */
export type SignalOutcome<T> = { readonly received: true; readonly value: T } | { readonly received: false };

/** A one-time URL by which an outside system answers. */
export interface Callback<T> {
  /** Not secret: it names the callback in the journal. */
  readonly id: string;
  /** A POST of JSON to it answers the callback, without any other credential: it is a secret itself. */
  readonly url: string;
  /**
   * The answer, or `{ received: false }` once the callback's time is up. It may come before anybody asks for it, and may
   * be asked for more than once.
   */
  readonly result: () => Promise<SignalOutcome<T>>;
}

export type ErrorFactories<E extends Schemas> = {
  readonly [Code in keyof E & string]: {
    (
      details: StandardSchemaV1.InferInput<E[Code]>,
      message?: string,
    ): DeclaredError<Code, StandardSchemaV1.InferOutput<E[Code]>>;
    is(error: unknown): error is DeclaredError<Code, StandardSchemaV1.InferOutput<E[Code]>>;
  };
};

export interface RunExecutionOptions {
  /** 1 to 128 of `A-Z a-z 0-9 . _ ~ -`. */
  readonly id?: string | undefined;
}

export interface StartExecutionOptions extends RunExecutionOptions {
  /** Whether the child is cancelled when this execution is cancelled or ends. @default "cancel" */
  readonly onParentEnd?: OnParentEnd | undefined;
}

export interface AwaitExecution {
  <W extends AnyWorkflow>(execution: ExecutionRef<W>, options?: { timeout?: undefined }): Promise<Outcome<W>>;
  <W extends AnyWorkflow>(
    execution: ExecutionRef<W>,
    options: { timeout?: Duration | undefined },
  ): Promise<Outcome<W> | { readonly kind: "timeout" }>;
}

/** What every workflow has: the parameter type of helper functions. Every member works when destructured. */
export interface WorkflowContext {
  /** The Worker's bindings and secrets, for use inside steps. Never journaled. */
  readonly env: Cloudflare.Env;
  readonly execution: {
    readonly id: string;
    readonly workflow: string;
    readonly version?: string;
    /** When it was started, in Unix milliseconds; with a `startAt` its code runs later. */
    readonly startedAt: number;
    /** The execution that started this one. */
    readonly parent?: ExecutionRef;
    /** As they stand where the code is: those given at the start, and what it has set since. */
    readonly attributes: Attributes;
  };
  readonly step: Step;
  /** Up to 365 days; a negative duration settles at once. */
  readonly sleep: (duration: Duration) => Promise<void>;
  /** A moment or Unix milliseconds, at most 365 days ahead; a past one settles at once. */
  readonly sleepUntil: (date: Date | number) => Promise<void>;
  /**
   * Starts another execution, once, whatever replays; resolves when it exists. Its id is the one given, else one that
   * follows from this execution and the place of the call. The input is validated by the workflow as it is deployed.
   *
   * A start with an `id` that somebody else has made with the same input gives that execution. One that this execution
   * made is its child: it is cancelled with it, and when it ends in any way, unless `onParentEnd` is `"continue"`.
   *
   * @throws OperationRefused: `NOT_FOUND` (no workflow of this name is deployed), `ID_CONFLICT` (another input under the
   * id), `VALIDATION_ERROR`, `VALUE_TOO_LARGE`
   * @example
   * ```ts
   * const child = await startExecution(order, { sku: "lamp", cents: 4900 });
   * const outcome = await awaitExecution(child, { timeout: "1h" });
   * ```
   */
  readonly startExecution: <W extends AnyWorkflow>(
    workflow: W | NameOf<W>,
    ...rest: StartArguments<W, StartExecutionOptions>
  ) => Promise<ExecutionRef<W>>;
  /**
   * Waits for the end of another execution, whoever started it, and gives its outcome, whatever it is. With a `timeout`
   * of up to 365 days the outcome may also be `{ kind: "timeout" }`.
   *
   * @throws OperationRefused: `NOT_FOUND`, `DEADLOCK` (its own end), `WATCHERS_LIMIT`
   */
  readonly awaitExecution: AwaitExecution;
  /**
   * Starts another execution, waits for its end and gives its value.
   *
   * @throws ExecutionFailed, ExecutionCancelled, and what `startExecution` throws
   */
  readonly runExecution: <W extends AnyWorkflow>(
    workflow: W | NameOf<W>,
    ...rest: StartArguments<W, RunExecutionOptions>
  ) => Promise<OutputOf<W>>;
  /**
   * Sends another execution a signal, once, whatever replays; resolves when it is durable there. Signals to one
   * execution arrive in the order in which they were sent.
   *
   * @throws OperationRefused: `NOT_FOUND`, `EXECUTION_ENDED`, `VALIDATION_ERROR`, `VALUE_TOO_LARGE`, `SIGNAL_LIMIT`,
   * `UNSUPPORTED` (its workflow declares no such signal)
   */
  readonly signalExecution: <W extends AnyWorkflow, Name extends keyof TypesOf<W>["signals"] & string>(
    execution: ExecutionRef<W>,
    name: Name,
    value: StandardSchemaV1.InferInput<TypesOf<W>["signals"][Name]>,
  ) => Promise<void>;
  /**
   * Cancels another execution, once, whatever replays; resolves when that is durable there. One that has ended stays as
   * it is.
   *
   * @param reason up to 1,024 characters
   * @throws OperationRefused: `NOT_FOUND`
   */
  readonly cancelExecution: (execution: ExecutionRef, reason?: string) => Promise<void>;
  /** An error to throw inside a step: the next attempt starts no earlier than `delay` says. */
  readonly retryAfter: (delay: RetryDelay, cause?: unknown) => RetryableError;
  readonly cancelled: (error: unknown) => error is CancelledError;
  readonly exhausted: (error: unknown) => error is StepExhausted;
  /** Unix milliseconds of what the workflow has just seen: the same on every replay. */
  readonly now: () => number;
  /** From 0 to below 1: the same on every replay. */
  readonly random: () => number;
  /** A version 4 UUID: the same on every replay. */
  readonly uuid: () => string;
  /**
   * Makes a callback: a URL that takes one answer, until its time is up or the execution has ended.
   *
   * @param options `name` (1 to 128 characters, default `callback`) stands in the journal; an answer that does not fit
   * `schema` is refused and uses nothing up; `timeout` (up to 365 days) counts from now, without it there is none
   * @throws OperationRefused with code `NOT_CONFIGURED` where no origin or no secret is known
   * @example
   * ```ts
   * const approval = await createCallback({ name: "approval", schema: z.object({ ok: z.boolean() }), timeout: "3d" });
   * await step.run("ask", () => mail(input.to, approval.url));
   * const answer = await approval.result();
   * ```
   */
  readonly createCallback: <C extends StandardSchemaV1 = StandardSchemaV1<unknown>>(options?: {
    readonly name?: string | undefined;
    readonly schema?: C | undefined;
    readonly timeout?: Duration | undefined;
  }) => Promise<Callback<StandardSchemaV1.InferOutput<C>>>;
  /** What callers and lists see while the execution runs; the latest wins. Any journalable value. */
  readonly setProgress: (value: unknown) => void;
  /**
   * Sets attributes by which the execution is shown and found; the latest value of each name wins, the others stay. Up
   * to 20 names of 1 to 64 of `A-Z a-z 0-9 _ . -`, with a string of up to 256 characters, a finite number or a boolean.
   *
   * @throws TypeError or RangeError that names the attribute, the rule and the value
   */
  readonly setAttributes: (values: Attributes) => void;
  /**
   * For changing the code of running executions: `true` for those that come to this point on this code, `false` for
   * those that passed it before it existed. The first call with an id decides for the execution. Takes no place among
   * the operations.
   *
   * @param id 1 to 128 characters
   * @throws TypeError or RangeError that names the rule and the value
   * @example
   * ```ts
   * if (patched("notify-first")) await step.run("notify", () => notify(input));
   * await step.run("ship", () => ship(input));
   * ```
   */
  readonly patched: (id: string) => boolean;
  /** Silent while replaying. */
  readonly log: Log;
}

export interface WorkflowTypes {
  in: unknown;
  input: unknown;
  output: unknown;
  signals: Schemas;
  errors: Schemas;
}

export interface AwaitSignal<S extends Schemas> {
  <Name extends keyof S & string>(
    name: Name,
    options?: { timeout?: undefined },
  ): Promise<{ readonly received: true; readonly value: StandardSchemaV1.InferOutput<S[Name]> }>;
  <Name extends keyof S & string>(
    name: Name,
    options: { timeout?: Duration | undefined },
  ): Promise<SignalOutcome<StandardSchemaV1.InferOutput<S[Name]>>>;
}

/** A context with what its workflow declares. */
export interface DeclaredContext<T extends WorkflowTypes> extends WorkflowContext {
  readonly input: T["input"];
  /**
   * The oldest unread signal of that name, or the next one to come. Signals sent before the wait are kept.
   *
   * A wait that lost a `Promise.race` to another operation takes none.
   */
  readonly awaitSignal: AwaitSignal<T["signals"]>;
  readonly errors: ErrorFactories<T["errors"]>;
}
