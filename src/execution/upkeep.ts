import { awaitsNewerEngine, nextWakeAt, nextWorkAt } from "../journal/next-wake.ts";
import { deathOfObject, mayKillAgain } from "../journal/recovery.ts";
import { isHalted, runningAttempts, type State } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";
import { OutcomeTerms } from "./attempt-outcome.ts";
import type { Deployment } from "./deployment.ts";
import type { Drive } from "./drive.ts";
import type { Journal } from "./journal.ts";
import type { Clock } from "./ports.ts";
import type { Purge } from "./purge.ts";
import type { Reporter } from "./reporter.ts";
import type { StepStarter } from "./step-starter.ts";
import type { Waiters } from "./waiters.ts";
import type { Rest } from "./rest.ts";
import { isNextWake, wasLease, type WakeAlarm } from "./wake-alarm.ts";

export interface UpkeepParts {
  readonly clock: Clock;
  readonly deployment: Deployment;
  readonly journal: Journal;
  readonly alarm: WakeAlarm;
  readonly starter: StepStarter;
  readonly drive: Drive;
  readonly waiters: Waiters;
  /** Work is in memory. */
  readonly isBusy: () => boolean;
  readonly work: () => void;
  readonly rest: Rest;
  readonly reporter: Reporter;
  readonly purge: Purge;
}

/**
 * What an object does whenever it is touched or woken, whatever for: finds what an earlier object left undone, restores
 * the alarm, and purges what is over.
 */
export class Upkeep {
  readonly #parts: UpkeepParts;
  /** This object has not looked yet for what an earlier one left behind. */
  #isFresh = true;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  get #state(): State {
    return this.#parts.journal.state;
  }

  /** Facts have come in: from now on the object knows what it does. */
  begin(): void {
    this.#isFresh = false;
  }

  /** False where there is nothing any more. What it finds to recover is recovered by `attempt`. */
  async touch(armed: number | undefined, attempt: (act: () => void) => void): Promise<boolean> {
    if (this.#isFresh) {
      // Another time than the next wake is a lease. No alarm at all was lost, and it takes a look to find work.
      attempt(() => this.#recover(armed !== undefined && !isNextWake(armed, nextWakeAt(this.#state))));
      if (armed === undefined && !isHalted(this.#state)) this.#parts.drive.start("look");
    }
    const { purge, reporter } = this.#parts;
    if (purge.isDue) {
      // Nobody who asks waits for the directory.
      if (reporter.isUsed) purge.begin();
      else await purge.purgeAtItsTime();
      return false;
    }
    this.#restoreAlarm();
    return true;
  }

  /** The alarm rang that had been set for `scheduledFor`, if the platform tells. */
  async wake(scheduledFor: number | undefined): Promise<void> {
    const { journal, alarm, clock, reporter, purge } = this.#parts;
    alarm.rang();
    if (!journal.load()) return;
    if (alarm.isLeased) alarm.renew();
    if (awaitsNewerEngine(this.#state)) return alarm.rest(clock.now() + LIMITS.unreadableRetryMs);
    if (this.#isFresh) {
      const wasLeased = wasLease(scheduledFor, nextWakeAt(this.#state), clock.now());
      // It came to rest, and then it told what it had to tell.
      if (!wasLeased) reporter.assumeTold();
      this.#recover(wasLeased);
    }
    if (purge.isDue) return await purge.purgeAtItsTime();
    this.#restoreAlarm();
    await this.#stay();
  }

  #recover(wasLeased: boolean): void {
    const { journal, starter, deployment, clock, rest, work } = this.#parts;
    this.#isFresh = false;
    starter.isCareful = mayKillAgain(this.#state);
    if (this.#state.end !== undefined || this.#state.unreadable !== undefined) return;
    if (runningAttempts(this.#state).length === 0 && (!wasLeased || isHalted(this.#state))) return;
    starter.isCareful = true;
    journal.append(...deathOfObject(this.#state, new OutcomeTerms(journal, deployment, clock.now())));
    if (isHalted(this.#state)) rest.come();
    else work();
  }

  /** The alarm as the journal wants it, or the work that is due (invariant 5 of `Execution`). */
  #restoreAlarm(): void {
    const { clock, alarm, drive, isBusy, work, reporter, rest } = this.#parts;
    if (awaitsNewerEngine(this.#state)) return;
    const next = nextWorkAt(this.#state);
    if (isBusy() && !drive.isLook) return alarm.lease();
    if (next !== undefined && next <= clock.now()) return work();
    if (isBusy()) return;
    reporter.tell(true);
    rest.setAlarm();
  }

  /** Holds the alarm's event open while there is work, and hands over to the next one before the platform's limits. */
  async #stay(): Promise<void> {
    const { clock, starter, waiters, isBusy, alarm, reporter } = this.#parts;
    const until = clock.now() + LIMITS.wakeMs;
    starter.started = 0;
    const mayStay = () => clock.now() < until && starter.started < LIMITS.attemptsPerWake;
    while ((isBusy() || reporter.isOwing) && mayStay()) await waiters.change(clock, until);
    if (isBusy()) alarm.handOver();
  }
}
