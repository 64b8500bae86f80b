import type { ChildOutcome } from "../journal/child-entry.ts";
import type { BlobReference, Encoded, Entry } from "../journal/entry.ts";
import type { Visit } from "./visit.ts";

/** An entry as the object sends it. */
type NumberedEntry = Entry & { readonly entry: number };

/** Which field of an entry is a journaled value. */
const VALUE_FIELDS: { readonly [Type in Entry["type"]]?: string } = {
  started: "input",
  "attempt-failed": "error",
  "step-completed": "value",
  "signal-received": "value",
  progress: "value",
  completed: "value",
  failed: "details",
  "child-requested": "input",
};

/**
 * The entries of a page as callers get them: values in the form they want, and `{ $value, length }` for a large one,
 * where `$value` is the path that answers with it and `length` its size in UTF-16 units of the codec's text.
 */
export function entryDocuments(entries: string, journalPath: string, visit: Visit): readonly unknown[] {
  // The cast: the text is what the object of this very deployment, or an older one of the same format, has written.
  const page = JSON.parse(entries) as readonly NumberedEntry[];
  return page.map((entry) => {
    // An end that was journaled ahead of its rollbacks.
    if (entry.type === "ending") return { ...entry, outcome: shownIn(entry.outcome, journalPath, visit) };
    if (entry.type === "child-ended") return { ...entry, outcome: shownOutcome(entry.outcome, journalPath, visit) };
    if (entry.type === "message-requested") {
      return { ...entry, message: withValue(entry.message, "value", { journalPath, visit }) };
    }
    return shownIn(entry, journalPath, visit);
  });
}

function shownIn(entry: Entry, journalPath: string, visit: Visit): unknown {
  return withValue(entry, VALUE_FIELDS[entry.type], { journalPath, visit });
}

function shownOutcome(outcome: ChildOutcome, journalPath: string, visit: Visit): unknown {
  return withValue(outcome, outcome.kind === "failed" ? "details" : "value", { journalPath, visit });
}

/** The same with the value in one field shown, if there is one. */
function withValue(
  holder: object,
  field: string | undefined,
  { journalPath, visit }: { readonly journalPath: string; readonly visit: Visit },
): unknown {
  // The cast: the field is one that holds a value wherever it is there.
  const encoded = field === undefined ? undefined : (Reflect.get(holder, field) as Encoded | undefined);
  if (field === undefined || encoded === undefined) return { ...holder };
  return { ...holder, [field]: isReference(encoded) ? linkTo(encoded, journalPath) : visit.show(encoded) };
}

function isReference(encoded: Encoded): encoded is BlobReference {
  return typeof encoded === "object" && !Array.isArray(encoded);
}

function linkTo(reference: BlobReference, journalPath: string): Readonly<Record<string, unknown>> {
  return { $value: `${journalPath}/${reference.blob}/value`, length: reference.length };
}
