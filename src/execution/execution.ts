import type { Entry } from "../journal/entry.ts";
import { nextWakeAt } from "../journal/next-wake.ts";
import { deathOfObject, hasRecovered, mayKillAgain } from "../journal/recovery.ts";
import { isHalted, runningAttempts, type State } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";
import { OperationRefused } from "../steps/errors.ts";
import { attemptOutcome, failureTerms } from "./attempt-outcome.ts";
import { Attempts, type AttemptResult } from "./attempts.ts";
import { ClockWatch } from "./clock-watch.ts";
import { Conversation } from "./conversation.ts";
import type { Deployment } from "./deployment.ts";
import { Journal } from "./journal.ts";
import type { Ports } from "./ports.ts";
import { StepStarter } from "./step-starter.ts";
import { tellListener } from "./tell-listener.ts";
import { Waiters } from "./waiters.ts";
import { isNextWake, WakeAlarm, wasLease } from "./wake-alarm.ts";

/**
 * Drives one execution. Who owns what: `Journal` the entries and their fold; `Conversation` the talk with the workflow's code, one `Run` for
 * each call of it; `Attempts` the step functions in flight; `StepStarter` which of them start when; `WakeAlarm` the
 * object's alarm; this class the order in which they act, and what survives a death.
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
  readonly #conversation: Conversation;
  readonly #watch: ClockWatch;
  /** This object has not looked yet for what an earlier one left behind. */
  #isFresh = true;
  #isDriving = false;
  #again = false;
  /** Nothing is known to be due, so the object needs no lease before something is. */
  #isLook = false;

  constructor(ports: Ports, deployment: Deployment) {
    this.#ports = ports;
    this.#deployment = deployment;
    this.journal = new Journal(ports.storage);
    this.#attempts = new Attempts(ports.clock, (op, result) => this.#endAttempt(op, result));
    this.#alarm = new WakeAlarm(ports.alarm, ports.clock);
    this.#starter = new StepStarter(this.journal, this.#attempts, ports);
    this.#watch = new ClockWatch(ports.clock, () => this.work());
    this.#conversation = new Conversation({
      ports,
      deployment,
      journal: this.journal,
      attempts: this.#attempts,
      write: () => this.#write(),
      kick: () => this.work(),
      isCareful: () => this.#starter.isCareful,
    });
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
      this.#conversation.isElsewhere ||
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
      // Another time than the next wake is a lease. No alarm at all was lost, and it takes a look to find work.
      this.#recover(armed !== undefined && !isNextWake(armed, nextWakeAt(this.state)));
      if (armed === undefined && !isHalted(this.state)) this.#drive("look");
    }
    return await this.#restoreAlarm();
  }

  /**
   * The alarm rang that had been set for `scheduledFor`, if the platform tells. Throws only where storage takes not even
   * another alarm; the platform rings again then.
   */
  async wake(scheduledFor?: number): Promise<void> {
    try {
      this.#alarm.rang();
      if (!this.journal.load()) return;
      if (this.#alarm.isLeased) this.#alarm.renew();
      if (this.#isFresh) this.#recover(wasLease(scheduledFor, nextWakeAt(this.state), this.now));
      if ((await this.#restoreAlarm()) && this.isBusy) await this.#stay();
    } catch (error) {
      this.#giveUp(error);
    }
    this.#alarm.throwIfStranded();
  }

  /** Takes facts from outside into the journal and acts on them. They are durable before anything else leaves. */
  take(entries: readonly Entry[]): void {
    this.#isFresh = false;
    this.journal.append(...entries);
    if (this.state.end !== undefined) this.#stop();
    if (isHalted(this.state) && !this.#isDriving) this.#comeToRest();
    else this.work();
  }

  /** Goes on with the execution, if it is not doing so already (invariant 6). */
  work(): void {
    this.#drive("burst");
  }

  /** Makes everything durable that was appended (invariant 3). */
  commit(): void {
    try {
      this.#write();
    } catch (error) {
      this.#giveUp(error);
      throw error;
    }
  }

  async purge(): Promise<void> {
    this.#stop();
    this.#watch.stop();
    await this.journal.deleteAll();
    this.#alarm.rang();
    this.#isFresh = true;
    this.waiters.tellChange();
  }

  #recover(wasLeased: boolean): void {
    this.#isFresh = false;
    if (this.state.end !== undefined || this.state.unreadable !== undefined) return;
    if (runningAttempts(this.state).length === 0 && (!wasLeased || isHalted(this.state))) return;
    this.#starter.isCareful = true;
    this.journal.append(...deathOfObject(this.state, this.#failureTerms()));
    if (isHalted(this.state)) this.#comeToRest();
    else this.work();
  }

  /** The alarm as the journal wants it, or the work that is due (invariant 5). */
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

  #drive(how: "burst" | "look"): void {
    this.#again = true;
    if (how === "burst") this.#isLook = false;
    if (this.#isDriving) return;
    this.#isDriving = true;
    this.#isLook = how === "look";
    this.#goOn().catch((error: unknown) => this.#giveUp(error));
  }

  async #goOn(): Promise<void> {
    await this.#enter();
    do {
      this.#again = false;
      await this.#conversation.converse();
      if (this.state.end !== undefined) this.#stop();
      await this.#startSteps();
      if (!this.#again) this.#comeToRest();
    } while (this.#again);
    this.#isDriving = false;
    this.#alarm.succeed();
    this.waiters.tellChange();
  }

  /** Leaves the turn of whoever called. A burst that a start did not begin has its lease durable first (invariant 5). */
  async #enter(): Promise<void> {
    if (this.#isLook || this.state.entries === 1) return;
    if (this.#alarm.isLeased) return await this.#ports.turn.end();
    this.#write();
    await this.#ports.turn.durable();
  }

  /** Invariants 3 and 4. */
  async #startSteps(): Promise<void> {
    const { run } = this.#conversation;
    const steps = run === undefined ? [] : this.#starter.prepare(run);
    this.#write();
    if (run === undefined || steps.length === 0) return;
    if (this.#starter.isCareful) await this.#ports.turn.durable();
    await this.#conversation.turn("attempt", () => this.#starter.call(run, steps));
    this.#again = true;
    if (this.#starter.started >= LIMITS.attemptsPerWake) this.waiters.tellChange();
  }

  #endAttempt(op: number, result: AttemptResult): void {
    const outcome = attemptOutcome(this.journal, { op, result }, this.#failureTerms());
    if (outcome === undefined) return;
    this.journal.append(outcome);
    this.work();
  }

  #failureTerms() {
    return failureTerms(this.journal, this.#deployment, this.now);
  }

  #stop(): void {
    this.#conversation.stop();
    this.#attempts.abortAll(new OperationRefused("EXECUTION_ENDED", "The execution has ended."));
  }

  /** Nothing can go on now: attempts are in flight, the code is elsewhere, or the object rests until its alarm. */
  #comeToRest(): void {
    this.#watch.stop();
    const next = nextWakeAt(this.state);
    const { stallsAt } = this.#conversation;
    const { heldUntil } = this.#starter;
    if (stallsAt !== undefined && stallsAt <= this.now) {
      this.#conversation.failStalled();
      this.#again = true;
    } else if (stallsAt !== undefined || this.#attempts.size > 0 || heldUntil !== undefined) {
      this.#watch.watch([stallsAt, next, heldUntil]);
    } else if (next !== undefined && next <= this.now && this.state.end === undefined) {
      this.#again = true;
    } else {
      this.#rest(next);
    }
  }

  #rest(next: number | undefined): void {
    if (hasRecovered(this.state)) this.journal.append({ type: "recovered", at: this.now });
    if (!mayKillAgain(this.state)) this.#starter.isCareful = false;
    this.#tell(this.journal.commit());
    this.#attempts.rest();
    this.#alarm.rest(next);
    this.waiters.tellChange();
  }

  #write(): void {
    const hasWork = !this.#isLook || this.journal.isPending || this.#attempts.size > 0;
    if (hasWork && this.isBusy && this.state.end === undefined) this.#alarm.lease();
    this.#tell(this.journal.commit());
  }

  #tell(committed: readonly Entry[]): void {
    if (committed.length === 0) return;
    this.waiters.tellCommit();
    tellListener(committed, this.state, { deployment: this.#deployment, ports: this.#ports });
  }

  /** Invariant 9. */
  #giveUp(error: unknown): void {
    this.#stop();
    this.#watch.stop();
    this.journal.forget();
    this.#isDriving = false;
    this.#isFresh = true;
    this.#ports.log("error", "Storage failed; the execution is tried again.", { error });
    this.#alarm.retry();
    this.waiters.tellFailure(error);
  }
}
