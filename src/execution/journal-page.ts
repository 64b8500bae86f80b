import { LIMITS } from "../limits.ts";
import type { Journal } from "./journal.ts";
import type { JournalPage, PageRequest } from "./wire.ts";

/** Entries of a journal, from one on: as many as were asked for, or fewer where they are long. */
export function journalPage(journal: Journal, { from, limit }: PageRequest): JournalPage {
  const page: string[] = [];
  let length = 0;
  let next: number | null = null;
  for (const { number, entry } of journal.entries(from)) {
    if (page.length === limit || length >= LIMITS.journalPageLength) {
      next = number;
      break;
    }
    const text = JSON.stringify({ entry: number, ...entry });
    page.push(text);
    length += text.length;
  }
  return { kind: "page", entries: `[${page.join(",")}]`, next };
}
