import { Journal, type NumberedEntry } from "../execution/journal.ts";
import type { JournalBacking, JournalRow } from "../execution/ports.ts";
import type { MemoryObject } from "./memory-object.ts";

/** The journal of an object as it is stored: read without touching the object, and anew whenever it was written to. */
export class StoredJournal {
  readonly #object: MemoryObject;
  #journal: Journal | undefined;
  #last: JournalRow | undefined;

  constructor(object: MemoryObject) {
    this.#object = object;
  }

  /** `undefined` where nothing is stored. */
  read(): Journal | undefined {
    // Rows are never changed: the same last one stands for the same journal.
    const last = this.#object.rows.at(-1);
    if (this.#journal === undefined || last !== this.#last) this.#journal = new Journal(readOnly(this.#object));
    this.#last = last;
    return this.#journal.load() ? this.#journal : undefined;
  }

  entries(): readonly NumberedEntry[] {
    return [...(this.read()?.entries(0) ?? [])];
  }
}

function readOnly(object: MemoryObject): JournalBacking {
  return {
    read: (from) => object.read(from),
    readBlob: (id) => object.readBlob(id),
    write: refuse,
    deleteAll: async () => refuse(),
    rowsWritten: 0,
  };
}

function refuse(): never {
  throw new Error("Cannot write as a test only reads this journal.");
}
