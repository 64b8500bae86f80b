import { StepTimeout } from "../steps/errors.ts";
import type { StepOperation } from "../journal/state.ts";
import { withinAttempt, type AttemptScope } from "./attempt-scope.ts";
import { nestedError } from "./nested-step.ts";
import type { Clock } from "./ports.ts";
import type { StepContext } from "./workflow-context.ts";

export type StepFunction = (context: StepContext) => unknown;

export type AttemptResult =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly thrown: unknown };

/** What an attempt's function is given, but for the signal. */
export type AttemptContext = Omit<StepContext, "signal">;

interface RunningAttempt {
  readonly abort: (reason: unknown) => void;
  /** Takes the first result and drops every later one. */
  readonly end: (result: AttemptResult) => void;
}

/**
 * The attempts in flight in this object, by operation. They outlive a run that failed: the next run adopts them. What
 * is not in here and stands in the journal as running has died with an earlier object.
 */
export class Attempts {
  readonly #clock: Clock;
  readonly #onEnd: (op: number, result: AttemptResult) => void;
  readonly #running = new Map<number, RunningAttempt>();

  constructor(clock: Clock, onEnd: (op: number, result: AttemptResult) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  get size(): number {
    return this.#running.size;
  }

  has(op: number): boolean {
    return this.#running.has(op);
  }

  /** Calls the step's function; its result, its timeout or its abort, whichever comes first, ends the attempt. */
  start(step: StepOperation, fn: StepFunction, given: AttemptContext): void {
    const { op, name, timeoutMs } = step;
    const controller = new AbortController();
    const withdraw = this.#clock.timer(this.#clock.now() + timeoutMs, () => {
      const timeout = new StepTimeout(`Attempt ${given.attempt} of ${name} had ${timeoutMs} ms and did not end.`);
      controller.abort(timeout);
      attempt.end({ kind: "threw", thrown: timeout });
    });
    const attempt: RunningAttempt = {
      abort: (reason) => {
        withdraw();
        controller.abort(reason);
      },
      end: (result) => {
        if (this.#running.get(op) !== attempt) return;
        this.#running.delete(op);
        withdraw();
        this.#onEnd(op, result);
      },
    };
    this.#running.set(op, attempt);
    const scope: AttemptScope = {
      step: name,
      nested: (operation) => attempt.end({ kind: "threw", thrown: nestedError(name, operation) }),
    };
    call(fn, Object.freeze({ ...given, signal: controller.signal }), scope).then(
      (value) => attempt.end({ kind: "returned", value }),
      (thrown: unknown) => attempt.end({ kind: "threw", thrown }),
    );
  }

  /** Aborts the signal of an attempt and forgets it: whatever it does later is dropped. */
  abort(op: number, reason: unknown): void {
    const attempt = this.#running.get(op);
    this.#running.delete(op);
    attempt?.abort(reason);
  }

  abortAll(reason: unknown): void {
    for (const op of this.#running.keys()) this.abort(op, reason);
  }
}

async function call(fn: StepFunction, context: StepContext, scope: AttemptScope): Promise<unknown> {
  return await withinAttempt(scope, () => fn(context));
}
