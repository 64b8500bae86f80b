import { durationOf, attributesOf, jsonOf, momentOf } from "../read-text.ts";
import { type Command, clientOf, type Session, valueText } from "../session.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { tellOutcome } from "../outcome.ts";

export const START: Command = {
  summary: "starts an execution, and prints its name",
  arguments: [
    { name: "WORKFLOW", place: "workflow" },
    { name: "INPUT", place: "other", isOptional: true },
  ],
  options: {
    id: { takes: "ID", meaning: "its id; else a new one" },
    "idempotency-key": { takes: "KEY", meaning: "what its id is made from" },
    "start-at": { takes: "TIME", meaning: "when its code first runs" },
    deadline: { takes: "DURATION", meaning: "when it is cancelled, from its start" },
    attribute: { takes: "NAME=VALUE", repeats: true, meaning: "what it is found by; may be repeated" },
    wait: { takes: "DURATION", meaning: "wait for its end, at most so long" },
  },
  run: start,
};

async function start(session: Session) {
  const { terminal, given, isJson } = session;
  const [workflow = "", text] = given.arguments;
  const input = text === undefined ? undefined : jsonOf(await valueText(session, text), "INPUT");
  const timeout = optionOf(given.option("wait"), (wait) => durationOf(wait, "--wait"));
  const handle = await clientOf(session).start(workflow, input, {
    id: given.option("id"),
    idempotencyKey: given.option("idempotency-key"),
    startAt: optionOf(given.option("start-at"), (at) => momentOf(at, "--start-at")),
    deadline: optionOf(given.option("deadline"), (deadline) => durationOf(deadline, "--deadline")),
    attributes: attributesOf(given.options("attribute"), "--attribute"),
  });
  const name = `${workflow}/${handle.id}`;
  if (isJson) terminal.json({ workflow, id: handle.id, created: handle.created });
  else terminal.line(name);
  terminal.note(handle.created === false ? `${name} was there already` : `${name} was started`);
  return timeout === undefined ? EXIT_CODES.done : tellOutcome(session, await handle.awaitOutcome({ timeout }));
}

function optionOf<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}
