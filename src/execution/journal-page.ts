import type { Journal } from "./journal.ts";
import type { JournalPage, PageRequest } from "./wire.ts";

/** Entries of a journal, from one on. */
export function journalPage(journal: Journal, { from, limit }: PageRequest): JournalPage {
  const page: string[] = [];
  let next: number | null = null;
  for (const { number, entry } of journal.entries(from)) {
    if (page.length === limit) {
      next = number;
      break;
    }
    page.push(JSON.stringify({ entry: number, ...entry }));
  }
  return { kind: "page", entries: `[${page.join(",")}]`, next };
}
