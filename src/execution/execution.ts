import type { Entry } from "../journal/entry.ts";
import { isHalted, type State } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";
import { attemptOutcome, OutcomeTerms } from "./attempt-outcome.ts";
import { Attempts, type AttemptResult } from "./attempts.ts";
import { ClockWatch } from "./clock-watch.ts";
import { Conversation } from "./conversation.ts";
import { Courier } from "./courier.ts";
import { Drive, type Round } from "./drive.ts";
import type { ExecutionParts } from "./execution-parts.ts";
import { Journal } from "./journal.ts";
import { Purge } from "./purge.ts";
import { Reporter } from "./reporter.ts";
import { Rest } from "./rest.ts";
import { StepStarter, type Starting } from "./step-starter.ts";
import { Listeners } from "./tell-listener.ts";
import { Upkeep } from "./upkeep.ts";
import { Waiters } from "./waiters.ts";
import type { WakeAlarm } from "./wake-alarm.ts";

/**
 * Drives one execution. Who owns what: `Journal` the entries and their fold; `Conversation` the talk with the workflow's
 * code, one `Run` for each call of it; `Attempts` the step functions in flight; `StepStarter` which of them start when;
 * `Courier` what is under way to other executions, `Reporter` what is to the directory; `WakeAlarm` the object's alarm;
 * `Upkeep` what a touch finds to be done; this class the order in which they act, and what survives a death.
 *
 * Invariants
 *  1. The workflow hears of a settlement only after its entry was appended, and in the order of the journal.
 *  2. Every delivery is a turn of its own, live and on replay: all that the code does about it happens before the next.
 *  3. What was appended is committed before a step's function is called, before anything is sent to another
 *     execution, before an answer leaves and before the alarm is set. Between two of those, entries share a row.
 *  4. Step functions start in a turn in which no code of the workflow has run. The next delivery may follow in that turn
 *     where the only attempt in flight is over, and nowhere else.
 *  5. At rest the alarm equals `nextWakeAt`. With work in memory it is no later than the lease.
 *  6. One drive at a time; whatever happens meanwhile makes it go round once more.
 *  7. A run that is over is never told anything. Attempts outlive it; the next run adopts them by operation number.
 *  8. Nothing starts and nothing is delivered while the execution is paused or after it ended.
 *  9. When storage fails, memory is given up whole, and another `Execution` begins anew, as after a death.
 */
export class Execution {
  readonly journal: Journal;
  readonly waiters = new Waiters();
  readonly purge: Purge;
  readonly #parts: ExecutionParts;
  readonly #attempts: Attempts;
  readonly #alarm: WakeAlarm;
  readonly #starter: StepStarter;
  readonly #conversation: Conversation;
  readonly #watch: ClockWatch;
  readonly #drive: Drive;
  readonly #courier: Courier;
  readonly #listeners: Listeners;
  readonly #reporter: Reporter;
  readonly #rest: Rest;
  readonly #upkeep: Upkeep;
  readonly #starting: Starting = { send: () => this.#send(), secure: () => this.#drive.secure() };
  /** What the code that is in memory gives a callback for a schema; `undefined` where none has asked for it. */
  readonly schemaOf = (op: number) => this.#conversation.schemaOf(op);

  constructor(parts: ExecutionParts) {
    const { ports, deployment } = parts;
    this.#parts = parts;
    this.#alarm = parts.alarm;
    this.journal = new Journal(ports.storage, ports.directory !== undefined);
    this.#listeners = new Listeners(this.journal, parts);
    this.#attempts = new Attempts(ports, (op, result) => this.#endAttempt(op, result));
    this.#starter = new StepStarter(this.journal, this.#attempts, ports);
    this.#courier = new Courier({ ports, deployment, journal: this.journal, heard: () => this.work() });
    this.#watch = new ClockWatch(ports.clock, () => this.work());
    this.#drive = new Drive({
      turn: ports.turn,
      journal: this.journal,
      alarm: this.#alarm,
      write: () => this.#write(),
      goRound: () => this.#goRound(),
      comeToRest: () => this.#rest.come(),
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
      secure: () => this.#drive.secure(),
      kick: () => this.work(),
      isCareful: () => this.#starter.isCareful,
    });
    this.#reporter = this.#makeReporter();
    this.purge = new Purge({
      ...parts,
      journal: this.journal,
      reporter: this.#reporter,
      retire: () => this.#retire(),
      failed: (error) => this.#giveUp(error),
    });
    ({ rest: this.#rest, upkeep: this.#upkeep } = this.#makeKeepers());
  }

  #makeReporter(): Reporter {
    return new Reporter({
      ports: this.#parts.ports,
      journal: this.journal,
      isAtRest: () => !this.isBusy,
      write: () => this.#write(),
      heard: () => {
        if (!this.#drive.isOn) this.#rest.come();
      },
      failed: (error) => this.#giveUp(error),
    });
  }

  #makeKeepers(): { readonly rest: Rest; readonly upkeep: Upkeep } {
    const { ports, ...parts } = this.#parts;
    const members = {
      ...parts,
      clock: ports.clock,
      journal: this.journal,
      conversation: this.#conversation,
      attempts: this.#attempts,
      starter: this.#starter,
      courier: this.#courier,
      reporter: this.#reporter,
      watch: this.#watch,
      waiters: this.waiters,
      drive: this.#drive,
      purge: this.purge,
      isBusy: () => this.isBusy,
      work: () => this.work(),
      commit: () => this.#tell(this.journal.commit()),
    };
    const rest = new Rest(members);
    return { rest, upkeep: new Upkeep({ ...members, rest }) };
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
    const isWatching = this.#conversation.isElsewhere || this.#starter.watchedUntil !== undefined;
    return this.#drive.isOn || this.#attempts.size > 0 || this.#courier.size > 0 || isWatching;
  }

  /**
   * Whatever touches the object comes through here first. False where there is no execution; nothing is stored then. A
   * touch that finds nothing to heal writes nothing.
   */
  async touch(): Promise<boolean> {
    if (!this.journal.load()) return false;
    const armed = await this.#alarm.read();
    return this.journal.load() && (await this.#upkeep.touch(armed, (act) => this.#attempt(act)));
  }

  /**
   * The alarm rang that had been set for `scheduledFor`, if the platform tells. Throws only where storage takes not even
   * another alarm; the platform rings again then.
   */
  async wake(scheduledFor?: number): Promise<void> {
    try {
      await this.#upkeep.wake(scheduledFor);
    } catch (error) {
      this.#giveUp(error);
    }
    this.#alarm.throwIfStranded();
  }

  /** Takes facts from outside into the journal and acts on them. They are durable before anything else leaves. */
  take(entries: readonly Entry[]): void {
    this.#upkeep.begin();
    this.journal.append(...entries);
    this.#attempt(() => {
      if (this.state.end !== undefined) this.#stop();
      if (isHalted(this.state) && !this.#drive.isOn && !this.#courier.hasWork) this.#rest.come();
      else this.work();
    });
  }

  /** Keeps a fact that changes nothing of what is to be done. */
  keep(entry: Entry): void {
    this.journal.append(entry);
    this.commit();
  }

  /** What is undelivered is sent once, due or not. */
  deliverNow(): void {
    this.#courier.force();
    this.work();
  }

  /** Messages to other executions are under way. */
  get isDelivering(): boolean {
    return !this.journal.isRetired && this.#courier.hasWork;
  }

  /** What `look` sees once everything is durable that was appended, and whatever else the same burst commits with it. */
  async committed<T>(look: () => T): Promise<T> {
    return this.journal.isPending ? await this.waiters.commit(look) : look();
  }

  /** Goes on with the execution, if it is not doing so already (invariant 6). */
  work(): void {
    if (this.state.started !== undefined) this.#drive.start("burst");
  }

  /** Makes everything durable that was appended (invariant 3). */
  commit(): void {
    this.#attempt(() => this.#write());
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

  async #goRound(): Promise<Round> {
    const startedBefore = this.#starter.started;
    await this.#conversation.converse();
    if (this.state.end !== undefined) this.#stop();
    // What is sent may meet a schema of the author's, and a rollback that is journaled as started is called for certain.
    if (this.#courier.hasWork || this.state.ending !== undefined) await this.#drive.secure();
    const begun = await this.#starter.startDue(this.#conversation, this.#starting);
    // Others may have got their place meanwhile.
    if (begun === "attempts") this.work();
    // Whoever holds the alarm's event open hears of it once; to tell all who wait each time would cost them a timer each.
    if (startedBefore < LIMITS.attemptsPerWake && this.#starter.started >= LIMITS.attemptsPerWake)
      this.waiters.tellChange();
    return begun === "one-in-open-turn" && this.#attempts.size > 0 ? "attempt-goes-on" : "over";
  }

  #endAttempt(op: number, result: AttemptResult): void {
    const terms = new OutcomeTerms(this.journal, this.#parts.deployment, this.now);
    const outcome = attemptOutcome(this.journal, { op, result }, terms);
    if (outcome === undefined) return;
    this.journal.append(outcome);
    this.#drive.start(this.#starter.mayShareTurn ? "shared" : "burst");
  }

  #stop(): void {
    this.#conversation.stop();
    this.#attempts.abortAll();
  }

  #write(): void {
    const hasMail = this.#courier.hasWork;
    const hasWork = !this.#drive.isLook || this.journal.isPending || this.#attempts.size > 0 || hasMail;
    if (hasWork && this.isBusy && (this.state.end === undefined || hasMail)) this.#alarm.lease();
    this.#tell(this.journal.commit());
  }

  /** In one go, so that nothing is sent that was appended and not written (invariant 3). */
  #send(): void {
    this.#write();
    this.#starter.started += this.#courier.dispatch();
    this.#reporter.tell(false);
  }

  #tell(committed: readonly Entry[]): void {
    if (committed.length === 0) return;
    this.waiters.tellCommit();
    this.#parts.feed.look();
    this.#listeners.tell(committed);
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
    this.#courier.stop();
    this.#reporter.stop();
    this.#watch.stop();
    this.journal.retire();
    this.#parts.retired();
    this.waiters.tellChange();
  }
}
