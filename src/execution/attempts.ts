import { OperationRefused, StepTimeout } from "../steps/errors.ts";
import type { Attempted } from "../journal/state.ts";
import { Abort } from "./abort.ts";
import { withinAttempt, type AttemptScope } from "./attempt-scope.ts";
import { nestedError } from "./refusals.ts";
import type { AttemptName, AttemptWatch, Clock, Ports } from "./ports.ts";
import type { StepContext } from "./workflow-context.ts";

export type StepFunction = (context: StepContext) => unknown;

/** Undoes a step, given what it completed with. What it returns is of no use to anybody. */
export type RollbackFunction = (value: unknown, context: StepContext) => unknown;

export type AttemptResult =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly thrown: unknown };

/** One attempt in flight, which is also the scope of all that its function does. */
class RunningAttempt implements AttemptScope {
  readonly attempted: Attempted;
  readonly attempt: number;
  readonly deadlineAt: number;
  readonly signal = new Abort();
  readonly #end: (running: RunningAttempt, result: AttemptResult) => void;

  constructor(attempted: Attempted, deadlineAt: number, end: (running: RunningAttempt, result: AttemptResult) => void) {
    this.attempted = attempted;
    this.attempt = attempted.attempts;
    this.deadlineAt = deadlineAt;
    this.#end = end;
  }

  get step(): string {
    return this.attempted.name;
  }

  nested(operation: string): void {
    this.#end(this, { kind: "threw", thrown: nestedError(this.step, operation) });
  }

  /** Listeners of the signal are part of the attempt, too. */
  abort(reason: unknown): void {
    withinAttempt(this, () => this.signal.abort(reason));
  }
}

/**
 * The attempts in flight in this object, by operation: those of steps, or after the code's end the one of a rollback.
 * They outlive a run that failed: the next run adopts them. What is not in here and stands in the journal as running has
 * died with an earlier object.
 */
export class Attempts {
  readonly #clock: Clock;
  readonly #watched: AttemptWatch | undefined;
  readonly #onEnd: (op: number, result: AttemptResult) => void;
  readonly #running = new Map<number, RunningAttempt>();
  /** One timer serves all deadlines: it stands at the earliest, or before it where that attempt has ended. */
  #timer: { readonly at: number; readonly withdraw: () => void } | undefined;

  /** Takes the first result and drops every later one. */
  readonly #ended = (running: RunningAttempt, result: AttemptResult): void => {
    const { op } = running.attempted;
    if (this.#running.get(op) !== running) return;
    this.#running.delete(op);
    this.#onEnd(op, result);
  };

  constructor(ports: Pick<Ports, "clock" | "watch">, onEnd: (op: number, result: AttemptResult) => void) {
    this.#clock = ports.clock;
    this.#watched = ports.watch;
    this.#onEnd = onEnd;
  }

  get size(): number {
    return this.#running.size;
  }

  has(op: number): boolean {
    return this.#running.has(op);
  }

  /** Calls the step's function; its result, its timeout or its abort, whichever comes first, ends the attempt. */
  start(step: Attempted, fn: StepFunction, contextFor: (abort: Abort) => StepContext): void {
    const running = new RunningAttempt(step, this.#clock.now() + step.timeoutMs, this.#ended);
    this.#running.set(step.op, running);
    this.#watch(running.deadlineAt);
    this.#watched?.started(nameOf(running));
    call(fn, contextFor(running.signal), running).then(
      (value) => this.#hear(running, { kind: "returned", value }),
      (thrown: unknown) => this.#hear(running, { kind: "threw", thrown }),
    );
  }

  /** Aborts the signal of an attempt and forgets it: whatever it does later is dropped. */
  abort(op: number, reason: unknown): void {
    const running = this.#running.get(op);
    this.#running.delete(op);
    running?.abort(reason);
  }

  /** The execution has ended, or its memory is of no use any more. */
  abortAll(): void {
    if (this.#running.size > 0) {
      const reason = new OperationRefused("EXECUTION_ENDED", "The execution has ended.");
      for (const op of this.#running.keys()) this.abort(op, reason);
    }
    this.rest();
  }

  /** No attempt is in flight, and an object at rest holds no timer. */
  rest(): void {
    this.#timer?.withdraw();
    this.#timer = undefined;
  }

  /** The function has ended. */
  #hear(running: RunningAttempt, result: AttemptResult): void {
    const held = this.#watched?.ended(nameOf(running));
    if (held === undefined) this.#ended(running, result);
    else void held.then(() => this.#ended(running, result));
  }

  #watch(deadlineAt: number): void {
    if (this.#timer !== undefined && this.#timer.at <= deadlineAt) return;
    this.rest();
    this.#timer = { at: deadlineAt, withdraw: this.#clock.timer(deadlineAt, () => this.#expire()) };
  }

  #expire(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (const running of this.#running.values()) {
      const { attempted: step, attempt, deadlineAt } = running;
      if (deadlineAt > now) this.#watch(deadlineAt);
      else {
        const thrown = new StepTimeout(`Attempt ${attempt} of ${step.name} had ${step.timeoutMs} ms and did not end.`);
        running.abort(thrown);
        this.#ended(running, { kind: "threw", thrown });
      }
    }
  }
}

function nameOf({ attempted: { kind, op, name }, attempt }: RunningAttempt): AttemptName {
  return { kind, op, name, attempt };
}

async function call(fn: StepFunction, context: StepContext, scope: AttemptScope): Promise<unknown> {
  return await withinAttempt(scope, () => fn(context));
}
