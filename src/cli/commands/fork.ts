import { EXIT_CODES } from "../exit-code.ts";
import { executionOf } from "../read-text.ts";
import { type Command, namedOf, type Session } from "../session.ts";

export const FORK: Command = {
  summary: "starts a copy of an execution, from one of its steps on",
  arguments: [{ name: "EXECUTION", place: "execution" }],
  options: {
    before: { takes: "STEP", meaning: "the first step that is not copied (ship, ship#2), or the number of an entry" },
    id: { takes: "ID", meaning: "its id; else a new one" },
  },
  run: fork,
};

async function fork(session: Session) {
  const { terminal, given, isJson } = session;
  const { handle, name } = namedOf(session);
  const before = given.option("before");
  const { workflow } = executionOf(name);
  const copy = await handle.fork({
    id: given.option("id"),
    before: /^\d+$/.test(before ?? "") ? Number(before) : before,
  });
  if (isJson) terminal.json({ workflow, id: copy.id });
  else terminal.line(`${workflow}/${copy.id}`);
  terminal.note(`${workflow}/${copy.id} was forked from ${name}`);
  return EXIT_CODES.done;
}
