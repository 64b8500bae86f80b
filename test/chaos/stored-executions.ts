import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { JournalRow } from "../../src/execution/ports.ts";
import type { Entry } from "../../src/journal/entry.ts";
import type { Stored } from "./stored.ts";

const NANOSECONDS_A_MS = 1_000_000n;
/** Where SQLite of workerd keeps an object's alarm, in nanoseconds (seen in workerd 1.20261117). */
const ALARM = "SELECT value FROM _cf_METADATA WHERE key = 1";
const EXECUTIONS = /^[0-9a-f]{64}\.sqlite$/;

/** A file that was written so shortly before it was read may have been written again within one tick of its clock. */
const SETTLES_WITHIN_MS = 1_000;

interface Known {
  /** `undefined` where the file may have changed since without a trace. */
  readonly stamp: string | undefined;
  /** `undefined` where nothing of it became durable. */
  readonly stored: Stored | undefined;
}

/**
 * Reads the objects of a Worker from the folder in which wrangler keeps them, without a request: whoever asks an
 * execution also wakes and heals it. It reads copies, as whoever opens a database after a kill recovers it, and that is
 * for workerd to do. What has not changed is not read again: the services of the run share its process, and wait.
 */
export class StoredExecutions {
  readonly #folder: string;
  readonly #copies: string;
  readonly #known = new Map<string, Known>();

  /** `persistTo` is what wrangler was given, `name` that of the Worker. */
  constructor(persistTo: string, name: string) {
    this.#folder = join(persistTo, "v3/do", `${name}-Execution`);
    this.#copies = join(persistTo, "copies");
    mkdirSync(this.#copies, { recursive: true });
  }

  /** Every execution by `workflow/id`, when nothing writes to it. */
  read(): ReadonlyMap<string, Stored> {
    return this.#all((file) => this.#readChanged(file));
  }

  /** The same while the Worker runs: a copy that was made in the middle of a write shows what was seen before. */
  look(): ReadonlyMap<string, Stored> {
    return this.#all((file) => {
      try {
        return this.#readChanged(file);
      } catch {
        // Half of a write. The next look sees it, and what counts is read when nothing writes any more.
        return this.#known.get(file)?.stored;
      }
    });
  }

  #all(read: (file: string) => Stored | undefined): ReadonlyMap<string, Stored> {
    const files = existsSync(this.#folder) ? readdirSync(this.#folder).filter((file) => EXECUTIONS.test(file)) : [];
    const found = files.map(read).filter((stored) => stored !== undefined);
    return new Map(found.map((stored) => [nameOf(stored), stored]));
  }

  #readChanged(file: string): Stored | undefined {
    const known = this.#known.get(file);
    const stamp = this.#stampOf(file);
    if (known !== undefined && stamp !== undefined && known.stamp === stamp) return known.stored;
    const stored = this.#readCopy(file);
    this.#known.set(file, { stamp, stored });
    return stored;
  }

  /** Tells one state of the database on disk from every other; `undefined` where that is too fresh to say. */
  #stampOf(file: string): string | undefined {
    const stats = ["", "-wal"].map((suffix) => statSync(join(this.#folder, file + suffix), { throwIfNoEntry: false }));
    const freshest = Math.max(...stats.map((stat) => stat?.mtimeMs ?? 0));
    if (freshest > Date.now() - SETTLES_WITHIN_MS) return undefined;
    return stats.map((stat) => `${stat?.mtimeMs} ${stat?.size}`).join();
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
