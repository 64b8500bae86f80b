import { nextWakeAt, nextWorkAt } from "../journal/next-wake.ts";
import { factsOfRest, mayKillAgain } from "../journal/recovery.ts";
import type { State } from "../journal/state.ts";
import { nextReportAt } from "../journal/unreported.ts";
import type { Attempts } from "./attempts.ts";
import type { ClockWatch } from "./clock-watch.ts";
import type { Conversation } from "./conversation.ts";
import type { Courier } from "./courier.ts";
import type { Journal } from "./journal.ts";
import type { Clock } from "./ports.ts";
import type { Reporter } from "./reporter.ts";
import type { StepStarter } from "./step-starter.ts";
import type { Waiters } from "./waiters.ts";
import type { WakeAlarm } from "./wake-alarm.ts";

export interface RestParts {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly conversation: Conversation;
  readonly attempts: Attempts;
  readonly starter: StepStarter;
  readonly courier: Courier;
  readonly reporter: Reporter;
  readonly alarm: WakeAlarm;
  readonly watch: ClockWatch;
  readonly waiters: Waiters;
  /** Makes durable what was appended, and nothing else. */
  readonly commit: () => void;
  readonly work: () => void;
}

/** What an object does when nothing can go on now: it watches what is under way, or rests until its alarm. */
export class Rest {
  readonly #parts: RestParts;

  constructor(parts: RestParts) {
    this.#parts = parts;
  }

  get #state(): State {
    return this.#parts.journal.state;
  }

  /** When the alarm rings at rest. What is told to the directory just now is seen to when that has answered. */
  get #next(): number | undefined {
    const { isOwing, isAcknowledged } = this.#parts.reporter;
    return isOwing || isAcknowledged ? nextWorkAt(this.#state) : nextWakeAt(this.#state);
  }

  come(): void {
    const { clock, conversation, starter, attempts, courier, reporter, alarm, watch, work } = this.#parts;
    watch.stop();
    const now = clock.now();
    const next = this.#next;
    const { stallsAt } = conversation;
    const { watchedUntil } = starter;
    if (stallsAt !== undefined && stallsAt <= now) {
      conversation.failStalled();
      work();
    } else if (stallsAt !== undefined || attempts.size + courier.size > 0 || watchedUntil !== undefined) {
      reporter.tell(false);
      watch.watch([stallsAt, next, watchedUntil]);
    } else if (next !== undefined && next <= now && this.#state.end === undefined) {
      work();
    } else if (reporter.isOwing && alarm.isLeased) {
      watch.watch([next]);
    } else {
      this.#rest(now);
    }
  }

  #rest(now: number): void {
    const { journal, starter, attempts, reporter, waiters, commit } = this.#parts;
    journal.append(...factsOfRest(this.#state, now));
    journal.append(...reporter.factsOfRest());
    if (!mayKillAgain(this.#state)) starter.isCareful = false;
    commit();
    attempts.rest();
    reporter.tell(true);
    this.setAlarm();
    waiters.tellChange();
  }

  /** As an object at rest has it. */
  setAlarm(): void {
    const { reporter, alarm } = this.#parts;
    // A burst keeps its lease until the directory has answered. What that may know nothing of is found by one, too.
    const hasLease = alarm.isLeased || nextReportAt(this.#state) !== undefined;
    if (reporter.isOwing && hasLease) alarm.lease();
    else alarm.rest(this.#next);
  }
}
