import { attemptFailed, type FailureTerms } from "../journal/attempt-failed.ts";
import { cancelDelivered } from "../journal/ending.ts";
import type { Entry } from "../journal/entry.ts";
import { nextWakeAt } from "../journal/next-wake.ts";
import { deathOfObject, hasRecovered, mayKillAgain } from "../journal/recovery.ts";
import { decideSettled } from "../journal/settle.ts";
import { isHalted, runningSteps, type State } from "../journal/state.ts";
import { encodeThrown, encodeValue, ValueFault } from "../journal/value.ts";
import { LIMITS } from "../limits.ts";
import { CancelledError, DeclaredError, NonRetryableError, OperationRefused } from "../steps/errors.ts";
import { Attempts, type AttemptResult } from "./attempts.ts";
import { callWorkflow, type WorkflowCall } from "./call-workflow.ts";
import { checkOutput, concludeRun, failRun, isCancelPending, pauseMismatch, type ConclusionTerms } from "./conclude.ts";
import type { Deployment } from "./deployment.ts";
import { Journal } from "./journal.ts";
import type { Ports } from "./ports.ts";
import type { Activity } from "./run.ts";
import { StepStarter } from "./step-starter.ts";
import { Waiters } from "./waiters.ts";
import { WakeAlarm } from "./wake-alarm.ts";

type Call = Extract<WorkflowCall, { readonly kind: "run" }>;

/**
 * Drives one execution: calls its workflow, delivers what the journal holds, starts attempts, and rests.
 *
 * Who owns what: `Journal` the entries and their fold; `Run` one call of the workflow's function; `Attempts` the step
 * functions in flight; `StepStarter` which of them start when; `WakeAlarm` the object's alarm; this class the order in
 * which they act.
 *
 * Invariants
 *  1. The workflow hears of a settlement only after its entry was appended, and in the order of the journal.
 *  2. Every delivery is a turn of its own, live and on replay: all that the code does about it happens before the next.
 *  3. What was appended is committed before a step's function is called, before an answer leaves and before the alarm
 *     is set. Between two of those, entries share a row.
 *  4. Step functions start in a turn of their own, never in one in which the workflow's code runs.
 *  5. At rest the alarm equals `nextWakeAt`. With work in memory it is no later than the lease.
 *  6. One drive at a time; whatever happens meanwhile makes it go round once more.
 *  7. A run that is over is never told anything. Attempts outlive it; the next run adopts them by operation number.
 *  8. Nothing starts and nothing is delivered while the execution is paused or after it ended.
 *  9. When storage fails, memory is given up whole: the journal is read anew, as after the death of the object.
 */
export class Execution {
  readonly journal: Journal;
  readonly waiters = new Waiters();
  readonly #ports: Ports;
  readonly #deployment: Deployment;
  readonly #attempts: Attempts;
  readonly #alarm: WakeAlarm;
  readonly #starter: StepStarter;
  #call: Call | undefined;
  #activity: Activity = "none";
  /** The state has been delivered from: a new run needs it whole. */
  #isUsed = false;
  /** This object has not looked yet for what an earlier one left behind. */
  #isFresh = true;
  #isDriving = false;
  #again = false;
  /** Since when the workflow's code waits for something that the engine knows nothing of. */
  #elsewhereSince: number | undefined;
  #withdrawTimer: () => void = () => {};
  #storageFailures = 0;
  /** Storage took not even an alarm. */
  #strandedBy: { readonly error: unknown } | undefined;

  constructor(ports: Ports, deployment: Deployment) {
    this.#ports = ports;
    this.#deployment = deployment;
    this.journal = new Journal(ports.storage);
    this.#attempts = new Attempts(ports.clock, (op, result) => this.#endAttempt(op, result));
    this.#alarm = new WakeAlarm(ports.alarm, ports.clock);
    this.#starter = new StepStarter(this.journal, this.#attempts, ports);
  }

  get state(): State {
    return this.journal.state;
  }

  get now(): number {
    return this.#ports.clock.now();
  }

  /** True while work is in memory. */
  get isBusy(): boolean {
    return (
      this.#isDriving ||
      this.#attempts.size > 0 ||
      this.#elsewhereSince !== undefined ||
      this.#starter.heldUntil !== undefined
    );
  }

  /**
   * Whatever touches the object comes through here first: finds what an earlier object left undone, restores the
   * alarm, and purges what is over. False where there is no execution; nothing is stored then. A touch that finds
   * nothing to heal writes nothing.
   */
  async touch(): Promise<boolean> {
    if (!this.journal.load()) return false;
    const armed = await this.#alarm.read();
    if (!this.journal.load()) return false;
    if (this.#isFresh) {
      // Another time than the next wake is a lease: the object died before it came to rest. No alarm at all was lost,
      // and whether there was work is found out by looking.
      this.#recover(armed !== undefined && armed !== nextWakeAt(this.state));
      if (armed === undefined && !isHalted(this.state)) this.#work("look");
    }
    return await this.#restoreAlarm();
  }

  /** The alarm rang. Throws only where storage takes not even another alarm; the platform rings again then. */
  async wake(): Promise<void> {
    try {
      this.#alarm.rang();
      if (!this.journal.load()) return;
      if (this.#alarm.isLeased) this.#alarm.renew();
      if (this.#isFresh) {
        const next = nextWakeAt(this.state);
        // Nothing is due: it was the lease.
        this.#recover(next === undefined || next > this.now);
        if (!isHalted(this.state)) this.work();
      }
      if ((await this.#restoreAlarm()) && this.isBusy) await this.#stay();
    } catch (error) {
      this.#giveUp(error);
    }
    if (this.#strandedBy !== undefined) throw this.#strandedBy.error;
  }

  /** Takes facts from outside into the journal and acts on them. They are durable before anything else leaves. */
  take(entries: readonly Entry[]): void {
    this.#append(entries);
    if (this.state.end !== undefined) this.#stopAll();
    if (isHalted(this.state) && !this.#isDriving) this.#comeToRest();
    else this.work();
  }

  /** Goes on with the execution, if it is not doing so already. */
  work(): void {
    this.#work("burst");
  }

  /** Makes everything durable that was appended. */
  commit(): void {
    try {
      this.#write();
    } catch (error) {
      this.#giveUp(error);
      throw error;
    }
  }

  async purge(): Promise<void> {
    this.#stopAll();
    this.#withdrawTimer();
    await this.journal.deleteAll();
    this.#alarm.rang();
    this.#isFresh = true;
    this.waiters.tellChange();
  }

  #recover(wasLeased: boolean): void {
    this.#isFresh = false;
    const { end, unreadable, pause } = this.state;
    if (end !== undefined || unreadable !== undefined) return;
    const isRunning = runningSteps(this.state).length > 0;
    if (!isRunning && (!wasLeased || pause !== undefined)) return;
    this.#starter.isCareful = true;
    this.#append(deathOfObject(this.state, this.#failureTerms()));
    if (isHalted(this.state)) this.#comeToRest();
    else this.work();
  }

  /** The alarm as the journal wants it, or the work that is due. */
  async #restoreAlarm(): Promise<boolean> {
    const next = nextWakeAt(this.state);
    const isDue = next !== undefined && next <= this.now;
    if (this.state.end !== undefined && isDue) {
      await this.purge();
      return false;
    }
    if (this.isBusy && !this.#isLook) this.#alarm.lease();
    else if (isDue) this.work();
    else if (!this.isBusy) this.#alarm.rest(next);
    return true;
  }

  /** Holds the alarm's event open while there is work, and hands over to the next one before the platform's limits. */
  async #stay(): Promise<void> {
    const until = this.now + LIMITS.wakeMs;
    this.#starter.started = 0;
    const mayStay = () => this.now < until && this.#starter.started < LIMITS.attemptsPerWake;
    while (this.isBusy && mayStay()) await this.waiters.change(this.#ports.clock, until);
    if (this.isBusy) this.#alarm.handOver();
  }

  #isLook = false;

  /** `look`: nothing is known to be due, so the object needs no lease before something is. */
  #work(how: "burst" | "look"): void {
    this.#again = true;
    if (how === "burst") this.#isLook = false;
    if (this.#isDriving) return;
    this.#isDriving = true;
    this.#isLook = how === "look";
    void this.#drive();
  }

  async #drive(): Promise<void> {
    try {
      await this.#enter();
      do {
        this.#again = false;
        await this.#converse();
        await this.#startSteps();
        if (!this.#again) this.#comeToRest();
      } while (this.#again);
      this.#isDriving = false;
      this.#storageFailures = 0;
      this.waiters.tellChange();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Leaves the turn of whoever called. A burst that a start did not begin has its lease durable first (invariant 5). */
  async #enter(): Promise<void> {
    if (this.#isLook || this.state.entries === 1) return;
    if (this.#alarm.isLeased) return await this.#ports.turn.end();
    this.#write();
    await this.#ports.turn.durable();
  }

  /** Tells the workflow everything that the journal holds and the clock brings (invariants 1 and 2). */
  async #converse(): Promise<void> {
    while (!isHalted(this.state)) {
      const call = this.#call ?? (await this.#begin());
      if (call === undefined) return;
      const { run } = call;
      if (run.result !== undefined) await this.#conclude(call);
      if (run.mismatch !== undefined) this.#endRun(pauseMismatch(run.mismatch, this.state, this.now));
      if (call !== this.#call || run.result !== undefined) continue;
      const next = run.deliverable;
      if (next !== undefined) await this.#deliver(() => run.deliver(next));
      else if (!run.caughtUp || !this.#settle(call)) return;
    }
  }

  async #deliver(act: () => void): Promise<void> {
    this.#elsewhereSince = undefined;
    this.#activity = "delivery";
    act();
    await this.#ports.turn.end();
    this.#activity = "none";
  }

  /** Calls the workflow's function, unless a failed run has to wait. */
  async #begin(): Promise<Call | undefined> {
    const { runRetryAt, runFailures } = this.state;
    if (runRetryAt !== undefined && runRetryAt > this.now && !isCancelPending(this.state)) return undefined;
    if (runRetryAt !== undefined) this.journal.append({ type: "run-started", attempt: runFailures + 1, at: this.now });
    if (this.#isUsed) {
      this.#write();
      this.journal.reload();
    }
    this.#isUsed = true;
    const call = callWorkflow(this.#deployment, this.#ports, {
      journal: this.journal,
      activity: () => this.#activity,
      now: () => this.now,
      inFlight: (op) => this.#attempts.has(op),
      placesTaken: () => this.#attempts.size,
      kick: () => {
        this.#elsewhereSince = undefined;
        this.work();
      },
    });
    if (call.kind === "absent") {
      const { code, message } = call;
      this.journal.append({ type: "paused", by: "fault", code, message, at: this.now });
      return undefined;
    }
    this.#call = call;
    await this.#deliver(call.begin);
    return call;
  }

  /** What time, signals and a cancellation settle now. False where there is nothing. */
  #settle({ run }: Call): boolean {
    const { state, now } = this;
    const before = state.entries;
    this.#append(decideSettled(state, now, (op) => run.listenerOf(op)));
    if (isCancelPending(state)) {
      for (const entry of cancelDelivered(state, now)) {
        for (const { op } of entry.ops) this.#attempts.abort(op, new CancelledError(state.cancelReason ?? CANCELLED));
        this.journal.append(entry);
      }
    }
    return state.entries > before;
  }

  async #conclude({ run, definition }: Call): Promise<void> {
    run.checkComplete();
    if (run.mismatch !== undefined || run.result === undefined) return;
    const result = await checkOutput(run.result, definition);
    if (!isHalted(this.state)) this.#endRun(concludeRun(result, this.#conclusionTerms()));
  }

  #endRun(entries: readonly Entry[]): void {
    this.#call?.run.stop();
    this.#call = undefined;
    this.#append(entries);
    if (this.state.end !== undefined) this.#stopAll();
  }

  #stopAll(): void {
    this.#call?.run.stop();
    this.#call = undefined;
    this.#elsewhereSince = undefined;
    this.#attempts.abortAll(new OperationRefused("EXECUTION_ENDED", "The execution has ended."));
  }

  /** Invariants 3 and 4. */
  async #startSteps(): Promise<void> {
    const run = isHalted(this.state) ? undefined : this.#call?.run;
    const steps = run === undefined ? [] : this.#starter.prepare(run);
    this.#write();
    if (run === undefined || steps.length === 0) return;
    if (this.#starter.isCareful) await this.#ports.turn.durable();
    this.#activity = "attempt";
    this.#starter.call(run, steps);
    await this.#ports.turn.end();
    this.#activity = "none";
    this.#again = true;
    if (this.#starter.started >= LIMITS.attemptsPerWake) this.waiters.tellChange();
  }

  #endAttempt(op: number, result: AttemptResult): void {
    const step = this.state.operations[op];
    if (step?.kind !== "step" || step.phase !== "running") return;
    try {
      if (result.kind === "threw") throw result.thrown;
      const value = this.journal.encoded(encodeValue(result.value, this.#deployment.maximumValueBytes));
      this.journal.append({ type: "step-completed", op, value, at: this.now });
    } catch (error) {
      const thrown = error instanceof ValueFault ? asTerminal(error) : error;
      this.journal.append(attemptFailed(this.state, { step, thrown }, this.#failureTerms()));
    }
    this.work();
  }

  #failureTerms(): FailureTerms {
    const { maximumRetryAfterMs, maximumValueBytes } = this.#deployment;
    const encode = (error: unknown) => {
      // The details of a declared error are the author's data, and bounded as such.
      return this.journal.encoded(DeclaredError.is(error) ? encodeThrown(error, maximumValueBytes) : encodeThrown(error));
    };
    return { now: this.now, maximumRetryAfterMs, encode };
  }

  #conclusionTerms(): ConclusionTerms {
    const { state, now } = this;
    const { maximumValueBytes } = this.#deployment;
    const policy = this.#call?.policy ?? this.#deployment.retryPolicy;
    const encoded = (text: string, ahead: number) => this.journal.encoded(text, ahead);
    return { state, now, maximumValueBytes, policy, encoded };
  }

  /** Nothing can go on now: attempts are in flight, the code is elsewhere, or the object rests until its alarm. */
  #comeToRest(): void {
    const { state, now } = this;
    const next = nextWakeAt(state);
    this.#withdrawTimer();
    if (this.#isElsewhere()) return this.#watchStall();
    this.#elsewhereSince = undefined;
    const held = this.#starter.heldUntil;
    if (this.#attempts.size > 0 || held !== undefined) return this.#watchClock([next, held]);
    if (next !== undefined && next <= now && state.end === undefined) {
      this.#again = true;
      return;
    }
    if (hasRecovered(state)) this.journal.append({ type: "recovered", at: now });
    if (!mayKillAgain(state)) this.#starter.isCareful = false;
    this.#write("rest");
    this.#alarm.rest(next);
    this.waiters.tellChange();
  }

  #isElsewhere(): boolean {
    return !isHalted(this.state) && this.#attempts.size === 0 && this.#call?.run.isElsewhere === true;
  }

  #watchStall(): void {
    this.#elsewhereSince ??= this.now;
    const stallsAt = this.#elsewhereSince + LIMITS.stallMs;
    if (this.now < stallsAt) return this.#watchClock([stallsAt]);
    this.#elsewhereSince = undefined;
    this.#endRun(failRun("STALLED", new Error(STALLED), this.#conclusionTerms()));
    this.#again = true;
  }

  /** With work in memory the clock is watched here; the alarm only stands by for a death. */
  #watchClock(times: readonly (number | undefined)[]): void {
    const due = times.filter((time): time is number => time !== undefined && time > this.now);
    if (due.length > 0) this.#withdrawTimer = this.#ports.clock.timer(Math.min(...due), () => this.work());
  }

  #append(entries: readonly Entry[]): void {
    for (const entry of entries) this.journal.append(entry);
  }

  #write(when: "busy" | "rest" = "busy"): void {
    const hasWork = this.journal.isPending || this.#attempts.size > 0;
    if (when === "busy" && this.isBusy && (hasWork || !this.#isLook)) this.#alarm.lease();
    const committed = this.journal.commit();
    if (committed.length === 0) return;
    this.waiters.tellCommit();
    this.#tellListener(committed);
  }

  #tellListener(committed: readonly Entry[]): void {
    const { onEvent } = this.#deployment;
    const { started } = this.state;
    if (onEvent === undefined || started === undefined) return;
    const execution = { id: started.id, workflow: started.workflow };
    for (const entry of committed) {
      const told = async () => await onEvent(entry, execution, this.#ports.env);
      told().catch((error: unknown) => this.#ports.log("error", "onEvent failed", { ...execution, error }));
    }
  }

  /** Invariant 9. */
  #giveUp(error: unknown): void {
    this.#stopAll();
    this.#withdrawTimer();
    this.journal.forget();
    this.#isDriving = false;
    this.#isUsed = false;
    this.#isFresh = true;
    this.#activity = "none";
    this.#ports.log("error", "Storage failed; the execution is tried again.", { error });
    const delayMs = Math.min(LIMITS.leaseFirstMs * 2 ** this.#storageFailures, LIMITS.requestWaitMs);
    this.#storageFailures += 1;
    try {
      this.#alarm.retryIn(delayMs);
      this.#strandedBy = undefined;
    } catch (stranding) {
      this.#strandedBy = { error: stranding };
    }
    this.waiters.tellFailure(error);
  }
}

const CANCELLED = "The execution was cancelled.";
const STALLED =
  "The workflow's code waits for something that is no operation, and nothing has happened for 10 seconds. " +
  "Put what it awaits into a step.";

/** What cannot be journaled cannot be on the next attempt either. */
function asTerminal(fault: ValueFault): NonRetryableError {
  return new NonRetryableError(fault.message, { code: fault.code, cause: fault });
}
