import { isPastDeadline } from "../journal/deadline.ts";
import { operationKey } from "../journal/key-owner.ts";
import { dueSteps } from "../journal/due-steps.ts";
import { currentRollback, dueRollback } from "../journal/rollback.ts";
import type { Attempted, Operation, Rollback } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";
import type { Abort } from "./abort.ts";
import type { Attempts, StepFunction } from "./attempts.ts";
import type { BudgetWatch } from "./budget-watch.ts";
import { logOf } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import type { Journal } from "./journal.ts";
import type { Ports } from "./ports.ts";
import type { Run } from "./run.ts";
import type { StepContext } from "./workflow-context.ts";

/**
 * Decides which attempts start now, and starts them.
 *
 * After a death it is careful: a step that was in flight then may be what killed the object, so such steps start one at
 * a time, each after the one before has ended or lived for a while, and the next death can be charged to one of them.
 */
export class StepStarter {
  readonly #journal: Journal;
  readonly #attempts: Attempts;
  readonly #ports: Ports;
  /** The step that was started last of those that died, and when. */
  #suspect: { readonly op: number; readonly until: number } | undefined;
  /** Since an unclean death, until the next clean wait. */
  isCareful = false;
  /** Attempts started since the present wake began. */
  started = 0;

  constructor(journal: Journal, attempts: Attempts, ports: Ports) {
    this.#journal = journal;
    this.#attempts = attempts;
    this.#ports = ports;
  }

  /** When a step that is held back may start; `undefined` where none is. */
  get heldUntil(): number | undefined {
    const until = this.#suspicion(this.#ports.clock.now());
    if (until === undefined) return undefined;
    return [...this.#journal.state.open.values()].some(isSuspicious) ? until : undefined;
  }

  /**
   * Starts what may start: journals it, lets `write` make it durable, and calls the functions in a turn of their own
   * (invariants 3 and 4 of `Execution`). False where nothing started.
   */
  async startDue(conversation: Conversation, write: () => void): Promise<boolean> {
    const { run } = conversation;
    const steps = run === undefined ? [] : this.#prepare(run, conversation.budget);
    write();
    if (run === undefined || steps.length === 0) return false;
    if (this.isCareful) await this.#ports.turn.durable();
    if (conversation.run !== run) {
      // Paused meanwhile: they are called after the resume, or withdrawn at the rest before it.
      run.giveBack(steps);
      return false;
    }
    await conversation.turn("attempt", () => this.#call(run, steps));
    return true;
  }

  /** Journals the start of every attempt that may start, and gives what is to be called. */
  #prepare(run: Run, budget: BudgetWatch): Attempted[] {
    const { state } = this.#journal;
    if (state.ending !== undefined) return run.hasReachedEnd ? this.#prepareRollback(run) : [];
    if (isPastDeadline(state)) return [];
    const now = this.#ports.clock.now();
    const steps: Attempted[] = run.takeUncalled().flatMap((op) => {
      const step = state.open.get(op);
      return step?.kind === "step" && step.phase === "running" ? [step] : [];
    });
    for (const step of dueSteps(state, now)) {
      if (this.#attempts.size + steps.length >= LIMITS.concurrentAttempts) break;
      if (run.functionOf(step.op) === undefined) continue;
      if (!budget.allowsAttempt) {
        // What has its place already is started first: a pause would withdraw it.
        if (steps.length === 0) this.#journal.append(...budget.spent(step.name, now));
        break;
      }
      if (this.isCareful && isSuspicious(step)) {
        if (this.#suspicion(now) !== undefined) continue;
        this.#suspect = { op: step.op, until: now + LIMITS.suspicionMs };
      }
      this.#journal.append({ type: "attempt-started", op: step.op, attempt: step.attempts + 1, at: now });
      steps.push(step);
    }
    return steps;
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

  #suspicion(now: number): number | undefined {
    const suspect = this.#suspect;
    if (suspect === undefined || suspect.until <= now) return undefined;
    // It has been journaled as started, and either it is about to be called or it is in flight.
    return this.#journal.state.open.get(suspect.op)?.phase === "running" ? suspect.until : undefined;
  }

  #contextOf(step: Attempted, abort: Abort): StepContext {
    const { started } = this.#journal.state;
    if (started === undefined) throw new Error("Cannot start an attempt of an execution that has not started.");
    const { attempts: attempt, lastFailure, name, kind } = step;
    const label = `${kind} ${step.op}`;
    const fields = { workflow: started.workflow, execution: started.id, [kind]: name, attempt };
    // Getters, because most steps use neither: a key costs a hash, a signal a controller.
    return Object.freeze({
      attempt,
      get signal() {
        return abort.signal;
      },
      get idempotencyKey() {
        return operationKey(started, label);
      },
      key: (more: string) => operationKey(started, `${label} ${more}`),
      ...(lastFailure !== undefined && { lastFailure: { name: lastFailure.name, message: lastFailure.message } }),
      log: logOf((level, message, more) => this.#ports.log(level, message, { ...fields, ...more })),
    });
  }
}

/** The last attempt of the step died with its object, and it waits to be tried again. */
function isSuspicious(operation: Operation): boolean {
  return operation.kind === "step" && operation.died && operation.phase !== "running";
}
