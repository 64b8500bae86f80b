import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { JournalRow } from "../../src/execution/ports.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { isOver } from "./alarms.ts";
import { hasEnded, type Stored } from "./stored.ts";

const NANOSECONDS_A_MS = 1_000_000n;
/** Where SQLite of workerd keeps an object's alarm, in nanoseconds (seen in workerd 1.20261117). */
const ALARM = "SELECT value FROM _cf_METADATA WHERE key = 1";
const EXECUTIONS = /^[0-9a-f]{64}\.sqlite$/;

/**
 * Reads the objects of a Worker from the folder in which wrangler keeps them, without a request: whoever asks an
 * execution also wakes and heals it. It reads copies, as whoever opens a database after a kill recovers it, and that is
 * for workerd to do.
 */
export class StoredExecutions {
  readonly #folder: string;
  readonly #copies: string;
  /** By file: what nothing is added to any more, and what a look has seen of the others. */
  readonly #over = new Map<string, Stored>();
  readonly #seen = new Map<string, Stored>();

  /** `persistTo` is what wrangler was given, `name` that of the Worker. */
  constructor(persistTo: string, name: string) {
    this.#folder = join(persistTo, "v3/do", `${name}-Execution`);
    this.#copies = join(persistTo, "copies");
    mkdirSync(this.#copies, { recursive: true });
  }

  /** Every execution by `workflow/id`, when nothing writes to it. */
  read(): ReadonlyMap<string, Stored> {
    const found = new Map<string, Stored>();
    for (const file of this.#files()) {
      const stored = this.#over.get(file) ?? this.#readCopy(file);
      if (stored === undefined) continue;
      if (isOver(stored)) this.#over.set(file, stored);
      found.set(nameOf(stored), stored);
    }
    return found;
  }

  /** The same while the Worker runs: a copy that was made in the middle of a write shows what was seen before. */
  look(): ReadonlyMap<string, Stored> {
    const found = new Map<string, Stored>();
    for (const file of this.#files()) {
      const known = this.#over.get(file) ?? this.#seen.get(file);
      const stored = known !== undefined && hasEnded(known) ? known : (this.#tryCopy(file) ?? known);
      if (stored === undefined) continue;
      this.#seen.set(file, stored);
      found.set(nameOf(stored), stored);
    }
    return found;
  }

  #files(): readonly string[] {
    return existsSync(this.#folder) ? readdirSync(this.#folder).filter((file) => EXECUTIONS.test(file)) : [];
  }

  #tryCopy(file: string): Stored | undefined {
    try {
      return this.#readCopy(file);
    } catch {
      // Half of a write. The next look sees it, and what counts is read when nothing writes any more.
      return undefined;
    }
  }

  #readCopy(file: string): Stored | undefined {
    const copy = join(this.#copies, "copy.sqlite");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
    copyFileSync(join(this.#folder, file), copy);
    const log = join(this.#folder, `${file}-wal`);
    if (existsSync(log)) copyFileSync(log, `${copy}-wal`);
    return readStored(copy);
  }
}

function nameOf({ entries }: Stored): string {
  const [first] = entries;
  if (first?.type !== "started") throw new Error("A journal begins with its start.");
  return `${first.workflow}/${first.id}`;
}

/** `undefined` where nothing of it became durable. */
function readStored(file: string): Stored | undefined {
  const database = new DatabaseSync(file);
  try {
    const has = database.prepare("SELECT name FROM sqlite_master WHERE name = 'journal'").all().length > 0;
    if (!has) return undefined;
    // The cast: the columns of the engine's own table.
    const rows = database.prepare("SELECT seq, entries FROM journal ORDER BY seq").all() as unknown as JournalRow[];
    const entries = rows.flatMap((row) => JSON.parse(row.entries) as Entry[]);
    const alarm = database.prepare(ALARM);
    alarm.setReadBigInts(true);
    const value = alarm.get()?.["value"];
    return { rows, entries, alarmAt: typeof value === "bigint" ? Number(value / NANOSECONDS_A_MS) : undefined };
  } finally {
    database.close();
  }
}
