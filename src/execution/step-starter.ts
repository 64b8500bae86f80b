import { isPastDeadline } from "../journal/deadline.ts";
import { dueSteps } from "../journal/due-steps.ts";
import { nextUnderWatch, watchMs } from "../journal/recovery.ts";
import { currentRollback, dueRollback } from "../journal/rollback.ts";
import type { Attempted, Rollback, StepOperation } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";
import { AttemptContext } from "./attempt-context.ts";
import { SCOPES_ARE_KNOWN } from "./attempt-scope.ts";
import type { Abort } from "./abort.ts";
import type { Attempts, StepFunction } from "./attempts.ts";
import type { BudgetWatch } from "./budget-watch.ts";
import type { Conversation } from "./conversation.ts";
import type { Journal } from "./journal.ts";
import type { Ports } from "./ports.ts";
import type { Run } from "./run.ts";
import type { StepContext } from "./workflow-context.ts";

export interface Starting {
  /** Makes everything durable that was appended, and sends what is due. */
  readonly send: () => void;
  /** To be awaited before a function is called; `undefined` where there is nothing to wait for. */
  readonly secure: () => Promise<void> | undefined;
}

/** What a round has started. An attempt that has a turn for itself leaves it open: the next delivery may share it. */
export type Begun = "nothing" | "attempts" | "one-in-open-turn";

/**
 * Decides which attempts start now, and starts them.
 *
 * After a death it is careful: any step may be what killed the object, so they start one at a time, each after the one
 * before has ended or outlived its watch, and the next death can be charged to one of them. A step that has died is
 * watched for a while, any other for the turn in which it is called.
 */
export class StepStarter {
  readonly #journal: Journal;
  readonly #attempts: Attempts;
  readonly #ports: Ports;
  /** The step that was started last under watch, and how long that lasts. */
  #watchedOp: number | undefined;
  #watchedUntil = 0;
  /** Since an unclean death, until the next clean wait. */
  isCareful = false;
  /** Attempts started since the present wake began. */
  started = 0;
  readonly #areOver = () => this.#attempts.size === 0;

  constructor(journal: Journal, attempts: Attempts, ports: Ports) {
    this.#journal = journal;
    this.#attempts = attempts;
    this.#ports = ports;
  }

  /** When the watch of a step is over, and others may start; `undefined` where none is watched. */
  get watchedUntil(): number | undefined {
    return this.#watchedStep === undefined ? undefined : this.#watchedUntil;
  }

  /**
   * No attempt is in flight, and what the last one may have left running is told from the workflow's code by its scope:
   * the next delivery may follow in the turn in which that one ended.
   */
  get mayShareTurn(): boolean {
    return SCOPES_ARE_KNOWN && !this.isCareful && this.#attempts.size === 0;
  }

  /**
   * Starts what may start: journals it, lets `send` make it durable, and calls the functions in a turn of their own
   * (invariants 3 and 4 of `Execution`).
   */
  async startDue(conversation: Conversation, { send, secure }: Starting): Promise<Begun> {
    const { run } = conversation;
    const steps = run === undefined ? [] : this.#prepare(run, conversation.budget);
    send();
    if (run === undefined || steps.length === 0) return "nothing";
    const securing = secure();
    if (securing !== undefined) await securing;
    else if (this.isCareful) await this.#ports.turn.durable();
    if (conversation.run !== run) {
      // Paused meanwhile: they are called after the resume, or withdrawn at the rest before it.
      run.giveBack(steps);
      return "nothing";
    }
    // One step by itself: if it only computes something, it has ended soon.
    const isAlone = steps.length === 1 && this.mayShareTurn;
    await conversation.turn("attempt", () => this.#call(run, steps), isAlone ? this.#areOver : undefined);
    return isAlone ? "one-in-open-turn" : "attempts";
  }

  /** Journals the start of every attempt that may start, and gives what is to be called. */
  #prepare(run: Run, budget: BudgetWatch): Attempted[] {
    const { state } = this.#journal;
    if (state.ending !== undefined) return run.hasReachedEnd ? this.#prepareRollback(run) : [];
    if (isPastDeadline(state)) return [];
    const now = this.#ports.clock.now();
    const steps: Attempted[] = [];
    for (const op of run.takeUncalled()) {
      const step = state.open.get(op);
      if (step?.kind === "step" && step.phase === "running") steps.push(step);
    }
    const due = dueSteps(state, now).filter(({ op }) => run.functionOf(op) !== undefined);
    if (this.isCareful) return steps.length > 0 ? steps : this.#prepareWatched(due, now);
    for (const step of due) {
      if (this.#attempts.size + steps.length >= LIMITS.concurrentAttempts) break;
      if (!budget.allowsAttempt) {
        // What has its place already is started first: a pause would withdraw it.
        if (steps.length === 0) this.#journal.append(...budget.spent(step.name, now));
        break;
      }
      this.#journal.append({ type: "attempt-started", op: step.op, attempt: step.attempts + 1, at: now });
      steps.push(step);
    }
    return steps;
  }

  /** One at a time: the next death shall have one step to blame. */
  #prepareWatched(due: readonly StepOperation[], now: number): Attempted[] {
    const watched = this.#watchedStep;
    if (watched !== undefined) {
      if (this.#watchedUntil > now) return [];
      this.#journal.append({ type: "attempt-outlived", op: watched.op, at: now });
    }
    const step = nextUnderWatch(due, this.#attempts.size);
    if (step === undefined || this.#attempts.size >= LIMITS.concurrentAttempts) return [];
    this.#watchedOp = step.op;
    this.#watchedUntil = now + watchMs(step);
    const { op, attempts } = step;
    this.#journal.append({ type: "attempt-started", op, attempt: attempts + 1, watched: true, at: now });
    return [step];
  }

  get #watchedStep(): StepOperation | undefined {
    const step = this.#watchedOp === undefined ? undefined : this.#journal.state.open.get(this.#watchedOp);
    return step?.kind === "step" && step.watch === "on" ? step : undefined;
  }

  #prepareRollback(run: Run): Attempted[] {
    const { state } = this.#journal;
    const uncalled = run.takeUncalled();
    const current = currentRollback(state);
    if (current?.phase === "running") return uncalled.includes(current.op) ? [current] : [];
    const now = this.#ports.clock.now();
    const rollback = dueRollback(state, now);
    if (rollback === undefined) return [];
    this.#journal.append({ type: "rollback-started", op: rollback.op, attempt: rollback.attempts + 1, at: now });
    return [rollback];
  }

  /** Calls the functions. Their starts are durable by now, or will be before anything that they send. */
  #call(run: Run, steps: readonly Attempted[]): void {
    for (const step of steps) {
      const fn = step.kind === "step" ? run.functionOf(step.op) : this.#functionOf(run, step);
      if (fn === undefined || step.phase !== "running") continue;
      this.started += 1;
      this.#attempts.start(step, fn, (abort) => this.#contextOf(step, abort));
    }
  }

  #functionOf(run: Run, { op, value }: Rollback): StepFunction | undefined {
    const rollback = run.rollbackOf(op);
    return rollback && ((context) => rollback(this.#journal.decode(value), context));
  }

  #contextOf(attempted: Attempted, abort: Abort): StepContext {
    const { started, forked } = this.#journal.state;
    if (started === undefined) throw new Error("Cannot start an attempt of an execution that has not started.");
    return new AttemptContext({ attempted, started, forked, abort, ports: this.#ports });
  }
}
