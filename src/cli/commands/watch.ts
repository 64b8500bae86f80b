import { EntryLines } from "../entry-line.ts";
import { followEvents } from "../follow-events.ts";
import { exitCodeOf } from "../outcome.ts";
import { entryOf, executionOf } from "../read-text.ts";
import { type Command, namedOf, type Session } from "../session.ts";

export const WATCH: Command = {
  summary: "the journal of an execution as it grows, until it has ended",
  arguments: [{ name: "EXECUTION", place: "execution" }],
  options: { from: { takes: "N", meaning: "the number of the first entry; 0 unless told otherwise" } },
  run: watch,
};

async function watch(session: Session) {
  const { terminal, given, isJson } = session;
  const from = entryOf(given.option("from") ?? "0", "--from");
  const { handle, name } = namedOf(session);
  terminal.note(`watching ${name} until it has ended`);
  const lines = new EntryLines(terminal);
  for await (const entry of followEvents(session, { ...executionOf(name), from })) {
    if (isJson) terminal.json(entry);
    else lines.print(entry);
  }
  // Its last entry has said it in words.
  return exitCodeOf(await handle.awaitOutcome());
}
