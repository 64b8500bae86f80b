import { durationOf } from "../read-text.ts";
import { type Command, namedOf, type Session } from "../session.ts";
import { tellOutcome } from "../outcome.ts";

export const RESULT: Command = {
  summary: "waits for the end of an execution, and prints its outcome",
  arguments: [{ name: "EXECUTION", place: "execution" }],
  options: { timeout: { takes: "DURATION", meaning: "at most so long; 0 looks once" } },
  run: result,
};

async function result(session: Session) {
  const timeout = session.given.option("timeout");
  const waits = timeout === undefined ? {} : { timeout: durationOf(timeout, "--timeout") };
  const { handle, name } = namedOf(session);
  session.terminal.note(`waiting for the end of ${name}`);
  return tellOutcome(session, await handle.awaitOutcome(waits));
}
