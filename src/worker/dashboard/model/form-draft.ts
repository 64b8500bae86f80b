import type { Field } from "./form-field.ts";

/** What somebody has written into a form, as it stands there. */
export type Draft =
  /** Of a text, a number, a boolean, a choice (its place) or JSON: the text of its control; empty where nothing is said. */
  | { readonly kind: "written"; readonly text: string }
  | { readonly kind: "parts"; readonly parts: Readonly<Record<string, Draft>> }
  | { readonly kind: "items"; readonly items: readonly Draft[] };

export interface DraftIssue {
  /** As the HTTP interface writes it: `lines[0].sku`. */
  readonly path: string;
  readonly message: string;
}

/** What a draft says: a value, or nothing where it may be left out. */
export type Reading =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "nothing" }
  | { readonly kind: "issues"; readonly issues: readonly DraftIssue[] };

/** A form with a value in it, or an empty one for `undefined`. What the form has no place for is left out. */
export function draftOf(field: Field, value: unknown): Draft {
  switch (field.kind) {
    case "object": {
      const given = isRecord(value) ? value : {};
      const parts = field.fields.map(([name, inner]) => {
        return [name, draftOf(inner, Object.hasOwn(given, name) ? given[name] : undefined)] as const;
      });
      return { kind: "parts", parts: Object.fromEntries(parts) };
    }
    case "list":
      return { kind: "items", items: Array.isArray(value) ? value.map((item) => draftOf(field.item, item)) : [] };
    case "choice":
      return written(choiceText(field.choices, value));
    case "json":
      return written(value === undefined ? "" : JSON.stringify(value, null, 2));
    case "text":
    case "number":
    case "boolean":
      return written(typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));
  }
}

/** What somebody has written, as a value. */
export function readDraft(field: Field, draft: Draft, path = ""): Reading {
  if (field.kind === "object") return readParts(field, draft.kind === "parts" ? draft.parts : {}, path);
  if (field.kind === "list") return readItems(field, draft.kind === "items" ? draft.items : [], path);
  const said = draft.kind === "written" ? draft.text : "";
  // An empty text is a text where one has to be there.
  if (said === "" && !(field.kind === "text" && field.isRequired)) {
    return field.isRequired && field.kind !== "json" ? wrong(path, "must be there") : { kind: "nothing" };
  }
  return readWritten(field, said, path);
}

type WrittenField = Exclude<Field, { readonly kind: "object" | "list" }>;

function readWritten(field: WrittenField, said: string, path: string): Reading {
  switch (field.kind) {
    case "text":
      return { kind: "value", value: said };
    case "number": {
      const value = Number(said);
      if (!Number.isFinite(value)) return wrong(path, "must be a number");
      return field.isInteger && !Number.isInteger(value)
        ? wrong(path, "must be a whole number")
        : { kind: "value", value };
    }
    case "boolean":
      return { kind: "value", value: said === "true" };
    case "choice":
      return { kind: "value", value: field.choices[Number(said)] };
    case "json":
      return readJson(said, path);
  }
}

/** JSON as somebody has written it. */
export function readJson(said: string, path = ""): Reading {
  try {
    return { kind: "value", value: JSON.parse(said) };
  } catch (fault) {
    // What the parser says of the place is what helps; it throws nothing but such errors.
    return wrong(path, `must be JSON: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}

function readParts(
  field: Extract<Field, { readonly kind: "object" }>,
  parts: Readonly<Record<string, Draft>>,
  path: string,
): Reading {
  // Nothing of it was written: neither is it.
  if (!field.isRequired && Object.values(parts).every(isEmpty)) return { kind: "nothing" };
  const read = field.fields.map(([name, inner]) => {
    return [name, readDraft(inner, parts[name] ?? draftOf(inner, undefined), joined(path, name))] as const;
  });
  const issues = read.flatMap(([, reading]) => (reading.kind === "issues" ? reading.issues : []));
  const values = read.flatMap(([name, reading]) => (reading.kind === "value" ? [[name, reading.value] as const] : []));
  return issues.length > 0 ? { kind: "issues", issues } : { kind: "value", value: Object.fromEntries(values) };
}

function readItems(field: Extract<Field, { readonly kind: "list" }>, items: readonly Draft[], path: string): Reading {
  const read = items.map((item, index) => readDraft(field.item, item, `${path}[${index}]`));
  const issues = read.flatMap((reading) => (reading.kind === "issues" ? reading.issues : []));
  if (issues.length > 0) return { kind: "issues", issues };
  if (!field.isRequired && items.length === 0) return { kind: "nothing" };
  return { kind: "value", value: read.map((reading) => (reading.kind === "value" ? reading.value : null)) };
}

function isEmpty(draft: Draft): boolean {
  switch (draft.kind) {
    case "written":
      return draft.text === "";
    case "parts":
      return Object.values(draft.parts).every(isEmpty);
    case "items":
      return draft.items.length === 0;
  }
}

function choiceText(choices: readonly unknown[], value: unknown): string {
  const text = JSON.stringify(value);
  const index = choices.findIndex((choice) => JSON.stringify(choice) === text);
  return index === -1 || value === undefined ? "" : String(index);
}

function wrong(path: string, message: string): Reading {
  return { kind: "issues", issues: [{ path, message }] };
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function written(text: string): Draft {
  return { kind: "written", text };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
