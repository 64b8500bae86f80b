import { joinBlob, splitBlob } from "../execution/blob-parts.ts";
import type { BlobPart, JournalCommit, JournalRow } from "../execution/ports.ts";
import type { Entry } from "../journal/entry.ts";
import { fold } from "../journal/fold.ts";
import { emptyState, type State } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";

/** A copy of another journal; never changed in place. */
interface Staged {
  readonly rows: readonly JournalRow[];
  readonly parts: readonly BlobPart[];
}

/** Rows are only ever added, so a snapshot of them is their number. */
interface Snapshot {
  readonly rows: readonly JournalRow[];
  readonly length: number;
  readonly blobs: ReadonlyMap<number, string>;
  readonly alarm: number | undefined;
  readonly staged: Staged | undefined;
}

/** The fold of so many rows, of which this is the last. */
interface Folded {
  readonly state: State;
  readonly rows: number;
  readonly last: JournalRow | undefined;
}

/**
 * The storage of one object in memory: what is written, and what of it is durable. As on the platform, what one turn
 * writes becomes durable together at its end.
 */
export class MemoryStorage {
  #rows: JournalRow[] = [];
  #blobs: ReadonlyMap<number, string> = new Map();
  #staged: Staged | undefined;
  #durable: Snapshot = { rows: [], length: 0, blobs: new Map(), alarm: undefined, staged: undefined };
  alarm: number | undefined;
  #folded: Folded = { state: emptyState(), rows: 0, last: undefined };

  /** With the journal of another object, as far as `rows` go. */
  static copyOf(
    rows: readonly JournalRow[],
    readBlob: (id: number) => string | undefined,
    entries: number,
  ): MemoryStorage {
    const storage = new MemoryStorage();
    const blobs = new Map<number, string>();
    for (let id = 0; id < entries; id += 1) {
      const text = readBlob(id);
      if (text !== undefined) blobs.set(id, text);
    }
    storage.write({ rows, blobs });
    storage.keep();
    return storage;
  }

  get rows(): readonly JournalRow[] {
    return this.#rows;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0 && this.#blobs.size === 0 && this.alarm === undefined && !this.isStaged;
  }

  get hasEnded(): boolean {
    const { end, outbox } = this.#foldRows();
    return end !== undefined && outbox.size === 0;
  }

  /** Only rows that came since the last look are read, unless some were taken away. */
  #foldRows(): State {
    const known = this.#folded;
    const isKnown = known.rows === 0 || this.#rows[known.rows - 1] === known.last;
    const { state, rows: from } = isKnown ? known : { state: emptyState(), rows: 0 };
    // The cast: rows are written by the engine alone.
    for (const row of this.#rows.slice(from))
      for (const entry of JSON.parse(row.entries) as Entry[]) fold(state, entry);
    this.#folded = { state, rows: this.#rows.length, last: this.#rows.at(-1) };
    return state;
  }

  /** The rows from the one that holds entry `from`, or the first so many of them. */
  read(from: number, rows = this.#rows.length): readonly JournalRow[] {
    const first = Math.max(
      0,
      this.#rows.findLastIndex((row) => row.seq <= from),
    );
    return this.#rows.slice(first, first + rows);
  }

  readBlob(id: number): string | undefined {
    return this.#blobs.get(id);
  }

  /** A page of what is stored of large values that belong to entries before `cut`, in the order of their numbers. */
  readBlobParts(from: Pick<BlobPart, "id" | "part">, cut: number): readonly BlobPart[] {
    const parts: BlobPart[] = [];
    const ids = [...this.#blobs.keys()].filter((id) => id >= from.id && id < cut).sort((a, b) => a - b);
    for (const id of ids) {
      for (const [part, data] of splitBlob(this.#blobs.get(id) ?? "").entries()) {
        if (id > from.id || part >= from.part) parts.push({ id, part, data });
      }
      if (parts.length >= LIMITS.copyPageParts) break;
    }
    return parts.slice(0, LIMITS.copyPageParts);
  }

  get isStaged(): boolean {
    return this.#staged !== undefined;
  }

  stage(rows: readonly JournalRow[], parts: readonly BlobPart[]): void {
    const staged = this.#staged;
    this.#staged = { rows: [...(staged?.rows ?? []), ...rows], parts: [...(staged?.parts ?? []), ...parts] };
  }

  adoptStaged(): void {
    if (this.#rows.length > 0) throw new Error("A journal stands already.");
    const { rows = [], parts = [] } = this.#staged ?? {};
    const data = new Map<number, ArrayBuffer[]>();
    for (const part of parts) data.set(part.id, [...(data.get(part.id) ?? []), part.data]);
    this.#rows = [...rows];
    this.#blobs = new Map([...data].map(([id, own]) => [id, joinBlob(own)]));
    this.#staged = undefined;
  }

  discardStaged(): void {
    this.#staged = undefined;
  }

  /** Rows and blobs stand once, as their numbers are the keys. */
  checkNew({ rows, blobs }: JournalCommit): void {
    const last = this.#rows.at(-1);
    for (const { seq } of rows) {
      if (last !== undefined && seq <= last.seq) throw new Error(`Row ${seq} stands already.`);
    }
    for (const id of blobs.keys()) if (this.#blobs.has(id)) throw new Error(`Blob ${id} stands already.`);
  }

  write({ rows, blobs }: JournalCommit): void {
    this.#rows.push(...rows);
    if (blobs.size > 0) this.#blobs = new Map([...this.#blobs, ...blobs]);
  }

  deleteAll(): void {
    this.#rows = [];
    this.#blobs = new Map();
    this.#staged = undefined;
    this.alarm = undefined;
  }

  /** What is written now is durable. */
  keep(): void {
    const { alarm } = this;
    this.#durable = { rows: this.#rows, length: this.#rows.length, blobs: this.#blobs, alarm, staged: this.#staged };
  }

  /** What is not durable was never written. */
  restore(): void {
    const { rows, length, blobs, alarm, staged } = this.#durable;
    this.#rows = rows.slice(0, length);
    this.#blobs = blobs;
    this.#staged = staged;
    this.alarm = alarm;
  }

  /** The alarm is moved by somebody else than the object. */
  spoilAlarm(at: number | undefined): void {
    this.alarm = at;
    this.#durable = { ...this.#durable, alarm: at };
  }
}
