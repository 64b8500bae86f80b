import type { JournalRow, JournalStorage } from "../execution/ports.ts";
import { LIMITS } from "../limits.ts";

/**
 * A journal in the SQLite storage of its object. Its tables are created when they are first written to: a look at an
 * unknown id must store nothing. `INTEGER PRIMARY KEY` and `WITHOUT ROWID` cost one row written for each insert.
 */
export class SqliteJournal implements JournalStorage {
  readonly #storage: DurableObjectStorage;
  readonly #tables: Set<string>;
  #rowsWritten = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#tables = new Set(
      storage.sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('journal', 'blobs')")
        .toArray()
        .map(({ name }) => name),
    );
  }

  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  /** Rows that others wrote on behalf of the execution: each alarm that is set is one. */
  count(rows: number): void {
    this.#rowsWritten += rows;
  }

  read(from: number): Iterable<JournalRow> {
    if (!this.#tables.has("journal")) return [];
    // Cursors must be read before the next await, and callers may take their time.
    return this.#storage.sql
      .exec<{ seq: number; entries: string }>(
        "SELECT seq, entries FROM journal WHERE seq >= (SELECT max(seq) FROM journal WHERE seq <= ?) ORDER BY seq",
        from,
      )
      .toArray();
  }

  append(row: JournalRow): void {
    this.#create("journal", "CREATE TABLE journal (seq INTEGER PRIMARY KEY, entries TEXT NOT NULL)");
    this.#write("INSERT INTO journal (seq, entries) VALUES (?, ?)", row.seq, row.entries);
  }

  readBlob(id: number): string | undefined {
    if (!this.#tables.has("blobs")) return undefined;
    const parts = this.#storage.sql
      .exec<{ data: ArrayBuffer }>("SELECT data FROM blobs WHERE id = ? ORDER BY part", id)
      .toArray();
    if (parts.length === 0) return undefined;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return parts.map(({ data }) => decoder.decode(data, { stream: true })).join("") + decoder.decode();
  }

  writeBlob(id: number, text: string): void {
    this.#create(
      "blobs",
      "CREATE TABLE blobs (id INTEGER, part INTEGER, data BLOB NOT NULL, PRIMARY KEY (id, part)) WITHOUT ROWID",
    );
    const bytes = new TextEncoder().encode(text);
    for (let from = 0, part = 0; from < bytes.length; from += LIMITS.blobPartBytes, part += 1) {
      const data = bytes.slice(from, from + LIMITS.blobPartBytes).buffer;
      this.#write("INSERT INTO blobs (id, part, data) VALUES (?, ?, ?)", id, part, data);
    }
  }

  async deleteAll(): Promise<void> {
    this.#tables.clear();
    await this.#storage.deleteAll();
  }

  #create(table: "journal" | "blobs", statement: string): void {
    if (this.#tables.has(table)) return;
    this.#write(statement);
    this.#tables.add(table);
  }

  #write(statement: string, ...bindings: readonly SqlStorageValue[]): void {
    this.#rowsWritten += this.#storage.sql.exec(statement, ...bindings).rowsWritten;
  }
}
