import type { Duration } from "../../src/steps/duration.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import type { Host } from "./host.ts";

/** When each of the step functions of a test was called, in milliseconds since the test began. */
export class Hits {
  readonly #host: Host;
  readonly #startedAt: number;
  readonly #times = new Map<string, number[]>();

  constructor(host: Host) {
    this.#host = host;
    this.#startedAt = host.now();
  }

  get now(): number {
    return this.#host.now() - this.#startedAt;
  }

  add(name: string): number {
    const times = this.#times.get(name) ?? [];
    times.push(this.now);
    this.#times.set(name, times);
    return times.length;
  }

  at(name: string): readonly number[] {
    return this.#times.get(name) ?? [];
  }

  count(name: string): number {
    return this.at(name).length;
  }

  /** The delays between one call and the next. */
  gaps(name: string): readonly number[] {
    const times = this.at(name);
    return times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN));
  }

  /** A step function that gives its name. */
  ok(name: string): () => string {
    return () => {
      this.add(name);
      return name;
    };
  }

  /** A step function that fails so often, by default always, and then gives its name. */
  failing(name: string, times = Number.POSITIVE_INFINITY): () => string {
    return () => {
      if (this.add(name) <= times) throw new Error(`${name} fails`);
      return name;
    };
  }
}

/** A policy whose every delay is the same. */
export function every(interval: Duration, maximumAttempts: number): RetryPolicy {
  return { initialInterval: interval, backoffCoefficient: 1, maximumInterval: interval, maximumAttempts };
}

/** What an error looks like to the workflow's code. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new TypeError("The promise was not rejected.");
}
