import { DatabaseSync, type StatementSync } from "node:sqlite";

/** Statements that read. All others of the directory write. */
const READS = /^\s*SELECT/;
const INSERTS_EXECUTION = /^\s*INSERT OR REPLACE INTO executions/;
const MOVES_STATE = /^\s*UPDATE executions SET .*\bstate = \?/;

/**
 * The storage of an object over SQLite in Node, as far as the directory uses it. What a statement is billed for is what
 * `test/durable-object/directory-rows.test.ts` counts in workerd: an insert writes each index, a new state one of them.
 */
export class NodeStorage {
  readonly #database = new DatabaseSync(":memory:");
  readonly #statements = new Map<string, StatementSync>();
  readonly #onAlarm: (at: number) => void;
  #alarm: number | null = null;

  /** `onAlarm` hears of its one alarm. */
  constructor(onAlarm: (at: number) => void) {
    this.#onAlarm = onAlarm;
    // Nothing fails here, so nothing is ever undone.
    this.#database.exec("PRAGMA journal_mode = OFF");
  }

  /** As the platform types it: the directory uses nothing else of it. */
  get asStorage(): DurableObjectStorage {
    return this as unknown as DurableObjectStorage;
  }

  readonly sql = {
    exec: (text: string, ...bindings: readonly (string | number | null)[]) => this.#exec(text, bindings),
  };

  transactionSync(act: () => void): void {
    act();
  }

  async getAlarm(): Promise<number | null> {
    return this.#alarm;
  }

  async setAlarm(at: number): Promise<void> {
    this.#alarm = at;
    this.#onAlarm(at);
  }

  rang(): void {
    this.#alarm = null;
  }

  bytes(): number {
    const [pages, size] = ["page_count", "page_size"].map(
      (name) => this.#database.prepare(`PRAGMA ${name}`).get()?.[name],
    );
    return Number(pages) * Number(size);
  }

  close(): void {
    this.#database.close();
  }

  #exec(text: string, bindings: readonly (string | number | null)[]) {
    if (!READS.test(text)) return { rowsWritten: this.#write(text, bindings), toArray: () => [] };
    return {
      rowsWritten: 0,
      toArray: () => this.#prepared(text).all(...bindings),
      // Lists read several at once: each needs a statement of its own.
      [Symbol.iterator]: () => this.#database.prepare(text).iterate(...bindings),
    };
  }

  #write(text: string, bindings: readonly (string | number | null)[]): number {
    const { changes } = this.#prepared(text).run(...bindings);
    if (INSERTS_EXECUTION.test(text)) return 3 * Number(changes);
    return (MOVES_STATE.test(text) ? 2 : 1) * Number(changes);
  }

  #prepared(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}
