import type { Usage } from "../journal/budget.ts";
import type { BlobReference, Encoded, Entry } from "../journal/entry.ts";
import { fold } from "../journal/fold.ts";
import { emptyState, type State } from "../journal/state.ts";
import { decodeParsed, decodeValue } from "../journal/value.ts";
import { LIMITS } from "../limits.ts";
import type { JournalBacking, JournalRow } from "./ports.ts";

/** A row is one or two entries as a rule, and at most 1 MiB. */
const ROWS_READ_AT_ONCE = 32;

/** Entries with their numbers: what readers of a journal get. */
export interface NumberedEntry {
  readonly number: number;
  readonly entry: Entry;
}

/**
 * The journal of one execution in memory: its fold, and what has not been written yet. Entries take effect in the
 * state when they are appended and become durable with the next commit; whoever lets anything leave the object commits
 * first.
 */
export class Journal {
  readonly #storage: JournalBacking;
  readonly #isListed: boolean;
  #state: State;
  #pending: Entry[] = [];
  /** Of the values in it. */
  #pendingBytes = 0;
  readonly #pendingBlobs = new Map<number, string>();
  #bytes = 0;
  #rows = 0;
  #loaded = false;
  #isTakenFrom = false;
  #isRetired = false;

  /** `isListed`: there is a directory that is told of the execution. */
  constructor(storage: JournalBacking, isListed = false) {
    this.#storage = storage;
    this.#isListed = isListed;
    this.#state = emptyState(isListed);
  }

  get state(): State {
    return this.#state;
  }

  /** Size of the rows and of the values that are on their way into them, blobs left out. */
  get bytes(): number {
    return this.#bytes + this.#pendingBytes;
  }

  /** What is stored, and was started, of the execution. */
  get usage(): Usage {
    const { attempts, largeLength, largeRows } = this.#state;
    return { rowsWritten: this.#rows + largeRows, attempts, bytes: this.#bytes + largeLength };
  }

  /** Something was appended and is not committed. */
  get isPending(): boolean {
    return this.#pending.length > 0;
  }

  get rowsWritten(): number {
    return this.#storage.rowsWritten;
  }

  /** Reads what is stored, unless that has been done. False where nothing is. */
  load(): boolean {
    if (!this.#loaded) this.reload();
    return this.#state.started !== undefined;
  }

  /** Forgets the state and reads it anew. Everything must have been committed. */
  reload(): void {
    this.#state = emptyState(this.#isListed);
    this.#bytes = 0;
    this.#rows = 0;
    this.#isTakenFrom = false;
    for (const row of this.#storage.read(0)) {
      this.#bytes += row.entries.length;
      this.#rows += 1;
      // The cast: rows are written by this class alone.
      for (const entry of JSON.parse(row.entries) as Entry[]) fold(this.#state, entry);
    }
    this.#loaded = true;
  }

  /** Empties the slot of a settlement that was delivered, so that its value does not stay in memory. */
  takeSettlement(index: number): void {
    this.#isTakenFrom = true;
    this.#state.settlements[index] = undefined;
  }

  /** Settlements are missing from the state: another run needs it read anew. */
  get isTakenFrom(): boolean {
    return this.#isTakenFrom;
  }

  append(...entries: readonly Entry[]): void {
    for (const entry of entries) {
      fold(this.#state, entry);
      this.#pending.push(entry);
    }
  }

  /**
   * Prepares a value for the next entry, or for the one that comes after `ahead` others: in place, or as a blob of its
   * own that is written with the same commit.
   */
  encoded(text: string, ahead = 0): Encoded {
    // The cast: it is the codec's own text.
    if (text.length <= LIMITS.inlineValueBytes) {
      this.#pendingBytes += text.length;
      return JSON.parse(text) as Encoded;
    }
    const blob = this.#state.entries + ahead;
    this.#pendingBlobs.set(blob, text);
    return { blob, length: text.length };
  }

  /** The codec's text of a journaled value. */
  text(value: Encoded): string {
    return isBlob(value) ? this.#blob(value.blob) : JSON.stringify(value);
  }

  decode(value: Encoded): unknown {
    return isBlob(value) ? decodeValue(this.#blob(value.blob)) : decodeParsed(value);
  }

  /** The text of the large value that belongs to an entry. */
  blob(entry: number): string | undefined {
    return this.#pendingBlobs.get(entry) ?? this.#storage.readBlob(entry);
  }

  #blob(id: number): string {
    const text = this.blob(id);
    if (text === undefined) throw new Error(`Cannot read the value of entry ${id} as its blob is missing.`);
    return text;
  }

  /** Writes the pending entries: one row, or several where they are larger than a row may be. Gives them back. */
  commit(): readonly Entry[] {
    if (this.#pending.length === 0) return [];
    if (this.#isRetired) throw new Error("Cannot write to a journal whose object has given its memory up.");
    const entries = this.#pending;
    const rows = rowsOf(entries, this.#state.entries - entries.length);
    this.#storage.write({ rows, blobs: this.#pendingBlobs });
    for (const row of rows) this.#bytes += row.entries.length;
    this.#rows += rows.length;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#pendingBlobs.clear();
    return entries;
  }

  /** Nothing is written from now on: storage has gone another way than this memory. */
  retire(): void {
    this.#isRetired = true;
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** How many entries are committed. */
  get committed(): number {
    return this.#state.entries - this.#pending.length;
  }

  /** Committed entries from number `from` on. Only what is asked for is read, so that a page of a long journal is cheap. */
  *entries(from: number): Iterable<NumberedEntry> {
    let number = from;
    for (;;) {
      const rows = this.#storage.read(number, ROWS_READ_AT_ONCE);
      for (const row of rows) {
        // The cast: as in `reload`.
        for (const [place, entry] of (JSON.parse(row.entries) as Entry[]).entries()) {
          if (row.seq + place < number) continue;
          yield { number, entry };
          number += 1;
        }
      }
      if (rows.length < ROWS_READ_AT_ONCE) return;
    }
  }

  async deleteAll(): Promise<void> {
    await this.#storage.deleteAll();
  }
}

function isBlob(value: Encoded): value is BlobReference {
  return typeof value === "object" && "blob" in value;
}

/** Entries in rows that each fit, the first of them with number `from`. */
function rowsOf(entries: readonly Entry[], from: number): JournalRow[] {
  let seq = from;
  return groupsOf(entries).map((group) => {
    const row = { seq, entries: `[${group.join(",")}]` };
    seq += group.length;
    return row;
  });
}

/** The JSON texts of entries, in groups that fit a row each. */
function groupsOf(entries: readonly Entry[]): string[][] {
  let row: string[] = [];
  const rows = [row];
  let length = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    if (row.length > 0 && length + text.length > LIMITS.rowBytes / BYTES_PER_UNIT) {
      row = [];
      rows.push(row);
      length = 0;
    }
    row.push(text);
    length += text.length + 1;
  }
  return rows;
}

/** At most as many UTF-8 bytes stand for one UTF-16 unit. */
const BYTES_PER_UNIT = 3;
