import type { Attributes } from "../journal/attributes.ts";
import { shardPlace, type ListKey, type StateCount } from "../journal/list.ts";
import { isNews, type Incarnation, type Report } from "../journal/report.ts";
import type { ExecutionState } from "../journal/execution-state.ts";

/** `WITHOUT ROWID` and two indexes: an execution that comes costs three rows, one whose state changes two. */
const TABLES = [
  `CREATE TABLE executions (
    id TEXT NOT NULL, workflow TEXT NOT NULL, state TEXT NOT NULL, startedAt INTEGER NOT NULL,
    createdAt INTEGER NOT NULL, sequence INTEGER NOT NULL, toldAt INTEGER NOT NULL, purgeAt INTEGER,
    place INTEGER NOT NULL, summary TEXT NOT NULL, PRIMARY KEY (id, workflow)) WITHOUT ROWID`,
  "CREATE INDEX executions_by_start ON executions (startedAt, workflow, id)",
  "CREATE INDEX executions_by_state ON executions (workflow, state, startedAt, id)",
  `CREATE TABLE attributes (
    name TEXT NOT NULL, value TEXT NOT NULL, startedAt INTEGER NOT NULL, workflow TEXT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY (name, value, startedAt, workflow, id)) WITHOUT ROWID`,
];

/** What is shown of an execution and not looked for, as JSON: a text column spoils lone surrogates. */
export type StoredSummary = Pick<Report, "version" | "endedAt" | "code" | "attributes">;

/** One report among those of all executions. */
export type Known = Pick<Report, "id" | "workflow" | "createdAt" | "sequence">;

type KnownRow = {
  readonly state: ExecutionState;
  readonly startedAt: number;
  readonly createdAt: number;
  readonly sequence: number;
  readonly summary: string;
};

/** The columns of one shard of the directory, and what is written to them. */
export class DirectoryTable {
  readonly #storage: DurableObjectStorage;
  readonly #now: () => number;
  /** What was removed in the life of this object, so that a late report does not bring it back. */
  readonly #removed = new Map<string, number>();
  #hasTables: boolean;
  #counts: Map<string, StateCount> | undefined;
  rowsWritten = 0;

  constructor(storage: DurableObjectStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    this.#hasTables = this.#read("SELECT 1 FROM sqlite_master WHERE name = 'executions'").length > 0;
  }

  /** Nothing was ever told: a look stores nothing. */
  get isEmpty(): boolean {
    return !this.#hasTables;
  }

  get hasRows(): boolean {
    return !this.isEmpty && this.#read("SELECT 1 FROM executions LIMIT 1").length > 0;
  }

  /** Takes a report, unless it says nothing new. */
  put(report: Report): void {
    const { id, workflow, purgeAt, createdAt } = report;
    const isGone = (purgeAt ?? Infinity) <= this.#now() || createdAt <= (this.#removed.get(`${workflow}/${id}`) ?? -1);
    const known = this.#known(report);
    if (isGone || !isNews(report, known)) return;
    this.#storage.transactionSync(() => {
      this.#createTables();
      if (known === undefined || known.createdAt !== createdAt) this.#replace(report);
      else this.#update(report, known);
      this.#moveAttributes(report, known);
    });
    if (known?.state !== report.state) {
      this.#count({ workflow, state: report.state, count: 1 });
      if (known !== undefined) this.#count({ workflow, state: known.state, count: -1 });
    }
  }

  /** Nothing has changed since the report of this sequence, as its execution says. */
  confirm({ id, workflow, createdAt, sequence }: Known): void {
    this.#write(
      "UPDATE executions SET toldAt = ? WHERE id = ? AND workflow = ? AND createdAt = ? AND sequence = ?",
      this.#now(),
      id,
      workflow,
      createdAt,
      sequence,
    );
  }

  remove(execution: Incarnation): void {
    const { id, workflow, createdAt } = execution;
    this.#remember(`${workflow}/${id}`, createdAt);
    const known = this.#known({ id, workflow });
    if (known !== undefined && known.createdAt <= createdAt) this.#delete(execution, known);
  }

  /** It is not here, if nothing newer has come meanwhile. */
  drop(execution: Known): void {
    const known = this.#known(execution);
    if (known !== undefined && !isNews(known, execution)) this.#delete(execution, known);
  }

  #delete({ id, workflow }: Pick<Report, "id" | "workflow">, known: KnownRow): void {
    this.#storage.transactionSync(() => {
      this.#write("DELETE FROM executions WHERE id = ? AND workflow = ?", id, workflow);
      this.#dropAttributes({ id, workflow, startedAt: known.startedAt }, attributesOf(known));
    });
    this.#count({ workflow, state: known.state, count: -1 });
  }

  /** By workflow and state. Counted once in a life of the object, and kept from then on: each count reads every row. */
  counts(): readonly StateCount[] {
    if (this.isEmpty) return [];
    if (this.#counts === undefined) {
      // The cast: this class alone writes the column.
      const rows = this.#read("SELECT workflow, state, count(*) AS count FROM executions GROUP BY workflow, state");
      this.#counts = new Map((rows as unknown as StateCount[]).map((one) => [keyOfCount(one), one]));
    }
    return [...this.#counts.values()].filter(({ count }) => count > 0);
  }

  #count(change: StateCount): void {
    if (this.#counts === undefined) return;
    const key = keyOfCount(change);
    this.#counts.set(key, { ...change, count: change.count + (this.#counts.get(key)?.count ?? 0) });
  }

  #known({ id, workflow }: Pick<Report, "id" | "workflow">): KnownRow | undefined {
    if (this.isEmpty) return undefined;
    const columns = "state, startedAt, createdAt, sequence, summary";
    const rows = this.#read(`SELECT ${columns} FROM executions WHERE id = ? AND workflow = ?`, id, workflow);
    // The cast: this class alone writes them.
    return rows[0] as unknown as KnownRow | undefined;
  }

  #replace(report: Report): void {
    const { id, workflow, state, startedAt, createdAt, sequence, purgeAt = null } = report;
    this.#write(
      `INSERT OR REPLACE INTO executions
        (id, workflow, state, startedAt, createdAt, sequence, toldAt, purgeAt, place, summary)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      workflow,
      state,
      startedAt,
      createdAt,
      sequence,
      this.#now(),
      purgeAt,
      shardPlace(report),
      summaryText(report),
    );
  }

  /** The state is left out where it stays: naming it rewrites its index. */
  #update(report: Report, known: KnownRow): void {
    const { id, workflow, state, sequence, purgeAt = null } = report;
    const isMoved = known.state !== state;
    this.#write(
      `UPDATE executions SET sequence = ?, toldAt = ?, purgeAt = ?, summary = ?${isMoved ? ", state = ?" : ""}
        WHERE id = ? AND workflow = ?`,
      sequence,
      this.#now(),
      purgeAt,
      summaryText(report),
      ...(isMoved ? [state] : []),
      id,
      workflow,
    );
  }

  #moveAttributes(report: Report, known: KnownRow | undefined): void {
    const isMoved = known !== undefined && known.startedAt !== report.startedAt;
    const before = known === undefined ? {} : attributesOf(known);
    const after = report.attributes;
    const changed = (from: Attributes, to: Attributes) =>
      Object.fromEntries(Object.entries(from).filter(([name, value]) => isMoved || to[name] !== value));
    if (known !== undefined) {
      this.#dropAttributes({ ...report, startedAt: known.startedAt }, changed(before, after));
    }
    for (const [name, value] of Object.entries(changed(after, before))) {
      this.#write("INSERT OR REPLACE INTO attributes VALUES (?, ?, ?, ?, ?)", ...attributeKey(report, name, value));
    }
  }

  #dropAttributes(key: ListKey, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      this.#write(
        "DELETE FROM attributes WHERE name = ? AND value = ? AND startedAt = ? AND workflow = ? AND id = ?",
        ...attributeKey(key, name, value),
      );
    }
  }

  #remember(name: string, createdAt: number): void {
    this.#removed.delete(name);
    this.#removed.set(name, createdAt);
    const [oldest] = this.#removed.keys();
    if (this.#removed.size > REMOVED_KEPT && oldest !== undefined) this.#removed.delete(oldest);
  }

  #createTables(): void {
    if (this.#hasTables) return;
    for (const statement of TABLES) this.#write(statement);
    this.#hasTables = true;
  }

  #read(statement: string, ...bindings: readonly SqlStorageValue[]): Record<string, SqlStorageValue>[] {
    return this.#storage.sql.exec(statement, ...bindings).toArray();
  }

  #write(statement: string, ...bindings: readonly SqlStorageValue[]): void {
    this.rowsWritten += this.#storage.sql.exec(statement, ...bindings).rowsWritten;
  }
}

/** Reports are late by seconds, not by thousands of removals. */
const REMOVED_KEPT = 10_000;

/** Attributes are looked for as texts, in JSON for the same reason as summaries. */
export function attributeText(value: string | number | boolean): string {
  return JSON.stringify(String(value));
}

export function attributesOf({ summary }: { readonly summary: string }): Attributes {
  return readSummary(summary).attributes;
}

export function readSummary(summary: string): StoredSummary {
  // The cast: `summaryText` wrote it.
  return JSON.parse(summary) as StoredSummary;
}

function summaryText({ version, endedAt, code, attributes }: Report): string {
  return JSON.stringify({ version, endedAt, code, attributes } satisfies Record<keyof StoredSummary, unknown>);
}

function attributeKey({ startedAt, workflow, id }: ListKey, name: string, value: Attributes[string]) {
  return [name, attributeText(value), startedAt, workflow, id];
}

function keyOfCount({ workflow, state }: StateCount): string {
  return `${workflow}/${state}`;
}
