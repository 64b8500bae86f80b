import type { Clock } from "./ports.ts";

interface CommitWaiter {
  readonly tell: () => void;
  readonly reject: (error: unknown) => void;
}

/** Those in this object who wait for something to happen to its execution. */
export class Waiters {
  readonly #changes = new Set<() => void>();
  #commits: CommitWaiter[] = [];

  /** Resolves when the execution next comes to rest, ends or is given up, at the latest at `until`. */
  async change(clock: Clock, until: number): Promise<void> {
    if (until <= clock.now()) return;
    await new Promise<void>((resolve) => {
      const told = () => {
        this.#changes.delete(told);
        withdraw();
        resolve();
      };
      const withdraw = clock.timer(until, told);
      this.#changes.add(told);
    });
  }

  /**
   * Resolves when something holds that changes together with the execution, at the latest at `until`. Whoever waits so
   * has one timer, however often it is told.
   */
  async until(holds: () => boolean, clock: Clock, until: number): Promise<void> {
    if (holds() || until <= clock.now()) return;
    await new Promise<void>((resolve) => {
      const told = () => {
        if (!holds() && clock.now() < until) return;
        this.#changes.delete(told);
        withdraw();
        resolve();
      };
      const withdraw = clock.timer(until, told);
      this.#changes.add(told);
    });
  }

  /** What `look` sees at the next commit, before anything else can happen. Rejects when storage refused the commit. */
  commit<T>(look: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => this.#commits.push({ tell: () => resolve(look()), reject }));
  }

  tellChange(): void {
    for (const told of this.#changes) told();
  }

  tellCommit(): void {
    const waiting = this.#commits;
    this.#commits = [];
    for (const { tell } of waiting) tell();
  }

  tellFailure(error: unknown): void {
    const waiting = this.#commits;
    this.#commits = [];
    for (const { reject } of waiting) reject(error);
    this.tellChange();
  }
}
