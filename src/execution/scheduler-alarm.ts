import { LIMITS } from "../limits.ts";
import type { Alarm, Clock } from "./ports.ts";

export interface SchedulerNeeds {
  /** There is a schedule, or the state of one. */
  readonly isUsed: boolean;
  /** Starts are under way. */
  readonly isBusy: boolean;
  /** The next thing that is due. */
  readonly nextAt: number | undefined;
}

/**
 * The alarm of the Scheduler object. Setting it costs a row, so it is set only where it differs. It is never further than
 * {@link LIMITS.schedulerLookMs}: after a deploy nobody else may come by, and the object then sees what is new.
 */
export class SchedulerAlarm {
  readonly #alarm: Alarm;
  readonly #clock: Clock;
  #armed: number | undefined;
  #leaseUntil: number | undefined;
  /** The alarm stands for something that is over. */
  #isStale = false;

  constructor(alarm: Alarm, clock: Clock) {
    this.#alarm = alarm;
    this.#clock = clock;
  }

  /** Asks storage, where anybody may have changed it. */
  async read(): Promise<void> {
    this.#armed = await this.#alarm.get();
  }

  /** It rang, and is gone from storage. */
  rang(): void {
    this.#armed = undefined;
  }

  /** When it rings. */
  get armedAt(): number {
    return this.#armed ?? this.#clock.now();
  }

  get isDue(): boolean {
    return this.armedAt <= this.#clock.now();
  }

  arm({ isUsed, isBusy, nextAt }: SchedulerNeeds): void {
    const now = this.#clock.now();
    if (!isUsed) return this.#armed === undefined ? undefined : this.set(undefined);
    if (!isBusy) this.#leaseUntil = undefined;
    else if (this.#leaseUntil === undefined || this.#leaseUntil <= now) this.#leaseUntil = now + LIMITS.leaseMs;
    const lookAt = now + LIMITS.schedulerLookMs;
    const at = Math.max(now + 1, Math.min(nextAt ?? lookAt, this.#leaseUntil ?? lookAt));
    // Any time that has not passed is soon enough for a look; a platform may have had to set it a millisecond later.
    const isLook = at >= lookAt && this.#armed !== undefined && this.#armed > now && this.#armed <= lookAt;
    if (this.#armed === at || this.#armed === at + 1 || (isLook && !this.#isStale)) return;
    this.set(Math.min(at, lookAt));
    this.#isStale = at < lookAt;
  }

  set(at: number | undefined): void {
    this.#alarm.set(at);
    this.#armed = at;
  }
}
