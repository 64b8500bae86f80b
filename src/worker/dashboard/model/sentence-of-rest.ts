import type { Ended } from "../../../journal/entry.ts";
import type { State } from "../../../journal/state.ts";
import { reasonOf } from "../../../journal/view.ts";
import type { History } from "./history.ts";
import { failureText, type Phrase, quote, type Sentence, text, time } from "./phrase.ts";
import type { Past } from "./past.ts";
import { lengthText } from "./time.ts";

const TONES = { completed: "good", failed: "bad", cancelled: "quiet" } as const;

/** How it ended, after how long, and what went wrong on the way. */
export function endSentence({ state, history }: Past, end: Ended): Sentence {
  const startedAt = state.started?.at ?? end.at;
  const after = text(` after ${lengthText(end.at - startedAt)}, at `);
  const [verb, reason] = endWords(end, state.cancelReason);
  const because = reason === undefined ? [text(".")] : [text(": "), quote(reason)];
  return {
    tone: TONES[end.type],
    phrases: [text(verb), after, time(end.at), ...because],
    others: setbacks(history, end),
  };
}

/** Steps that were given up, where the execution did not complete, and what of the others was undone. */
function setbacks({ operations, rollbacks }: History, end: Ended): Phrase[][] {
  if (end.type === "completed") return [];
  const spent = operations.filter(({ status }) => status === "exhausted" || status === "failed");
  const given = spent
    .toReversed()
    .map(({ op, name, attempts, lastFailure }): Phrase[] => [
      { kind: "name", text: name, op },
      text(` was given up after ${attempts === 1 ? "its only attempt" : `${attempts} attempts`}`),
      ...(lastFailure === undefined ? [] : [text(" with "), quote(failureText(lastFailure))]),
      text("."),
    ]);
  if (rollbacks.length === 0) return given;
  const undone = rollbacks.filter((op) => operations[op]?.rollback?.status === "completed").length;
  const left = rollbacks.length - undone;
  const words = `${undone} of ${rollbacks.length} steps with a rollback were rolled back`;
  return [...given, [text(left === 0 ? `${words}.` : `${words}: ${left} left undone.`)]];
}

function endWords(end: Ended, cancelReason: string | undefined): readonly [verb: string, reason: string | undefined] {
  switch (end.type) {
    case "completed":
      return ["Completed", undefined];
    case "failed":
      return [`Failed with ${end.code}`, end.message === end.code ? undefined : end.message];
    case "cancelled":
      return [end.by === "terminated" ? "Terminated" : "Cancelled", end.reason ?? cancelReason];
  }
}

/** Why it stands still until somebody resumes it. */
export function pauseSentence(state: State): Sentence {
  const { code, message } = reasonOf(state) ?? { code: "PAUSED", message: "" };
  const { pause } = state;
  const since: Phrase[] = pause === undefined ? [] : [text(" since "), time(pause.at)];
  const why = pause?.by === "request" ? [text(", as somebody asked: ")] : [text(` by ${code}: `)];
  const next = "Nothing starts until it is resumed.";
  return { tone: "attention", phrases: [text("Paused"), ...since, ...why, quote(message)], others: [[text(next)]] };
}
