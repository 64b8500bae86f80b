import { joinBlob, splitBlob } from "../execution/blob-parts.ts";
import type { BlobPart, JournalCommit, JournalRow, JournalStorage } from "../execution/ports.ts";
import { LIMITS } from "../limits.ts";

/** `INTEGER PRIMARY KEY` and `WITHOUT ROWID` cost one row written for each insert. */
export const JOURNAL_COLUMNS = "(seq INTEGER PRIMARY KEY, entries TEXT NOT NULL)";
export const BLOBS_COLUMNS = "(id INTEGER, part INTEGER, data BLOB NOT NULL, PRIMARY KEY (id, part)) WITHOUT ROWID";

/** The tables of an execution's object: the journal's, and those in which the copy of another one is put together. */
export type ObjectTable = "journal" | "blobs" | "staged_journal" | "staged_blobs";

/** `LIMIT` takes a negative number as none. */
const ALL_ROWS = -1;

/**
 * A journal in the SQLite storage of its object. Its tables are created when they are first written to: a look at an
 * unknown id must store nothing.
 */
export class SqliteJournal implements JournalStorage {
  readonly #storage: DurableObjectStorage;
  readonly #tables = new Set<ObjectTable>();
  #rowsWritten = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.findTables();
  }

  /** Looks which tables there are: at first, and when others have changed them. */
  findTables(): void {
    this.#tables.clear();
    const tables = this.#storage.sql.exec<{ name: ObjectTable }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('journal', 'blobs', 'staged_journal', 'staged_blobs')",
    );
    for (const { name } of tables.toArray()) this.#tables.add(name);
  }

  has(table: ObjectTable): boolean {
    return this.#tables.has(table);
  }

  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  /** Rows that others wrote on behalf of the execution: each alarm that is set is one, and so is each that is copied. */
  count(rows: number): void {
    this.#rowsWritten += rows;
  }

  read(from: number, rows = ALL_ROWS): readonly JournalRow[] {
    if (!this.#tables.has("journal")) return [];
    // Cursors must be read before the next await, and callers may take their time.
    return this.#storage.sql
      .exec<{ seq: number; entries: string }>(
        "SELECT seq, entries FROM journal WHERE seq >= (SELECT max(seq) FROM journal WHERE seq <= ?) ORDER BY seq LIMIT ?",
        from,
        rows,
      )
      .toArray();
  }

  write(commit: JournalCommit): void {
    const { rows, blobs } = commit;
    // A statement that fails undoes itself alone, and what the turn wrote before would stand. One needs no transaction.
    if (rows.length === 1 && blobs.size === 0 && this.#tables.has("journal")) this.#writeAll(commit);
    else this.#storage.transactionSync(() => this.#writeAll(commit));
    if (rows.length > 0) this.#tables.add("journal");
    if (blobs.size > 0) this.#tables.add("blobs");
  }

  #writeAll({ rows, blobs }: JournalCommit): void {
    if (rows.length > 0) this.#create("journal", JOURNAL_COLUMNS);
    for (const { seq, entries } of rows) {
      this.#execute("INSERT INTO journal (seq, entries) VALUES (?, ?)", seq, entries);
    }
    if (blobs.size > 0) this.#create("blobs", BLOBS_COLUMNS);
    for (const [id, text] of blobs) this.#writeBlob(id, text);
  }

  readBlob(id: number): string | undefined {
    if (!this.#tables.has("blobs")) return undefined;
    const parts = this.#storage.sql
      .exec<{ data: ArrayBuffer }>("SELECT data FROM blobs WHERE id = ? ORDER BY part", id)
      .toArray();
    return parts.length === 0 ? undefined : joinBlob(parts.map(({ data }) => data));
  }

  readBlobParts({ id, part }: Pick<BlobPart, "id" | "part">, cut: number): readonly BlobPart[] {
    if (!this.#tables.has("blobs")) return [];
    return this.#storage.sql
      .exec<{ id: number; part: number; data: ArrayBuffer }>(
        "SELECT id, part, data FROM blobs WHERE (id, part) >= (?, ?) AND id < ? ORDER BY id, part LIMIT ?",
        id,
        part,
        cut,
        LIMITS.copyPageParts,
      )
      .toArray();
  }

  #writeBlob(id: number, text: string): void {
    for (const [part, data] of splitBlob(text).entries()) {
      this.#execute("INSERT INTO blobs (id, part, data) VALUES (?, ?, ?)", id, part, data);
    }
  }

  async deleteAll(): Promise<void> {
    this.#tables.clear();
    await this.#storage.deleteAll();
  }

  #create(table: "journal" | "blobs", columns: string): void {
    if (!this.#tables.has(table)) this.#execute(`CREATE TABLE ${table} ${columns}`);
  }

  #execute(statement: string, ...bindings: readonly SqlStorageValue[]): void {
    this.#rowsWritten += this.#storage.sql.exec(statement, ...bindings).rowsWritten;
  }
}
