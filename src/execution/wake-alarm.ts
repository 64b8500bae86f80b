import { LIMITS } from "../limits.ts";
import type { Alarm, Clock } from "./ports.ts";

/**
 * The one alarm of an object. At rest it stands at the next wake. While there is work in memory it stands at the lease:
 * the time at which the work is found again if the object dies. Setting it costs a row, so it is set only where it
 * differs.
 */
export class WakeAlarm {
  readonly #alarm: Alarm;
  readonly #clock: Clock;
  /** What storage holds, as far as this object knows. */
  #armed: number | undefined;
  /** It was found in storage, where the platform may have put it a millisecond after what was set. */
  #isFound = false;
  #leaseMs: number = LIMITS.leaseFirstMs;
  #leaseUntil: number | undefined;
  /** Failures of storage in a row. */
  #failures = 0;
  #stranding: { readonly error: unknown } | undefined;

  constructor(alarm: Alarm, clock: Clock) {
    this.#alarm = alarm;
    this.#clock = clock;
  }

  /** Asks storage, where anybody may have changed it. */
  async read(): Promise<number | undefined> {
    const armed = await this.#alarm.get();
    if (armed !== this.#armed) this.#isFound = true;
    this.#armed = armed;
    return armed;
  }

  /** The alarm rang, and is gone from storage. */
  rang(): void {
    this.#armed = undefined;
  }

  get isLeased(): boolean {
    return this.#leaseUntil !== undefined;
  }

  /** Arms the lease, unless that is done. The first is a second long, so that a burst that dies young is soon found. */
  lease(): void {
    const now = this.#clock.now();
    if (this.#leaseUntil === undefined) {
      this.#leaseMs = LIMITS.leaseFirstMs;
      this.#leaseUntil = now + this.#leaseMs;
    } else if (this.#leaseUntil <= now) {
      // The object was never idle, so the platform could not ring.
      return this.renew();
    }
    // A time that has passed is no alarm any more: it was lost.
    const isArmed = this.#armed !== undefined && this.#armed > now && this.#armed <= this.#leaseUntil;
    if (!isArmed) this.#set(this.#leaseUntil);
  }

  /** The lease rang, or was due, and the work is alive: it gets twice as long, so that a long burst costs few rows. */
  renew(): void {
    this.#leaseMs = Math.min(2 * this.#leaseMs, LIMITS.leaseMs);
    this.#leaseUntil = this.#clock.now() + this.#leaseMs;
    this.#set(this.#leaseUntil);
  }

  /** Rings at once, for a handler that hands its work over to the next one. */
  handOver(): void {
    this.#leaseUntil = this.#clock.now() + 1;
    this.#set(this.#leaseUntil);
  }

  /** No work is in memory. */
  rest(nextWakeAt: number | undefined): void {
    this.#leaseUntil = undefined;
    const armed = this.#armed;
    // A lease of this object is never taken for a wake that is due a millisecond before it.
    const isArmed = armed === nextWakeAt || (this.#isFound && armed !== undefined && isNextWake(armed, nextWakeAt));
    if (!isArmed) this.#set(nextWakeAt);
  }

  /** Memory was given up because storage failed: it is tried again, after twice as long each time. */
  retry(): void {
    const delayMs = Math.min(LIMITS.leaseFirstMs * 2 ** this.#failures, LIMITS.storageRetryMs);
    this.#failures += 1;
    this.#leaseUntil = undefined;
    try {
      this.#set(this.#clock.now() + delayMs);
      this.#stranding = undefined;
    } catch (error) {
      this.#stranding = { error };
    }
  }

  /** Storage took what it was given. */
  succeed(): void {
    this.#failures = 0;
    this.#stranding = undefined;
  }

  /** Throws where storage took not even an alarm. */
  throwIfStranded(): void {
    if (this.#stranding !== undefined) throw this.#stranding.error;
  }

  #set(at: number | undefined): void {
    this.#alarm.set(at);
    this.#armed = at;
    this.#isFound = false;
  }
}

/**
 * Tells a lease from the alarm of an object at rest, in an object that finds only the journal: the one at rest was set
 * for the next wake. Where the platform does not say what it was set for, a lease rings at least its own length later.
 */
export function wasLease(scheduledFor: number | undefined, nextWakeAt: number | undefined, now: number): boolean {
  if (scheduledFor !== undefined) return !isNextWake(scheduledFor, nextWakeAt);
  return nextWakeAt === undefined || nextWakeAt > now || nextWakeAt <= now - LIMITS.leaseFirstMs;
}

/** The alarm of an object at rest; a platform may have had to set it a millisecond later. */
export function isNextWake(armed: number, nextWakeAt: number | undefined): boolean {
  return nextWakeAt !== undefined && (armed === nextWakeAt || armed === nextWakeAt + 1);
}
