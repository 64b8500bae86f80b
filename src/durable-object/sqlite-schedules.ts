import type { ScheduleStorage } from "../execution/scheduler-service.ts";
import type { ScheduleState } from "../schedules/schedule-state.ts";

/** The states of schedules in the SQLite storage of their object: a row for each. */
export class SqliteSchedules implements ScheduleStorage {
  readonly #storage: DurableObjectStorage;
  #rowsWritten = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Of this life of the object, alarms included. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  count(rows: number): void {
    this.#rowsWritten += rows;
  }

  read(): ReadonlyMap<string, ScheduleState> {
    this.#execute("CREATE TABLE IF NOT EXISTS schedules (name TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID");
    const rows = this.#storage.sql.exec<{ name: string; state: string }>("SELECT name, state FROM schedules").toArray();
    // The cast: rows are written by this class alone.
    return new Map(rows.map(({ name, state }) => [name, JSON.parse(state) as ScheduleState]));
  }

  write(name: string, state: ScheduleState): void {
    this.#execute("INSERT OR REPLACE INTO schedules (name, state) VALUES (?, ?)", name, JSON.stringify(state));
  }

  remove(name: string): void {
    this.#execute("DELETE FROM schedules WHERE name = ?", name);
  }

  #execute(statement: string, ...bindings: readonly SqlStorageValue[]): void {
    this.#rowsWritten += this.#storage.sql.exec(statement, ...bindings).rowsWritten;
  }
}
