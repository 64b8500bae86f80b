import type { Entry } from "../journal/entry.ts";
import { nextWakeAt } from "../journal/next-wake.ts";
import { deathOfObject, factsOfRest, mayKillAgain } from "../journal/recovery.ts";
import { isHalted, runningAttempts, type State } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";
import { OperationRefused } from "../steps/errors.ts";
import { attemptOutcome, failureTerms } from "./attempt-outcome.ts";
import { Attempts, type AttemptResult } from "./attempts.ts";
import { ClockWatch } from "./clock-watch.ts";
import { Conversation } from "./conversation.ts";
import { Drive } from "./drive.ts";
import type { ExecutionParts } from "./execution-parts.ts";
import { Journal } from "./journal.ts";
import { StepStarter } from "./step-starter.ts";
import { tellListener } from "./tell-listener.ts";
import { Waiters } from "./waiters.ts";
import { isNextWake, type WakeAlarm, wasLease } from "./wake-alarm.ts";

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
 *  9. When storage fails, memory is given up whole, and another `Execution` begins anew, as after a death.
 */
export class Execution {
  readonly journal: Journal;
  readonly waiters = new Waiters();
  readonly #parts: ExecutionParts;
  readonly #attempts: Attempts;
  readonly #alarm: WakeAlarm;
  readonly #starter: StepStarter;
  readonly #conversation: Conversation;
  readonly #watch: ClockWatch;
  readonly #drive: Drive;
  /** What the code that is in memory gives a callback for a schema; `undefined` where none has asked for it. */
  readonly schemaOf = (op: number) => this.#conversation.schemaOf(op);
  /** This object has not looked yet for what an earlier one left behind. */
  #isFresh = true;

  constructor(parts: ExecutionParts) {
    const { ports, deployment } = parts;
    this.#parts = parts;
    this.#alarm = parts.alarm;
    this.journal = new Journal(ports.storage);
    this.#attempts = new Attempts(ports, (op, result) => this.#endAttempt(op, result));
    this.#starter = new StepStarter(this.journal, this.#attempts, ports);
    this.#watch = new ClockWatch(ports.clock, () => this.work());
    this.#drive = new Drive({
      enter: () => this.#enter(),
      goRound: () => this.#goRound(),
      comeToRest: () => this.#comeToRest(),
      ended: () => {
        this.#alarm.succeed();
        this.waiters.tellChange();
      },
      failed: (error) => this.#giveUp(error),
    });
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
    return this.#parts.ports.clock.now();
  }

  /** True while work is in memory. */
  get isBusy(): boolean {
    if (this.journal.isRetired) return false;
    const isWatching = this.#conversation.isElsewhere || this.#starter.heldUntil !== undefined;
    return this.#drive.isOn || this.#attempts.size > 0 || isWatching;
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
      this.#attempt(() => this.#recover(armed !== undefined && !isNextWake(armed, nextWakeAt(this.state))));
      if (armed === undefined && !isHalted(this.state)) this.#drive.start("look");
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
      if (this.state.unreadable !== undefined && this.state.end === undefined) {
        return this.#alarm.rest(this.now + LIMITS.unreadableRetryMs);
      }
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
    this.#attempt(() => {
      if (this.state.end !== undefined) this.#stop();
      if (isHalted(this.state) && !this.#drive.isOn) this.#comeToRest();
      else this.work();
    });
  }

  /** Goes on with the execution, if it is not doing so already (invariant 6). */
  work(): void {
    if (this.state.started !== undefined) this.#drive.start("burst");
  }

  /** Makes everything durable that was appended (invariant 3). */
  commit(): void {
    this.#attempt(() => this.#write());
  }

  async purge(): Promise<void> {
    await this.journal.deleteAll();
    this.#alarm.rang();
    this.#retire();
    this.#parts.feed.leave();
    this.waiters.tellChange();
  }

  /** Invariant 9, for what runs on a caller's stack. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#giveUp(error);
      throw error;
    }
  }

  #recover(wasLeased: boolean): void {
    this.#isFresh = false;
    if (this.state.end !== undefined || this.state.unreadable !== undefined) return;
    if (runningAttempts(this.state).length === 0 && (!wasLeased || isHalted(this.state))) return;
    this.#starter.isCareful = true;
    this.journal.append(...deathOfObject(this.state, failureTerms(this.journal, this.#parts.deployment, this.now)));
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
    if (this.state.unreadable !== undefined && this.state.end === undefined) return true;
    if (this.isBusy && !this.#drive.isLook) this.#alarm.lease();
    else if (isDue) this.work();
    else if (!this.isBusy) this.#alarm.rest(next);
    return true;
  }

  /** Holds the alarm's event open while there is work, and hands over to the next one before the platform's limits. */
  async #stay(): Promise<void> {
    const until = this.now + LIMITS.wakeMs;
    this.#starter.started = 0;
    const mayStay = () => this.now < until && this.#starter.started < LIMITS.attemptsPerWake;
    while (this.isBusy && mayStay()) await this.waiters.change(this.#parts.ports.clock, until);
    if (this.isBusy) this.#alarm.handOver();
  }

  /** Leaves the turn of whoever called. A burst that a start did not begin has its lease durable first (invariant 5). */
  async #enter(): Promise<void> {
    const isStart = this.state.entries === 1 && this.journal.isPending;
    if (this.#drive.isLook || isStart) return;
    if (this.#alarm.isLeased) return await this.#parts.ports.turn.end();
    this.#write();
    await this.#parts.ports.turn.durable();
  }

  async #goRound(): Promise<void> {
    await this.#conversation.converse();
    if (this.state.end !== undefined) this.#stop();
    const hasStarted = await this.#starter.startDue(this.#conversation, () => this.#write());
    if (!hasStarted) return;
    this.work();
    if (this.#starter.started >= LIMITS.attemptsPerWake) this.waiters.tellChange();
  }

  #endAttempt(op: number, result: AttemptResult): void {
    const terms = failureTerms(this.journal, this.#parts.deployment, this.now);
    const outcome = attemptOutcome(this.journal, { op, result }, terms);
    if (outcome === undefined) return;
    this.journal.append(outcome);
    this.work();
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
      this.work();
    } else if (stallsAt !== undefined || this.#attempts.size > 0 || heldUntil !== undefined) {
      this.#watch.watch([stallsAt, next, heldUntil]);
    } else if (next !== undefined && next <= this.now && this.state.end === undefined) {
      this.work();
    } else {
      this.#rest(next);
    }
  }

  #rest(next: number | undefined): void {
    this.journal.append(...factsOfRest(this.state, this.now));
    if (!mayKillAgain(this.state)) this.#starter.isCareful = false;
    this.#tell(this.journal.commit());
    this.#attempts.rest();
    this.#alarm.rest(next);
    this.waiters.tellChange();
  }

  #write(): void {
    const hasWork = !this.#drive.isLook || this.journal.isPending || this.#attempts.size > 0;
    if (hasWork && this.isBusy && this.state.end === undefined) this.#alarm.lease();
    this.#tell(this.journal.commit());
  }

  #tell(committed: readonly Entry[]): void {
    if (committed.length === 0) return;
    this.waiters.tellCommit();
    this.#parts.feed.look();
    tellListener(committed, this.state, this.#parts);
  }

  /** Invariant 9. */
  #giveUp(error: unknown): void {
    if (this.journal.isRetired) return;
    this.#parts.ports.log("error", "Storage failed; the execution is tried again.", { error });
    this.#retire();
    this.#alarm.retry();
    this.waiters.tellFailure(error);
  }

  /** This object's memory is of no use any more; another `Execution` takes its place. */
  #retire(): void {
    this.#stop();
    this.#watch.stop();
    this.journal.retire();
    this.#parts.retired();
  }
}
