import type { BlobReference, Encoded, Entry } from "../journal/entry.ts";
import { toPlainJson } from "../journal/plain-json.ts";
import { decodeParsed } from "../journal/value.ts";

/** `json`: values as plain JSON. `values`: as the value codec writes them. */
export type Form = "json" | "values";

/** How entries are shown to those who read a journal. */
export interface EntryForm {
  readonly form: Form;
  /** The path of the journal, of which the paths of its large values are made. */
  readonly journalPath: string;
}

/** An entry with its number, as it leaves the object. */
export type NumberedDocument = Entry & { readonly entry: number };

/** Which field of an entry is a journaled value. */
const VALUE_FIELDS: { readonly [Type in Entry["type"]]?: string } = {
  started: "input",
  "attempt-failed": "error",
  "step-completed": "value",
  "signal-received": "value",
  progress: "value",
  completed: "value",
  failed: "details",
};

/**
 * An entry as readers get it: its values in the form that they want, and `{ $value, length }` for a large one, where
 * `$value` is the path that answers with it and `length` its size in UTF-16 units of the codec's text.
 */
export function entryDocument(entry: NumberedDocument, form: EntryForm): unknown {
  // An end that was journaled ahead of its rollbacks.
  if (entry.type === "ending") return { ...entry, outcome: shownIn(entry.outcome, form) };
  return shownIn(entry, form);
}

/** A journaled value in one of the forms, from the value codec's flat JSON. One that is `undefined` stays so. */
export function showValueIn(form: Form, flat: unknown): unknown {
  if (form === "values") return flat;
  const value = decodeParsed(flat);
  return value === undefined ? undefined : toPlainJson(value);
}

function shownIn(entry: Entry, { form, journalPath }: EntryForm): unknown {
  const field = VALUE_FIELDS[entry.type];
  // The cast: the table names a field that holds a value wherever it is there.
  const encoded = field === undefined ? undefined : (Reflect.get(entry, field) as Encoded | undefined);
  if (field === undefined || encoded === undefined) return { ...entry };
  return { ...entry, [field]: isReference(encoded) ? linkTo(encoded, journalPath) : showValueIn(form, encoded) };
}

function isReference(encoded: Encoded): encoded is BlobReference {
  return typeof encoded === "object" && !Array.isArray(encoded);
}

function linkTo(reference: BlobReference, journalPath: string): Readonly<Record<string, unknown>> {
  return { $value: `${journalPath}/${reference.blob}/value`, length: reference.length };
}
