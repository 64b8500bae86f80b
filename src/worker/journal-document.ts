import { entryDocument, type NumberedDocument } from "../execution/entry-document.ts";
import type { Presentation } from "./view-document.ts";

/** The entries of a page as callers get them. */
export function entryDocuments(entries: string, journalPath: string, presentation: Presentation): readonly unknown[] {
  // The cast: the text is what the object of this very deployment, or an older one of the same format, has written.
  const page = JSON.parse(entries) as readonly NumberedDocument[];
  const show = (flat: unknown) => presentation.show(flat);
  return page.map((entry) => entryDocument(entry, { journalPath, show }));
}
