import { drawView } from "../draw-view.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, namedOf, type Session } from "../session.ts";

type Verb = "cancel" | "terminate" | "pause" | "resume";

export const CANCEL = commandOf("cancel", "cancels an execution; its code may compensate");
export const TERMINATE = commandOf("terminate", "ends an execution at once, without its code or rollbacks");
export const PAUSE = commandOf("pause", "pauses an execution");
export const RESUME = commandOf("resume", "lets a paused execution go on");

function commandOf(verb: Verb, summary: string): Command {
  return {
    summary,
    arguments: [{ name: "EXECUTION", place: "execution" }],
    options: { reason: { takes: "TEXT", meaning: "why, for its journal" } },
    run: (session) => command(session, verb),
  };
}

async function command(session: Session, verb: Verb) {
  const { terminal, given, isJson } = session;
  const { handle } = namedOf(session);
  await handle[verb](given.option("reason"));
  const view = await handle.status();
  if (isJson) terminal.json(view);
  else drawView(terminal, view);
  return EXIT_CODES.done;
}
