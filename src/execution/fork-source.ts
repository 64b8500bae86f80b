import { decideCut } from "../journal/fork.ts";
import type { Entry } from "../journal/entry.ts";
import { LIMITS } from "../limits.ts";
import type { Journal } from "./journal.ts";
import type { JournalRow, JournalStorage } from "./ports.ts";
import type { Refused } from "./wire.ts";
import type { CopyPage, CopyRequest, CutAnswer, CutRequest } from "./wire-fork.ts";

/** Where the journal is cut for a fork. Everything that was appended must have been committed. */
export function cutJournal(journal: Journal, { before }: CutRequest): CutAnswer | Refused {
  const cut = decideCut(journal.state, entriesOf(journal), before);
  if (cut.kind === "refused") return cut;
  return { ...cut, startedAt: journal.state.started?.at ?? 0 };
}

function* entriesOf(journal: Journal): Iterable<Entry> {
  for (const { entry } of journal.entries(0)) yield entry;
}

/** A page of what a fork copies: rows up to the cut, the last one perhaps in part, and after them the large values. */
export function copyPage(storage: JournalStorage, { place, cut }: CopyRequest): CopyPage {
  if (place.kind === "row") return pageOfRows([...storage.read(place.seq)], cut);
  const parts = storage.readBlobParts(place, cut);
  const last = parts.at(-1);
  const next = last === undefined ? null : ({ kind: "blob", id: last.id, part: last.part + 1 } as const);
  return { kind: "page", rows: [], parts, next };
}

function pageOfRows(stored: readonly JournalRow[], cut: number): CopyPage {
  const rows: JournalRow[] = [];
  let length = 0;
  for (const [index, row] of stored.entries()) {
    if (row.seq >= cut) break;
    if (rows.length > 0 && length + row.entries.length > LIMITS.copyPageLength) {
      return { kind: "page", rows, parts: [], next: { kind: "row", seq: row.seq } };
    }
    const isLast = (stored[index + 1]?.seq ?? cut) >= cut;
    rows.push(isLast ? firstOf(row, cut) : row);
    length += row.entries.length;
  }
  return { kind: "page", rows, parts: [], next: { kind: "blob", id: 0, part: 0 } };
}

/** The entries of a row that come before the cut. */
function firstOf({ seq, entries }: JournalRow, cut: number): JournalRow {
  const all = JSON.parse(entries) as readonly Entry[];
  if (seq + all.length <= cut) return { seq, entries };
  return { seq, entries: JSON.stringify(all.slice(0, cut - seq)) };
}
