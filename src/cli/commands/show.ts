import type { JournalEntry } from "../../client/types.ts";
import { drawTimeline } from "../draw-timeline.ts";
import { drawView } from "../draw-view.ts";
import { EntryLines } from "../entry-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, namedOf, type Session } from "../session.ts";
import { timelineRows } from "../timeline-rows.ts";

export const SHOW: Command = {
  summary: "one execution, with a timeline of its operations",
  arguments: [{ name: "EXECUTION", place: "execution" }],
  options: { journal: { meaning: "its journal, entry by entry, instead of the timeline" } },
  run: show,
};

async function show(session: Session) {
  const { terminal, given, isJson } = session;
  const { handle } = namedOf(session);
  const execution = await handle.status();
  const journal: JournalEntry[] = [];
  for await (const entry of handle.journal()) journal.push(entry);
  if (isJson) {
    terminal.json({ execution, journal });
    return EXIT_CODES.done;
  }
  drawView(terminal, execution);
  terminal.line("");
  if (given.has("journal")) {
    const lines = new EntryLines(terminal);
    for (const entry of journal) lines.print(entry);
    return EXIT_CODES.done;
  }
  const { columns, now } = terminal.surroundings;
  const span = { from: execution.startedAt, to: execution.endedAt ?? now(), columns };
  for (const { text, tone } of drawTimeline(timelineRows(journal), span)) terminal.line(text, tone);
  return EXIT_CODES.done;
}
