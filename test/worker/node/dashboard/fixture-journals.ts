import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entryDocument, showValueIn } from "../../../../src/execution/entry-document.ts";
import type { Entry } from "../../../../src/journal/entry.ts";
import type { ShownEntry } from "../../../../src/worker/dashboard/model/history.ts";
import type { Fixture, Kept } from "../../../fixtures/record.ts";

const FOLDER = join(import.meta.dirname, "../../../fixtures/format-1");

export interface FixtureJournal {
  readonly name: string;
  readonly entries: readonly ShownEntry[];
}

/** The entries of an execution as the HTTP interface shows them. */
export function shownEntries(entries: readonly Entry[]): readonly ShownEntry[] {
  const form = { journalPath: "/v1/journal", show: (flat: unknown) => showValueIn("json", flat) };
  // The cast: documents have the fields of their entries.
  return entries.map((entry, number) => entryDocument({ entry: number, ...entry }, form)) as ShownEntry[];
}

function journalOf({ rows, workflow, id }: Kept, situation: string): FixtureJournal {
  // The cast: it was written as an array of entries.
  const entries = rows.flatMap((row) => JSON.parse(row.entries) as readonly Entry[]);
  return { name: `${situation}: ${workflow}/${id}`, entries: shownEntries(entries) };
}

/** Every execution of every fixture. */
export const FIXTURE_JOURNALS: readonly FixtureJournal[] = readdirSync(FOLDER).flatMap((file) => {
  // The cast: it was written as one.
  const fixture = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Fixture;
  return fixture.executions.map((kept) => journalOf(kept, fixture.situation));
});

/** The one of a situation, or the first of several. */
export function fixtureJournal(situation: string): FixtureJournal {
  const found = FIXTURE_JOURNALS.find(({ name }) => name.startsWith(`${situation}: `));
  if (found === undefined) throw new Error(`There is no fixture ${situation}.`);
  return found;
}
