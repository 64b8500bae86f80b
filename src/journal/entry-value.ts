import type { ChildOutcome } from "./child-entry.ts";
import type { Encoded, Entry } from "./entry.ts";

/** Which field of an entry is a journaled value. */
const VALUE_FIELDS: { readonly [Type in Entry["type"]]?: string } = {
  started: "input",
  "attempt-failed": "error",
  "step-completed": "value",
  "signal-received": "value",
  "callback-answered": "value",
  progress: "value",
  completed: "value",
  failed: "details",
  "child-requested": "input",
};

/** The journaled value of an entry, where it has one. */
export function valueOf(entry: Entry): Encoded | undefined {
  if (entry.type === "ending") return valueOf(entry.outcome);
  const field = VALUE_FIELDS[entry.type];
  // The cast: the table names a field that holds a value wherever it is there.
  return field === undefined ? undefined : (Reflect.get(entry, field) as Encoded | undefined);
}

/** An entry for readers: with its journaled value, where it has one, as `show` makes it. */
export function showEntry(entry: Entry, show: (value: Encoded) => unknown): Readonly<Record<string, unknown>> {
  // An end that was journaled ahead of its rollbacks.
  if (entry.type === "ending") return { ...entry, outcome: showEntry(entry.outcome, show) };
  if (entry.type === "child-ended") return { ...entry, outcome: showOutcome(entry.outcome, show) };
  if (entry.type === "message-requested") return { ...entry, message: showField(entry.message, "value", show) };
  return showField(entry, VALUE_FIELDS[entry.type], show);
}

function showOutcome(outcome: ChildOutcome, show: (value: Encoded) => unknown): object {
  return showField(outcome, outcome.kind === "failed" ? "details" : "value", show);
}

function showField(
  holder: object,
  field: string | undefined,
  show: (value: Encoded) => unknown,
): Readonly<Record<string, unknown>> {
  // The cast: the field is one that holds a value wherever it is there.
  const value = field === undefined ? undefined : (Reflect.get(holder, field) as Encoded | undefined);
  return field === undefined || value === undefined ? { ...holder } : { ...holder, [field]: show(value) };
}
