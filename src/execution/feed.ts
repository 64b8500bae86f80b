import { LIMITS } from "../limits.ts";
import { entryDocument, type EntryForm, showValueIn } from "./entry-document.ts";
import type { Journal } from "./journal.ts";
import type { Ports } from "./ports.ts";
import type { Refused } from "./wire.ts";

/** Somebody who watches the journal of an execution grow. */
export interface Viewer {
  /** More entries can be seen, or no more will come. */
  see(): void;
  /** Nothing can be seen any more: the execution is purged, or its object is of no use. */
  leave(): void;
}

type FeedPorts = Pick<Ports, "turn" | "clock" | "log">;

/** One entry as viewers get it. */
export interface ShownEntry {
  readonly number: number;
  readonly type: string;
  /** JSON text of the entry, as a page of the journal has it. */
  readonly text: string;
}

/** So many are told in one go; for each more there is a millisecond between two of them. */
const VIEWERS_TOLD_AT_ONCE = 10;

/**
 * What viewers of one execution can see of its journal: entries that are durable. They are read from storage when a
 * viewer wants them, so nothing is kept for one that does not read. Without viewers it does nothing at all.
 */
export class Feed {
  readonly #ports: FeedPorts;
  readonly #journal: () => Journal;
  readonly #viewers = new Set<Viewer>();
  /** Entries below this number are durable. */
  #durable = 0;
  /** Counts the journals: what was durable in one says nothing of the next. */
  #journals = 0;
  /** When viewers were last told, in Unix milliseconds. */
  #lookedAt = 0;
  #isLooking = false;
  #looksAgain = false;
  /** Of the last entries shown, by form and number: as a rule all viewers want the same ones. */
  readonly #texts = new Map<string, string>();
  #textsLength = 0;

  /** `journal` gives it as this object has it now: another one takes its place when storage fails. */
  constructor(ports: FeedPorts, journal: () => Journal) {
    this.#ports = ports;
    this.#journal = journal;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Why nobody more can watch from the entry `from` on. */
  refusalOf(from: number): Refused | undefined {
    const { entries } = this.#journal().state;
    if (from > entries) {
      const rule = `the first entry wanted must not be beyond the end of the journal, ${entries}`;
      const message = `Cannot watch the execution as ${rule}: current value is ${from}`;
      return { kind: "refused", code: "VALIDATION_ERROR", message };
    }
    if (this.viewers < LIMITS.viewers) return undefined;
    const rule = `it must not have more than ${LIMITS.viewers} viewers at a time`;
    const message = `Cannot watch the execution as ${rule}: current value is ${this.viewers}`;
    return { kind: "refused", code: "VIEWER_LIMIT", message };
  }

  /** Gives the function that ends it. */
  watch(viewer: Viewer): () => void {
    this.#viewers.add(viewer);
    this.look();
    return () => {
      this.#viewers.delete(viewer);
      if (this.#viewers.size === 0) this.#forget();
    };
  }

  /** Something was committed, or somebody came: viewers are told once it is durable. */
  look(): void {
    if (this.#viewers.size === 0) return;
    this.#looksAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#keepLooking()
      .catch((error: unknown) => {
        this.#ports.log("error", "Viewers are sent away as storage failed.", { error });
        this.leave();
      })
      .finally(() => (this.#isLooking = false));
  }

  async #keepLooking(): Promise<void> {
    while (this.#looksAgain) {
      if (this.#calmUntil > this.#ports.clock.now()) await this.#calm();
      this.#looksAgain = false;
      // What is committed while this is awaited may not be durable after it.
      const { committed } = this.#journal();
      const journal = this.#journals;
      await this.#ports.turn.durable();
      this.#lookedAt = this.#ports.clock.now();
      if (journal !== this.#journals) continue;
      this.#durable = Math.max(this.#durable, committed);
      for (const viewer of this.#viewers) viewer.see();
    }
  }

  /** Many viewers must not slow the execution down that they watch: they are told of several commits at once. */
  get #calmUntil(): number {
    return this.#lookedAt + VIEWERS_TOLD_AT_ONCE * Math.floor(this.#viewers.size / VIEWERS_TOLD_AT_ONCE);
  }

  async #calm(): Promise<void> {
    await new Promise<void>((resolve) => void this.#ports.clock.timer(this.#calmUntil, resolve));
  }

  /** Durable entries from number `from` on. */
  *entries(from: number, form: EntryForm): Iterable<ShownEntry> {
    if (from >= this.#durable) return;
    const { journalPath } = form;
    const show = (flat: unknown) => showValueIn(form.form, flat);
    for (const { number, entry } of this.#journal().entries(from)) {
      if (number >= this.#durable) return;
      const text = this.#text(`${form.form} ${form.journalPath} ${number}`, () =>
        JSON.stringify(entryDocument({ entry: number, ...entry }, { journalPath, show })),
      );
      yield { number, type: entry.type, text };
    }
  }

  /** The execution has ended, and a viewer who wants the entry `from` next has seen all of its journal. */
  isOver(from: number): boolean {
    const { state } = this.#journal();
    return state.end !== undefined && from >= state.entries;
  }

  /** Sends every viewer away: what comes after is another journal. */
  leave(): void {
    this.#journals += 1;
    this.#durable = 0;
    this.#forget();
    for (const viewer of this.#viewers) viewer.leave();
  }

  #text(key: string, make: () => string): string {
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = make();
    if (this.#textsLength + text.length > LIMITS.shownEntriesLength) this.#forget();
    this.#texts.set(key, text);
    this.#textsLength += text.length;
    return text;
  }

  #forget(): void {
    this.#texts.clear();
    this.#textsLength = 0;
  }
}
