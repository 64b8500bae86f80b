import { deadlinePassed, isPastDeadline } from "../journal/deadline.ts";
import { cancelDelivered, isCancelPending, pausedByFault } from "../journal/ending.ts";
import type { Asked, Entry } from "../journal/entry.ts";
import { endAfterRollbacks } from "../journal/rollback.ts";
import { decideSettled } from "../journal/settle.ts";
import { isHalted, type Settlement, type State } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";
import { CancelledError } from "../steps/errors.ts";
import type { Attempts } from "./attempts.ts";
import { BudgetWatch } from "./budget-watch.ts";
import { callWorkflow, type WorkflowCall } from "./call-workflow.ts";
import type { Activity } from "./caller.ts";
import { compareEnd, rollbacksWithoutCode } from "./conclude-ending.ts";
import { concludeRun, failRun, pauseMismatch, type ConclusionTerms } from "./conclude.ts";
import type { Deployment } from "./deployment.ts";
import type { Journal } from "./journal.ts";
import { OutputCheck } from "./output-check.ts";
import type { Ports } from "./ports.ts";
import type { GivenSchema, Run, RunResult } from "./run.ts";

type Call = Extract<WorkflowCall, { readonly kind: "run" }>;

export interface ConversationParts {
  readonly ports: Ports;
  readonly deployment: Deployment;
  readonly journal: Journal;
  readonly attempts: Attempts;
  /** Makes everything durable that was appended. */
  readonly write: () => void;
  /** To be awaited before the code is called or told something; `undefined` where there is nothing to wait for. */
  readonly secure: () => Promise<void> | undefined;
  /** The code asked for something outside a delivery. */
  readonly kick: () => void;
  /** An earlier object died, and what killed it may come again. */
  readonly isCareful: () => boolean;
}

/**
 * The talk between the engine and the workflow's code: calls its function, tells it what the journal holds, one turn
 * each, and journals how it ended. The numbers are those of the invariants in `Execution`.
 */
export class Conversation {
  readonly budget: BudgetWatch;
  readonly #parts: ConversationParts;
  #call: Call | undefined;
  /** The function has returned, and the schema of its output is asked. */
  #check: OutputCheck | undefined;
  #activity: Activity = "none";
  /** Since when the code waits for something that the engine knows nothing of. */
  #elsewhereSince: number | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.budget = new BudgetWatch(parts.journal, parts.deployment);
  }

  get state(): State {
    return this.#parts.journal.state;
  }

  get now(): number {
    return this.#parts.ports.clock.now();
  }

  /** The run that may be told things; none while the execution is halted or a failed run waits. */
  get run(): Run | undefined {
    return isHalted(this.state) ? undefined : this.#call?.run;
  }

  /** What the answer to a callback has to fit, if a run that has asked for the callback is in memory. */
  schemaOf(op: number): GivenSchema | undefined {
    return this.#call?.run.schemaOf(op);
  }

  /** Tells the code everything that the journal holds and the clock brings (invariants 1 and 2). */
  async converse(): Promise<void> {
    while (!isHalted(this.state) && !this.#parts.journal.isRetired) {
      const end = endAfterRollbacks(this.state, this.now);
      if (end !== undefined) return this.#end([end]);
      this.#parts.journal.append(...deadlinePassed(this.state, this.now));
      this.#parts.journal.append(...this.budget.exceeded(this.now));
      if (isHalted(this.state)) return;
      const call = this.#call ?? (await this.#begin());
      if (call === undefined || call.run.hasReachedEnd) return;
      const { run } = call;
      // It may have been paused or terminated in the turn that called the function.
      if (call !== this.#call || isHalted(this.state)) continue;
      if (run.result !== undefined) run.checkComplete();
      if (run.mismatch !== undefined) {
        this.#end(pauseMismatch(run.mismatch, this.state, this.now));
        continue;
      }
      if (run.result !== undefined) {
        if (!this.#conclude(run.result, call)) return;
        continue;
      }
      const next = run.deliverable;
      if (next !== undefined) await this.#deliver(run, next);
      else if (!run.caughtUp || !this.#settle(run)) return;
    }
  }

  async #deliver(run: Run, settlement: Settlement): Promise<void> {
    const { journal, isCareful, write, ports, secure } = this.#parts;
    const securing = secure();
    if (securing !== undefined) await securing;
    if (isCareful() && journal.isPending) {
      // If this delivery kills the object, what it tells must not be lost with it, or a step would be charged for it.
      write();
      await ports.turn.durable();
    }
    if (this.run !== run) return;
    let wasTaken: (() => boolean) | undefined;
    await this.turn("delivery", () => (wasTaken = run.deliver(settlement)));
    const { op } = settlement;
    const wait = journal.state.operations[op];
    if (wasTaken?.() === false && this.#call?.run === run && wait?.kind === "signal" && wait.taken !== undefined) {
      journal.append({ type: "signal-returned", op, received: wait.taken.entry, at: this.now });
    }
  }

  /**
   * Lets code run, and everything that it does at once, before anything else happens. Where what it does is told from
   * the workflow's code by its scope, `isOver` says when it is over, and the turn goes on whether it soon is or not.
   */
  async turn(activity: "delivery" | "attempt", act: () => void, isOver?: () => boolean): Promise<void> {
    this.#elsewhereSince = undefined;
    this.#activity = activity;
    act();
    await (isOver === undefined ? this.#parts.ports.turn.end() : comesSoon(isOver));
    this.#activity = "none";
  }

  /** The run is over for good, as after the end or the death of its object (invariant 7). */
  stop(): void {
    this.#call?.run.stop();
    this.#call = undefined;
    this.#check = undefined;
    this.#activity = "none";
    this.#elsewhereSince = undefined;
  }

  /** When code that waits for nothing the engine knows of has stalled; `undefined` where it does not. */
  get stallsAt(): number | undefined {
    const isChecking = this.#check !== undefined && this.#check.checked === undefined;
    const waits = this.run !== undefined && (this.run.isElsewhere || isChecking);
    if (!waits || this.#parts.attempts.size > 0) {
      this.#elsewhereSince = undefined;
      return undefined;
    }
    this.#elsewhereSince ??= this.now;
    return this.#elsewhereSince + LIMITS.stallMs;
  }

  get isElsewhere(): boolean {
    return this.#elsewhereSince !== undefined;
  }

  /** Nothing has happened for too long. */
  failStalled(): void {
    this.#end(failRun("STALLED", new Error(STALLED), this.#conclusionTerms()));
  }

  /** Calls the workflow's function, unless its start or a failed run has to wait. */
  async #begin(): Promise<Call | undefined> {
    const { journal, deployment, ports, attempts } = this.#parts;
    await this.#parts.secure();
    if (isHalted(this.state) || journal.isRetired) return undefined;
    const { startAt, runFailure, runFailures } = this.state;
    const runAt = startAt ?? runFailure?.retryAt;
    if (runAt !== undefined) {
      if (runAt > this.now && !isCancelPending(this.state)) return undefined;
      journal.append({ type: "run-started", attempt: runFailures + 1, at: this.now });
    }
    if (journal.isTakenFrom) {
      this.#parts.write();
      journal.reload();
    }
    const call = callWorkflow(deployment, ports, {
      journal,
      activity: () => this.#activity,
      now: () => this.now,
      inFlight: (op) => attempts.has(op),
      placesTaken: () => attempts.size,
      allowsAttempt: () => this.budget.allowsAttempt,
      isCareful: this.#parts.isCareful,
      kick: () => this.#hear(),
    });
    if (call.kind === "absent") {
      const { code, message } = call;
      journal.append(...pausedByFault(this.state, { code, message, at: this.now }));
      return undefined;
    }
    this.#call = call;
    await this.turn("delivery", call.begin);
    return call;
  }

  #hear(): void {
    this.#elsewhereSince = undefined;
    this.#parts.kick();
  }

  /** What time, signals and a cancellation settle now. False where there is nothing. */
  #settle(run: Run): boolean {
    const { journal, attempts } = this.#parts;
    const { state } = journal;
    const before = state.entries;
    journal.append(...decideSettled(state, this.now, (op) => run.listenerOf(op)));
    // What was due before a deadline is seen before it, and what the code then asks for is too late like the rest.
    if (isPastDeadline(state) && state.entries > before) return true;
    if (isCancelPending(state)) {
      const reason = new CancelledError(state.cancelReason ?? "The execution was cancelled.");
      for (const entry of cancelDelivered(state, this.now)) {
        for (const { op } of entry.ops) attempts.abort(op, reason);
        journal.append(entry);
      }
    }
    return state.entries > before;
  }

  /** False while the schema of the output has not answered yet. */
  #conclude(result: RunResult, { run, definition }: Call): boolean {
    this.#check ??= new OutputCheck(result, definition, () => this.#hear());
    const { checked } = this.#check;
    if (checked === undefined) return false;
    const decide = this.state.ending === undefined ? concludeRun : compareEnd;
    const entries = decide(checked, this.#conclusionTerms());
    const last = entries.at(-1);
    if (last === undefined || last.type === "ending") this.#reachEnd(run, entries);
    else this.#end(entries);
    return true;
  }

  /** What is left are the rollbacks: the code hears nothing more, and its open operations are over. */
  #reachEnd(run: Run, entries: readonly Entry[]): void {
    const { journal, attempts } = this.#parts;
    run.reachEnd();
    this.#append(entries);
    attempts.abortAll();
    journal.append(...rollbacksWithoutCode(run, this.state, this.now));
  }

  #end(entries: readonly Entry[]): void {
    this.stop();
    this.#append(entries);
  }

  #append(entries: readonly Entry[]): void {
    for (const entry of entries) if (entry.type === "abandoned") this.#warnAbandoned(entry.ops);
    this.#parts.journal.append(...entries);
  }

  #warnAbandoned(ops: readonly Asked[]): void {
    const { workflow, id } = this.state.started ?? {};
    // A wait that lost a race is as it should be; a step that nobody awaits is a mistake.
    const steps = ops.flatMap(({ kind, name }) => (kind === "step" ? [name] : []));
    if (steps.length === 0) return;
    const message = "The workflow ended with steps that nobody awaited; they are abandoned.";
    this.#parts.ports.log("warn", message, { code: "ABANDONED", workflow, execution: id, steps });
  }

  #conclusionTerms(): ConclusionTerms {
    const { journal, deployment } = this.#parts;
    return {
      state: this.state,
      now: this.now,
      maximumValueBytes: deployment.maximumValueBytes,
      policy: this.#call?.policy ?? deployment.retryPolicy,
      skipsBackoff: deployment.skipsBackoff,
      encoded: (text, ahead) => journal.encoded(text, ahead),
    };
  }
}

/** Waits until something comes true, and not for longer than a few microtasks. */
async function comesSoon(holds: () => boolean): Promise<void> {
  for (let hop = 0; hop < SOON_HOPS && !holds(); hop += 1) await Promise.resolve();
}

/** Microtasks that an attempt takes which only computes something, with some to spare. */
const SOON_HOPS = 12;

const STALLED =
  `The workflow's code waits for something that is no operation, and nothing has happened for ${LIMITS.stallMs} ms. ` +
  "Put what it awaits into a step.";
