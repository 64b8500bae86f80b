import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { JournalRow } from "../../src/execution/ports.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { hasEnded, type Stored } from "./stored.ts";

/** Whoever opens a database after a kill recovers it first, and locks it for that. */
const LOCKED_MS = 5_000;
const NANOSECONDS_A_MS = 1_000_000n;
/** Where SQLite of workerd keeps an object's alarm, in nanoseconds (seen in workerd 1.20261117). */
const ALARM = "SELECT value FROM _cf_METADATA WHERE key = 1";
const EXECUTIONS = /^[0-9a-f]{64}\.sqlite$/;

/**
 * Reads the objects of a Worker from the folder in which wrangler keeps them, without a request: whoever asks an
 * execution also wakes and heals it.
 */
export class StoredExecutions {
  readonly #folder: string;
  readonly #ended = new Map<string, Stored>();

  /** `persistTo` is what wrangler was given, `name` that of the Worker. */
  constructor(persistTo: string, name: string) {
    this.#folder = join(persistTo, "v3/do", `${name}-Execution`);
  }

  /** By `workflow/id`. What has ended is read once. */
  read(): ReadonlyMap<string, Stored> {
    const stored = new Map<string, Stored>();
    const files = existsSync(this.#folder) ? readdirSync(this.#folder).filter((file) => EXECUTIONS.test(file)) : [];
    for (const file of files) {
      const one = this.#ended.get(file) ?? readStored(join(this.#folder, file));
      const [first] = one?.entries ?? [];
      if (one === undefined || first?.type !== "started") continue;
      if (hasEnded(one)) this.#ended.set(file, one);
      stored.set(`${first.workflow}/${first.id}`, one);
    }
    return stored;
  }
}

/** `undefined` where nothing of it became durable. */
function readStored(file: string): Stored | undefined {
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCKED_MS });
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
