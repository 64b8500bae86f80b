import { type Field, isFixed } from "./form-field.ts";

/** What somebody has written into a form, as it stands there. */
export type Draft =
  /** Of a text, a number, a boolean, a choice (its place) or JSON: the text of its control; empty where nothing is said. */
  | { readonly kind: "written"; readonly text: string }
  | { readonly kind: "parts"; readonly parts: Readonly<Record<string, Draft>> }
  | { readonly kind: "items"; readonly items: readonly Draft[] }
  | { readonly kind: "pairs"; readonly pairs: readonly (readonly [key: string, draft: Draft])[] }
  /** Of a union: which variant, and its draft; neither where nothing is said. */
  | { readonly kind: "variant"; readonly variant?: number; readonly draft?: Draft };

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
      const parts = field.fields.map(([name, inner]) => [name, draftOf(inner, own(given, name))] as const);
      return { kind: "parts", parts: Object.fromEntries(parts) };
    }
    case "list":
      return { kind: "items", items: Array.isArray(value) ? value.map((item) => draftOf(field.item, item)) : [] };
    case "tuple": {
      const given: readonly unknown[] = Array.isArray(value) ? value : [];
      return { kind: "items", items: field.items.map((item, index) => draftOf(item, given[index])) };
    }
    case "record": {
      const pairs = Object.entries(isRecord(value) ? value : {});
      return { kind: "pairs", pairs: pairs.map(([key, inner]) => [key, draftOf(field.value, inner)] as const) };
    }
    case "union":
      return variantOf(field, value);
    case "choice":
      return written(isFixed(field) ? "0" : choiceText(field.choices, value));
    case "json":
      return written(value === undefined ? "" : JSON.stringify(value, null, 2));
    case "text":
    case "number":
    case "boolean":
      return written(typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));
  }
}

/** The first variant that can say the value. */
function variantOf({ variants }: Kind<"union">, value: unknown): Draft {
  if (value === undefined) return { kind: "variant" };
  const variant = variants.findIndex((field) => canSay(field, value));
  const field = variants[variant];
  return field === undefined ? { kind: "variant" } : { kind: "variant", variant, draft: draftOf(field, value) };
}

/** Whether a form that is filled with the value says just that value. */
export function canSay(field: Field, value: unknown): boolean {
  const reading = readDraft(field, draftOf(field, value));
  return reading.kind === "value" ? isSame(reading.value, value) : value === undefined && reading.kind === "nothing";
}

/** Of values that JSON can say. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => isSame(one[key], own(other, key)));
}

type Kind<K extends Field["kind"]> = Extract<Field, { readonly kind: K }>;

/** What somebody has written, as a value. */
export function readDraft(field: Field, draft: Draft, path = ""): Reading {
  switch (field.kind) {
    case "object":
      return readObject(field, draft, path);
    case "list":
      return readList(field, draft, path);
    case "tuple":
      return readTuple(field, draft, path);
    case "record":
      return readRecord(field, draft, path);
    case "union":
      return readUnion(field, draft, path);
    case "text":
    case "number":
    case "boolean":
    case "choice":
    case "json":
      return readControl(field, draft, path);
  }
}

type ControlField = Kind<"text" | "number" | "boolean" | "choice" | "json">;

function readControl(field: ControlField, draft: Draft, path: string): Reading {
  const said = draft.kind === "written" ? draft.text : "";
  // An empty text is a text where one has to be there.
  if (said === "" && !(field.kind === "text" && field.isRequired)) {
    return field.isRequired && field.kind !== "json" ? wrong(path, "must be there") : { kind: "nothing" };
  }
  return readWritten(field, said, path);
}

function readWritten(field: ControlField, said: string, path: string): Reading {
  switch (field.kind) {
    case "text":
      return { kind: "value", value: said };
    case "number": {
      const value = Number(said);
      if (said.trim() === "" || !Number.isFinite(value)) return wrong(path, "must be a number");
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

function readObject(field: Kind<"object">, draft: Draft, path: string): Reading {
  // Nothing of it was written: neither is it.
  if (!field.isRequired && isEmpty(field, draft)) return { kind: "nothing" };
  const parts = draft.kind === "parts" ? draft.parts : {};
  const read = field.fields.map(([name, inner]) => {
    return [name, readDraft(inner, parts[name] ?? draftOf(inner, undefined), joined(path, name))] as const;
  });
  return gathered(read, Object.fromEntries);
}

function readList(field: Kind<"list">, draft: Draft, path: string): Reading {
  const items = draft.kind === "items" ? draft.items : [];
  if (!field.isRequired && items.length === 0) return { kind: "nothing" };
  return readItems(
    items.map(() => field.item),
    items,
    path,
  );
}

function readTuple(field: Kind<"tuple">, draft: Draft, path: string): Reading {
  if (!field.isRequired && isEmpty(field, draft)) return { kind: "nothing" };
  return readItems(field.items, draft.kind === "items" ? draft.items : [], path);
}

/** Nothing stands for no value: each has its place. */
function readItems(fields: readonly Field[], items: readonly Draft[], path: string): Reading {
  const read = fields.map((field, index): readonly [key: "", reading: Reading] => {
    const reading = readDraft(field, items[index] ?? draftOf(field, undefined), `${path}[${index}]`);
    return ["", reading.kind === "nothing" ? { kind: "value", value: null } : reading];
  });
  return gathered(read, (pairs) => pairs.map(([, value]) => value));
}

function readRecord(field: Kind<"record">, draft: Draft, path: string): Reading {
  const pairs = draft.kind === "pairs" ? draft.pairs : [];
  if (!field.isRequired && pairs.length === 0) return { kind: "nothing" };
  const keys = pairs.map(([key]) => key);
  if (keys.includes("")) return wrong(path, "must have a key for each value");
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) return wrong(joined(path, twice), "must be there only once");
  return gathered(
    pairs.map(([key, inner]) => [key, readDraft(field.value, inner, joined(path, key))] as const),
    Object.fromEntries,
  );
}

function readUnion({ variants, isRequired }: Kind<"union">, draft: Draft, path: string): Reading {
  const variant = draft.kind === "variant" ? draft.variant : undefined;
  const field = variant === undefined ? undefined : variants[variant];
  if (field === undefined) return isRequired ? wrong(path, "must be there") : { kind: "nothing" };
  const inner = draft.kind === "variant" ? draft.draft : undefined;
  return readDraft(field, inner ?? draftOf(field, undefined), path);
}

/** The values of all parts in one, or everything that is wrong with any of them. */
function gathered<Key extends string>(
  read: readonly (readonly [key: Key, reading: Reading])[],
  make: (pairs: readonly (readonly [key: Key, value: unknown])[]) => unknown,
): Reading {
  const issues = read.flatMap(([, reading]) => (reading.kind === "issues" ? reading.issues : []));
  if (issues.length > 0) return { kind: "issues", issues };
  const values = read.flatMap(([key, reading]) => (reading.kind === "value" ? [[key, reading.value] as const] : []));
  return { kind: "value", value: make(values) };
}

/** Nothing was written into it. */
export function isEmpty(field: Field, draft: Draft): boolean {
  switch (draft.kind) {
    case "written":
      return draft.text === "" || isFixed(field);
    case "parts":
      return field.kind === "object" && field.fields.every(([name, inner]) => isEmptyPart(inner, draft.parts[name]));
    case "items":
      if (field.kind === "tuple") return field.items.every((item, index) => isEmptyPart(item, draft.items[index]));
      return draft.items.length === 0;
    case "pairs":
      return draft.pairs.length === 0;
    case "variant":
      return draft.variant === undefined;
  }
}

function isEmptyPart(field: Field, draft: Draft | undefined): boolean {
  return draft === undefined || isEmpty(field, draft);
}

function own(given: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

function choiceText(choices: readonly unknown[], value: unknown): string {
  const text = JSON.stringify(value);
  const index = choices.findIndex((choice) => JSON.stringify(choice) === text);
  return index === -1 || value === undefined ? "" : String(index);
}

function written(text: string): Draft {
  return { kind: "written", text };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(path: string, message: string): Reading {
  return { kind: "issues", issues: [{ path, message }] };
}

/** The path of a part with this name. */
export function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
