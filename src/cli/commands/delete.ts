import { EXIT_CODES } from "../exit-code.ts";
import { type Command, namedOf, type Session } from "../session.ts";

export const DELETE: Command = {
  summary: "purges an execution that has ended, with its journal",
  arguments: [{ name: "EXECUTION", place: "execution" }],
  options: {},
  run: purge,
};

async function purge(session: Session) {
  const { handle, name } = namedOf(session);
  await handle.delete();
  if (session.isJson) session.terminal.json({ deleted: true });
  session.terminal.note(`${name} was deleted`);
  return EXIT_CODES.done;
}
