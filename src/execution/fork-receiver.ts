import type { Entry, Started } from "../journal/entry.ts";
import type { ForkedFrom } from "../journal/fork-entry.ts";
import { startedOfFork } from "../journal/fork.ts";
import type { State } from "../journal/state.ts";
import type { Deployment } from "./deployment.ts";
import type { Execution } from "./execution.ts";
import { viewOf } from "./execution-view.ts";
import type { JournalRow, Ports } from "./ports.ts";
import { tellListener } from "./tell-listener.ts";
import { touchOrClear } from "./touch-execution.ts";
import type { WakeAlarm } from "./wake-alarm.ts";
import type { Absent, Refused } from "./wire.ts";
import type { CopyJournal, CopyPlace, ForkAnswer, ForkRequest } from "./wire-fork.ts";

export interface ForkReceiverParts {
  readonly ports: Ports;
  readonly deployment: Deployment;
  readonly alarm: WakeAlarm;
  /** The object's execution: another one after its storage has failed. */
  readonly execution: () => Execution;
}

/**
 * Takes the copy of another execution's journal into an object that has none. It is put together beside the place where
 * a journal is looked for, so that half of one is never read, and becomes the journal in one commit. A lease stands by
 * meanwhile: should the object die, it finds what is left, and removes it.
 */
export class ForkReceiver {
  readonly #parts: ForkReceiverParts;
  /** One copy at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #isCopying = false;

  constructor(parts: ForkReceiverParts) {
    this.#parts = parts;
  }

  /** Answers as `Absent` where the original is gone before it was copied. */
  async fork(request: ForkRequest, copy: CopyJournal): Promise<ForkAnswer | Absent | Refused> {
    const answer = this.#last.then(() => this.#fork(request, copy));
    this.#last = answer.catch(() => {});
    return await answer;
  }

  /** The alarm rang. False where that is nothing to a copy. */
  async wake(): Promise<boolean> {
    const { alarm, execution, ports } = this.#parts;
    try {
      if (execution().journal.load() || !(this.#isCopying || ports.staging.isUsed)) return false;
      alarm.rang();
      if (this.#isCopying) alarm.renew();
      else await this.#discard();
    } catch (error) {
      ports.log("error", "Storage failed; the rest of a copy is removed later.", { error });
      alarm.retry();
      alarm.throwIfStranded();
    }
    return true;
  }

  /** What an earlier life has left of a copy is in the way of nothing, and of no use. */
  discardLeftovers(): void {
    const { staging } = this.#parts.ports;
    if (!this.#isCopying && staging.isUsed) staging.discard();
  }

  async #fork(request: ForkRequest, copy: CopyJournal): Promise<ForkAnswer | Absent | Refused> {
    const { alarm, execution, ports } = this.#parts;
    if (await touchOrClear(execution)) return this.#existing(request);
    ports.staging.discard();
    alarm.lease();
    this.#isCopying = true;
    try {
      const forked = forkedFrom(request, ports.clock.now());
      if (!(await this.#stage(request, forked, copy))) return { kind: "absent" };
      // Somebody may have started one under this id meanwhile.
      if (execution().journal.load()) return this.#existing(request);
      ports.staging.add([{ seq: forked.entry, entries: JSON.stringify([forked]) }], []);
      this.#adopt(forked);
    } finally {
      this.#isCopying = false;
      if (!execution().journal.load()) await this.#discard();
      else this.discardLeftovers();
    }
    return { kind: "forked", created: true, view: viewOf(execution()) };
  }

  /** False where the original is gone. */
  async #stage(request: ForkRequest, forked: ForkedFrom, copy: CopyJournal): Promise<boolean> {
    const { cut, startedAt } = request;
    let place: CopyPlace | null = { kind: "row", seq: 0 };
    while (place !== null) {
      const page = await copy({ cut, startedAt, place });
      if (page.kind === "absent") return false;
      this.#parts.ports.staging.add(
        page.rows.map((row) => (row.seq === 0 ? firstRow(row, request, forked.at) : row)),
        page.parts,
      );
      place = page.next;
    }
    return true;
  }

  #adopt(forked: ForkedFrom): void {
    const { ports, deployment } = this.#parts;
    const execution = this.#parts.execution();
    ports.staging.adopt();
    execution.journal.reload();
    tellListener([forked], execution.state, { deployment, ports });
    // Nothing is added: it goes on with what it has been given.
    execution.take([]);
  }

  #existing(request: ForkRequest): ForkAnswer | Refused {
    const execution = this.#parts.execution();
    if (isSameFork(execution.state, request)) {
      execution.commit();
      return { kind: "forked", created: false, view: viewOf(execution) };
    }
    const { workflow, id } = request;
    const message = `Cannot fork to ${workflow} ${id} as that id is taken by something else.`;
    return { kind: "refused", code: "ID_CONFLICT", message };
  }

  /** There is no journal: nothing at all is left of the object, the alarm included. */
  async #discard(): Promise<void> {
    const { alarm, ports } = this.#parts;
    await ports.storage.deleteAll();
    alarm.rang();
    alarm.rest(undefined);
  }
}

/** Without `before` the same request may find the original further on: it is the same all the same. */
function isSameFork({ forked }: State, { of, before, cut }: ForkRequest): boolean {
  if (forked?.id !== of) return false;
  return before === undefined ? forked.before === undefined : forked.before !== undefined && forked.entry === cut;
}

function forkedFrom({ of, cut, cutAt, before }: ForkRequest, at: number): ForkedFrom {
  return { type: "forked-from", id: of, entry: cut, cutAt, ...(before !== undefined && { before }), at };
}

function firstRow({ seq, entries }: JournalRow, { id, deadlineMs }: ForkRequest, at: number): JournalRow {
  // The cast: the first entry of every journal.
  const [original, ...rest] = JSON.parse(entries) as [Started, ...Entry[]];
  return { seq, entries: JSON.stringify([startedOfFork(original, { id, at, deadlineMs }), ...rest]) };
}
