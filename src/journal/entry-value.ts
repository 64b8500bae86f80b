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
  const field = VALUE_FIELDS[entry.type];
  const value = valueOf(entry);
  return field === undefined || value === undefined ? { ...entry } : { ...entry, [field]: show(value) };
}
