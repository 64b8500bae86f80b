import { endedError } from "../../src/execution/refusals.ts";
import { CancelledError, StepExhausted } from "../../src/steps/errors.ts";
import type { Outcome } from "../support/host.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import type { Asked, AttemptEnd, ModelCallback, Operation, Step } from "./model-context.ts";
import { outcomeOf, TOO_LATE, type Result } from "./model-outcome.ts";
import { takeMessages, type UnreadSignal } from "./model-messages.ts";

const NEVER = Number.POSITIVE_INFINITY;
/** The time of first attempts, which start before all others. */
const FIRST = -1;
/** The number of what is no operation: a rollback. */
const NONE = -1;

/**
 * What the engine promises, without journal, replay, alarm and death: plain promises over a clock that is moved. What
 * the code asks with is in `model-context.ts`.
 */
export class Model {
  readonly clock = new VirtualClock();
  ended: { readonly at: number; readonly outcome: Outcome } | undefined;
  /** Attempts ended in one turn of which no rule says which was first: an answer is read as fast as it is read. */
  isAmbiguous = false;
  /** The time of what the code has seen last. */
  seenAt: number;
  readonly #code: (model: Model) => Promise<unknown>;
  readonly #startAt: number;
  readonly #deadlineAt: number;
  #phase: "to start" | "running" | "ending" | "over" = "to start";
  #result: Result | undefined;
  #cancel: { readonly reason: string; readonly byDeadline: boolean; told: boolean } | undefined;
  #turns = 0;
  #asked = 0;
  #endedInTurn: Step[] = [];
  #starts: { readonly op: number; readonly at: number; readonly go: () => void }[] = [];
  /** In the order in which the code asked. */
  readonly #open = new Map<number, Operation>();
  /** Told one after the other, each in a turn of its own. */
  readonly #settled: { readonly at: number; readonly tell: () => void }[] = [];
  readonly #unread: UnreadSignal[] = [];
  /** The newest first. */
  readonly #undos: Step[] = [];

  constructor(code: (model: Model) => Promise<unknown>, startAt: number, deadlineAt = NEVER) {
    this.#code = code;
    this.#startAt = startAt;
    this.#deadlineAt = deadlineAt;
    this.seenAt = startAt;
  }

  /** What is refused is not made, and takes no number. */
  ask(make: () => Asked): Operation {
    const settling = Promise.withResolvers<unknown>();
    settling.promise.catch(() => {});
    const op = this.#asked;
    const operation = { ...settling, op, turn: this.#turns, dueAt: NEVER, listener: "awaits" as const };
    try {
      if (this.#result !== undefined) throw endedError();
      const { step, ...wait } = make();
      const open: Operation = { ...operation, ...wait };
      this.#asked += 1;
      this.#open.set(op, open);
      if (step !== undefined) void this.#run(open, step);
      return open;
    } catch (error) {
      operation.reject(error);
      return operation;
    }
  }

  async signal(name: string, value: unknown): Promise<void> {
    this.#unread.push({ name, value, at: this.clock.now() });
    await this.#goOn();
  }

  /** One answer, until its time is up or the code has ended. */
  async answer(callback: ModelCallback, value: unknown): Promise<void> {
    const fits = typeof value === "number" || !callback.takesNumbers;
    const at = this.clock.now();
    if (this.#phase === "running" && fits && callback.dueAt > at) callback.answer ??= { value, at };
    await this.#goOn();
  }

  async cancel(): Promise<void> {
    this.#cancel ??= { reason: "The execution was cancelled.", byDeadline: false, told: false };
    // Code that has not run has nothing to compensate for.
    if (this.#phase === "to start") this.#end({ kind: "cancelled" });
    await this.#goOn();
  }

  async advanceTo(at: number): Promise<void> {
    for (let next = this.#nextAt; next <= at; next = this.#nextAt) {
      this.clock.moveTo(next);
      await this.#turn(() => this.clock.fireDue());
      await this.#goOn();
    }
    this.clock.moveTo(at);
  }

  get #nextAt(): number {
    const work = this.clock.nextAt ?? NEVER;
    if (this.#phase === "to start") return this.#startAt;
    if (this.#phase === "over") return work;
    const due = [...this.#open.values()].map(({ dueAt }) => dueAt);
    return Math.min(work, this.#pendingDeadline, ...due, ...this.#starts.map(({ at }) => at));
  }

  get #pendingDeadline(): number {
    return this.#phase === "running" && this.#cancel === undefined ? this.#deadlineAt : NEVER;
  }

  async #turn(act: () => void): Promise<void> {
    this.#endedInTurn = [];
    act();
    await new Promise((resolve) => setImmediate(resolve));
    this.isAmbiguous ||= this.#endedInTurn.length > 1 && this.#endedInTurn.some(({ isFetch }) => isFetch);
  }

  /** All that can happen now: what has settled is told, then more settles, then what is due starts. */
  async #goOn(): Promise<void> {
    const now = this.clock.now();
    if (this.#phase === "to start" && this.#startAt <= now) {
      this.#phase = "running";
      await this.#turn(() => void this.#call());
    }
    while (this.#phase === "running" || this.#phase === "ending") {
      if (this.#pendingDeadline <= now) this.#cancel = { reason: TOO_LATE, byDeadline: true, told: false };
      if (this.#result !== undefined && this.#phase === "running") void this.#conclude(this.#result);
      const next = this.#settled.shift();
      if (next !== undefined) {
        this.#turns += 1;
        this.seenAt = next.at;
        await this.#turn(next.tell);
      } else if (!this.#settle(now) && !(await this.#startDue(now))) return;
    }
  }

  async #call(): Promise<void> {
    const called = async () => await this.#code(this);
    try {
      this.#result = { value: await called() };
    } catch (error) {
      this.#result = { error };
    }
  }

  /** What time and signals settle, in the order of their times, the clock first; then a cancellation all the rest. */
  #settle(now: number): boolean {
    const taken = takeMessages([...this.#open.values()], this.#unread);
    const due = [...this.#open.values()]
      .filter((operation) => operation.dueAt <= now && !taken.some((event) => event.operation === operation))
      .map((operation) => ({ time: operation.dueAt, operation, value: operation.due }));
    const events = [...due, ...taken].toSorted((a, b) => a.time - b.time);
    for (const { operation, value } of events) this.settle(operation, value);
    const cancel = this.#cancel;
    // What was due before a deadline is seen before it.
    if (cancel === undefined || cancel.told || (cancel.byDeadline && events.length > 0)) return events.length > 0;
    cancel.told = this.#open.size > 0;
    for (const open of this.#open.values()) this.#close(open, () => open.reject(new CancelledError(cancel.reason)));
    return cancel.told || events.length > 0;
  }

  /** It is told in its turn. */
  settle(operation: Operation, value: unknown): void {
    this.#close(operation, () => operation.resolve(value));
  }

  #close({ op }: Operation, tell: () => void): void {
    if (this.#open.delete(op)) this.#settled.push({ at: this.clock.now(), tell });
  }

  /** Past a deadline nothing starts any more, until the code has been told. */
  async #startDue(now: number): Promise<boolean> {
    const isLate = this.#phase === "running" && this.#cancel?.byDeadline === true && !this.#cancel.told;
    const isOpen = ({ op }: { readonly op: number }) => op === NONE || this.#open.has(op);
    this.#starts = this.#starts.filter(isOpen).toSorted((a, b) => a.at - b.at || a.op - b.op);
    const due = this.#starts.filter(({ at }) => at <= now && !isLate);
    this.#starts = this.#starts.slice(due.length);
    if (due.length > 0) await this.#turn(() => due.forEach(({ go }) => go()));
    return due.length > 0;
  }

  async #run(operation: Operation, step: Step): Promise<void> {
    const end = await this.#try(operation.op, step);
    const { undo } = step;
    if (end.kind === "threw") return this.#close(operation, () => operation.reject(end.error));
    if (undo !== undefined && this.#open.has(operation.op))
      this.#undos.unshift({ ...step, call: (attempt) => undo(end.value, attempt) });
    this.#close(operation, () => operation.resolve(end.value));
  }

  /** Until its budget is spent. */
  async #try(op: number, step: Step): Promise<Exclude<AttemptEnd, { readonly kind: "failed" }>> {
    for (let attempt = 1, at = FIRST; ; attempt += 1) {
      await new Promise<void>((go) => this.#starts.push({ op, at, go }));
      const end = await step.call(attempt);
      this.#endedInTurn.push(step);
      if (end.kind !== "failed") return end;
      at = end.retryAt ?? this.clock.now() + 500 * 2 ** (attempt - 1);
      if (attempt >= step.maximumAttempts || at >= this.#pendingDeadline)
        return { kind: "threw", error: new StepExhausted({ step: step.name, attempts: attempt }) };
    }
  }

  /** What the code left open is over, and where it did not complete, its steps are rolled back one after the other. */
  async #conclude(result: Result): Promise<void> {
    // A copy of now: branches that nobody awaits any more have spoken their last.
    const outcome = structuredClone(outcomeOf(result, this.#cancel?.byDeadline ? this.#deadlineAt : undefined));
    this.#phase = "ending";
    this.#open.clear();
    this.#settled.length = 0;
    if (outcome.kind !== "completed") for (const undo of this.#undos) await this.#try(NONE, undo);
    this.#end(outcome);
  }

  #end(outcome: Outcome): void {
    this.#phase = "over";
    this.ended = { at: this.clock.now(), outcome };
  }
}
