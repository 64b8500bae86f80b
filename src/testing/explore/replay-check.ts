import type { JournalRow } from "../../execution/ports.ts";
import type { Encoded, Ended, Entry } from "../../journal/entry.ts";
import type { MemoryObject } from "../memory-object.ts";
import { MemoryStorage } from "../memory-storage.ts";
import { StoredJournal } from "../stored-journal.ts";
import { failureOf } from "../test-failure.ts";
import { Engine } from "../test-engine.ts";
import type { TestEngineOptions } from "../test-options.ts";
import type { Violation } from "./violation.ts";

/**
 * Feeds the code of an execution that has ended its journal once more, as after a death just before the end was
 * written: it must come to that very end, whichever races it has decided on the way.
 */
export async function checkReplay(object: MemoryObject, options: TestEngineOptions): Promise<Violation[]> {
  const stored = new StoredJournal(object);
  const end = stored.read()?.state.end;
  if (end === undefined || isWithoutCode(end)) return [];
  const calls: string[] = [];
  const engine = new Engine(
    { ...options, now: end.at, onLog: () => {} },
    { watch: () => ({ started: ({ name }) => void calls.push(name), ended: () => undefined }) },
  );
  const copy = engine.adopt(
    object,
    MemoryStorage.copyOf(withoutEnd(object.rows), (id) => object.readBlob(id), stored.entries().length),
  );
  await copy.service.view();
  await engine.objects.settle();
  const replayed = new StoredJournal(copy);
  const expected = shown(stored, end);
  const found = replayed.read()?.state.end;
  const became = found === undefined ? stateOf(replayed) : shown(replayed, found);
  if (calls.length === 0 && became === expected) return [];
  const message =
    calls.length > 0
      ? `A replay of the whole journal runs ${calls.join(", ")} again.`
      : `A replay of the whole journal does not come to its end.\n  end:    ${expected}\n  replay: ${became}`;
  return [{ kind: "replay", message }];
}

/** No code of the workflow decided on this end. */
function isWithoutCode(end: Ended): boolean {
  return end.type === "cancelled" && end.by !== "workflow";
}

/** All rows, but for the journal's last entry. */
function withoutEnd(rows: readonly JournalRow[]): readonly JournalRow[] {
  const last = rows.at(-1);
  if (last === undefined) return [];
  // The cast: rows are written by the engine alone.
  const kept = (JSON.parse(last.entries) as Entry[]).slice(0, -1);
  const whole = rows.slice(0, -1);
  return kept.length === 0 ? whole : [...whole, { seq: last.seq, entries: JSON.stringify(kept) }];
}

function shown(stored: StoredJournal, end: Ended): string {
  const text = (value: Encoded) => stored.read()?.text(value) ?? "";
  if (end.type === "completed") return `completed ${text(end.value)}`;
  return end.type === "cancelled" ? "cancelled" : `failed ${end.code} ${end.message} ${text(end.details)}`;
}

function stateOf(stored: StoredJournal): string {
  const journal = stored.read();
  const failure = journal && failureOf(journal);
  if (failure === undefined) return "it waits for something that is not in the journal";
  const { code, message, recorded, asked, position } = failure;
  if (position === undefined) return `${code ?? failure.name}: ${message}`;
  return `${code}: at operation ${position} the journal has ${recorded}, the code asked for ${asked}`;
}
