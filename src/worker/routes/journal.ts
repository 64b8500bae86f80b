import { addressInPath, granted } from "../addressed.ts";
import { readJournal } from "../execution-requests.ts";
import { ask } from "../execution-stub.ts";
import { entryDocuments } from "../journal-document.ts";
import { Problem } from "../problem.ts";
import { ENTRY_NUMBER, parseRequest, queryOf } from "../requests.ts";
import { executionPath } from "../view-document.ts";
import type { Answer, Visit } from "../visit.ts";

/** `GET …/{id}/journal?from&limit` */
export async function journalPage(visit: Visit): Promise<Answer> {
  const address = addressInPath(visit);
  const page = await readJournal(address, queryOf(visit.request.url));
  const journalPath = `${executionPath(visit.prefix, address.workflow, address.id)}/journal`;
  const document = { entries: entryDocuments(page.entries, journalPath, visit), next: page.next };
  return { kind: "document", status: 200, document };
}

/** `GET …/{id}/journal/{entry}/value`: a value that is too large for its entry, by itself. */
export async function journalValue(visit: Visit): Promise<Answer> {
  const address = addressInPath(visit);
  const entry = parseRequest(ENTRY_NUMBER, visit.parameter("entry"));
  const { value } = granted(await ask(address, (port) => port.value(entry)));
  if (value === undefined)
    throw new Problem("NOT_FOUND", "No large value belongs to this entry; the journal's page has its value");
  return { kind: "document", status: 200, document: visit.show(JSON.parse(value)) };
}
