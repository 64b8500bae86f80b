import type { BlobReference, Encoded, Entry } from "../journal/entry.ts";
import { showEntry } from "../journal/entry-value.ts";
import type { Presentation } from "./view-document.ts";

/** An entry as the object sends it. */
type NumberedEntry = Entry & { readonly entry: number };

/**
 * The entries of a page as callers get them: values in the form they want, and `{ $value, length }` for a large one,
 * where `$value` is the path that answers with it and `length` its size in UTF-16 units of the codec's text.
 */
export function entryDocuments(entries: string, journalPath: string, presentation: Presentation): readonly unknown[] {
  // The cast: the text is what the object of this very deployment, or an older one of the same format, has written.
  const page = JSON.parse(entries) as readonly NumberedEntry[];
  const show = (value: Encoded) => (isReference(value) ? linkTo(value, journalPath) : presentation.show(value));
  return page.map((entry) => showEntry(entry, show));
}

function isReference(encoded: Encoded): encoded is BlobReference {
  return typeof encoded === "object" && !Array.isArray(encoded);
}

function linkTo(reference: BlobReference, journalPath: string): Readonly<Record<string, unknown>> {
  return { $value: `${journalPath}/${reference.blob}/value`, length: reference.length };
}
