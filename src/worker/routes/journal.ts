import { addressInPath, granted } from "../addressed.ts";
import { readJournal } from "../execution-requests.ts";
import { ask } from "../execution-stub.ts";
import { entryDocuments } from "../journal-document.ts";
import { Problem } from "../problem.ts";
import { ENTRY_NUMBER, JOURNAL_QUERY, parseRequest, queryOf } from "../requests.ts";
import { executionPath } from "../view-document.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

export const JOURNAL: Endpoint = {
  route: journalPage,
  describe: () => ({
    id: "readJournal",
    summary: "A page of the journal",
    description:
      "A value over 64 KiB stands as `{ $value, length }`, where `$value` is the path that answers with it. `next` is " +
      "the number of the first entry after the page, null at the end; a page of long entries has fewer than `limit`.",
    query: JOURNAL_QUERY(),
    answers: { 200: { description: "Entries in their order", schema: "JournalPage" } },
    problems: [],
  }),
};

export const JOURNAL_VALUE: Endpoint = {
  route: journalValue,
  describe: () => ({
    id: "readValue",
    summary: "A value that is too large for its entry",
    answers: { 200: { description: "The value by itself", schema: "Value" } },
    problems: [],
  }),
};

/** `GET …/{id}/journal?from&limit` */
async function journalPage(visit: Visit): Promise<Answer> {
  const address = addressInPath(visit);
  const page = await readJournal(address, queryOf(visit.request.url));
  const journalPath = `${executionPath(visit.prefix, address.workflow, address.id)}/journal`;
  const document = { entries: entryDocuments(page.entries, journalPath, visit), next: page.next };
  return { kind: "document", status: 200, document };
}

/** `GET …/{id}/journal/{entry}/value`: a value that is too large for its entry, by itself. */
async function journalValue(visit: Visit): Promise<Answer> {
  const address = addressInPath(visit);
  const entry = parseRequest(ENTRY_NUMBER(), visit.parameter("entry"));
  const { value } = granted(await ask(address, (port) => port.value(entry)));
  if (value === undefined)
    throw new Problem("NOT_FOUND", "No large value belongs to this entry; the journal's page has its value");
  return { kind: "document", status: 200, document: visit.show(JSON.parse(value)) };
}
