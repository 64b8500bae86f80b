import { isOver } from "../journal/next-wake.ts";
import { purgeRetryAt } from "../journal/unreported.ts";
import type { ExecutionParts } from "./execution-parts.ts";
import type { Journal } from "./journal.ts";
import type { Reporter } from "./reporter.ts";

export interface PurgeParts extends Pick<ExecutionParts, "ports" | "alarm" | "feed"> {
  readonly journal: Journal;
  readonly reporter: Reporter;
  /** Memory is of no use any more. */
  readonly retire: () => void;
  readonly failed: (error: unknown) => void;
}

/** Removes an execution and its journal, once the directory knows that there is none any more. */
export class Purge {
  readonly #parts: PurgeParts;

  constructor(parts: PurgeParts) {
    this.#parts = parts;
  }

  /** The retention of the execution is over. */
  get isDue(): boolean {
    return isOver(this.#parts.journal.state, this.#parts.ports.clock.now());
  }

  /** False where the directory could not be reached: nothing is removed then. */
  async purge(): Promise<boolean> {
    if (!(await this.#parts.reporter.remove())) return false;
    await this.purgeUnannounced();
    return true;
  }

  /** For another execution that takes the place of this one: what the directory is told of that is newer. */
  async purgeUnannounced(): Promise<void> {
    const { journal, alarm, feed, retire } = this.#parts;
    if (journal.isRetired) return;
    await journal.deleteAll();
    // Another call may have come here first, and there may be another execution already.
    if (journal.isRetired) return;
    alarm.rang();
    retire();
    feed.leave();
  }

  /** As at its time, for a caller who does not wait. */
  begin(): void {
    this.purgeAtItsTime().catch(this.#parts.failed);
  }

  /** At its time: where the directory cannot be reached, it is tried again later. */
  async purgeAtItsTime(): Promise<void> {
    const { journal, alarm, ports } = this.#parts;
    if ((await this.purge()) || journal.isRetired) return;
    alarm.rest(purgeRetryAt(journal.state, ports.clock.now()));
  }
}
