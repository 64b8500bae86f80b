import type { BlobReference, Encoded, Entry } from "../journal/entry.ts";
import { showEntry } from "../journal/entry-value.ts";
import { toPlainJson } from "../journal/plain-json.ts";
import { decodeParsed } from "../journal/value.ts";

/** `json`: values as plain JSON. `values`: as the value codec writes them. */
export type Form = "json" | "values";

/** How entries are shown to those who watch a journal. */
export interface EntryForm {
  readonly form: Form;
  /** The path of the journal, of which the paths of its large values are made. */
  readonly journalPath: string;
}

/** How they are shown to anybody: their values as `show` makes them of the codec's flat JSON. */
export interface EntryPresentation extends Pick<EntryForm, "journalPath"> {
  readonly show: (flat: unknown) => unknown;
}

/** An entry with its number, as it leaves the object. */
export type NumberedDocument = Entry & { readonly entry: number };

/**
 * An entry as readers get it: its values as they want them, and `{ $value, length }` for a large one, where
 * `$value` is the path that answers with it and `length` its size in UTF-16 units of the codec's text.
 */
export function entryDocument(entry: NumberedDocument, { journalPath, show }: EntryPresentation): unknown {
  return showEntry(entry, (value) => (isReference(value) ? linkTo(value, journalPath) : show(value)));
}

/** A journaled value in one of the forms, from the value codec's flat JSON. One that is `undefined` stays so. */
export function showValueIn(form: Form, flat: unknown): unknown {
  if (form === "values") return flat;
  const value = decodeParsed(flat);
  return value === undefined ? undefined : toPlainJson(value);
}

function isReference(encoded: Encoded): encoded is BlobReference {
  return typeof encoded === "object" && !Array.isArray(encoded);
}

function linkTo(reference: BlobReference, journalPath: string): Readonly<Record<string, unknown>> {
  return { $value: `${journalPath}/${reference.blob}/value`, length: reference.length };
}
