import { ask } from "./ask.ts";
import { nameOf } from "./identifiers.ts";
import { pollOutcome } from "./poll-outcome.ts";
import type { Ref, Transport } from "./transport.ts";
import type { ExecutionSummary, JournalEntry, JournalOptions, ListFilter } from "./types.ts";

/** As long as the interface lets pages be. */
const ENTRIES = 1_000;
const EXECUTIONS = 100;

/** Between two looks for new entries: doubled while there are none. */
const FIRST_LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 8_000;

/** The entries of a journal; following, until nothing can come after them. */
export async function* readJournal(
  transport: Transport,
  ref: Ref,
  { from = 0, follow = false, signal }: JournalOptions,
): AsyncGenerator<JournalEntry, void, undefined> {
  let next = from;
  let hasEnded = !follow;
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
    const page = await ask(transport, "journal", { ...ref, query: { from: next, limit: ENTRIES }, signal });
    for (const entry of page.entries) {
      next = entry.entry + 1;
      lookMs = FIRST_LOOK_MS;
      yield entry;
    }
    if (page.next !== null) continue;
    if (hasEnded) return;
    // Known before the next page is read: what the end has journaled is then in it.
    hasEnded = (await pollOutcome(transport, { ...ref, until: Date.now() + lookMs, signal })) !== undefined;
  }
}

/** The executions that a filter finds. */
export async function* readList(
  transport: Transport,
  { workflow, attributes = {}, signal, ...rest }: ListFilter,
): AsyncGenerator<ExecutionSummary, void, undefined> {
  const filter = {
    ...rest,
    workflow: workflow && nameOf(workflow),
    limit: EXECUTIONS,
    ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`attribute.${name}`, value])),
  };
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await ask(transport, "executions", { query: { ...filter, cursor }, signal });
    yield* page.executions;
    cursor = page.next;
  }
}
