import type { BlobPart, JournalRow, JournalStaging } from "../execution/ports.ts";
import { BLOBS_COLUMNS, JOURNAL_COLUMNS, type SqliteJournal } from "./sqlite-journal.ts";

const STAGED = ["staged_journal", "staged_blobs"] as const;

/**
 * The copy of another journal in the SQLite storage of its object: in tables of its own, which are renamed when it is
 * whole. That costs the same however much is in them.
 */
export class SqliteStaging implements JournalStaging {
  readonly #storage: DurableObjectStorage;
  readonly #journal: SqliteJournal;

  constructor(storage: DurableObjectStorage, journal: SqliteJournal) {
    this.#storage = storage;
    this.#journal = journal;
  }

  get isUsed(): boolean {
    return STAGED.some((name) => this.#journal.has(name));
  }

  add(rows: readonly JournalRow[], parts: readonly BlobPart[]): void {
    this.#storage.transactionSync(() => {
      if (rows.length > 0) this.#execute(`CREATE TABLE IF NOT EXISTS staged_journal ${JOURNAL_COLUMNS}`);
      for (const { seq, entries } of rows) {
        this.#execute("INSERT INTO staged_journal (seq, entries) VALUES (?, ?)", seq, entries);
      }
      if (parts.length > 0) this.#execute(`CREATE TABLE IF NOT EXISTS staged_blobs ${BLOBS_COLUMNS}`);
      for (const { id, part, data } of parts) {
        this.#execute("INSERT INTO staged_blobs (id, part, data) VALUES (?, ?, ?)", id, part, data);
      }
    });
    this.#journal.findTables();
  }

  adopt(): void {
    this.#storage.transactionSync(() => {
      for (const name of this.#used()) this.#execute(`ALTER TABLE ${name} RENAME TO ${name.slice("staged_".length)}`);
    });
    this.#journal.findTables();
  }

  discard(): void {
    this.#storage.transactionSync(() => {
      for (const name of this.#used()) this.#execute(`DROP TABLE ${name}`);
    });
    this.#journal.findTables();
  }

  #used(): readonly (typeof STAGED)[number][] {
    return STAGED.filter((name) => this.#journal.has(name));
  }

  #execute(statement: string, ...bindings: readonly SqlStorageValue[]): void {
    this.#journal.count(this.#storage.sql.exec(statement, ...bindings).rowsWritten);
  }
}
