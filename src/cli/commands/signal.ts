import { EXIT_CODES } from "../exit-code.ts";
import { jsonOf } from "../read-text.ts";
import { type Command, namedOf, type Session, valueText } from "../session.ts";

export const SIGNAL: Command = {
  summary: "sends a signal to an execution",
  arguments: [
    { name: "EXECUTION", place: "execution" },
    { name: "NAME", place: "signal" },
    { name: "VALUE", place: "other", isOptional: true },
  ],
  options: { "idempotency-key": { takes: "KEY", meaning: "signals with the same key count once" } },
  run: signal,
};

async function signal(session: Session) {
  const { terminal, given, isJson } = session;
  const [, signalName = "", text] = given.arguments;
  const value = text === undefined ? undefined : jsonOf(await valueText(session, text), "VALUE");
  const { handle, name } = namedOf(session);
  await handle.signal(signalName, value, { idempotencyKey: given.option("idempotency-key") });
  if (isJson) terminal.json({ accepted: true });
  terminal.note(`${name} has the signal ${signalName}`);
  return EXIT_CODES.done;
}
