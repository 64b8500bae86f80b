/** A JSON Schema as a workflow declares it; of what a form cannot show, people write the JSON itself. */
export type JsonSchema = Readonly<Record<string, unknown>>;

interface FieldBase {
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
}

/** A part of a form, for one value. */
export type Field = FieldBase &
  (
    | { readonly kind: "text"; readonly format?: string }
    | { readonly kind: "number"; readonly isInteger: boolean }
    | { readonly kind: "boolean" }
    /** One of some values, each shown as its JSON. */
    | { readonly kind: "choice"; readonly choices: readonly unknown[] }
    | { readonly kind: "object"; readonly fields: readonly (readonly [name: string, field: Field])[] }
    | { readonly kind: "list"; readonly item: Field }
    | { readonly kind: "json" }
  );

/** How deep a form goes into a schema, which may speak of itself. */
const DEPTH = 5;

export interface FieldOptions {
  readonly label: string;
  readonly isRequired?: boolean;
}

/** The part of a form for what a schema describes. */
export function fieldOf(schema: JsonSchema | undefined, options: FieldOptions): Field {
  return makeField(schema, options, { root: schema ?? {}, depth: 0 });
}

interface Place {
  /** What references begin at. */
  readonly root: JsonSchema;
  readonly depth: number;
}

function makeField(given: JsonSchema | undefined, { label, isRequired = true }: FieldOptions, place: Place): Field {
  const schema = resolved(given, place.root);
  const { description } = schema ?? {};
  const base = { label, isRequired, ...(typeof description === "string" && { description }) };
  if (schema === undefined || place.depth > DEPTH) return { ...base, kind: "json" };
  if ("const" in schema) return { ...base, kind: "choice", choices: [schema["const"]] };
  if (Array.isArray(schema["enum"])) return { ...base, kind: "choice", choices: schema["enum"] };
  const { format } = schema;
  switch (schema["type"]) {
    case "string":
      return { ...base, kind: "text", ...(typeof format === "string" && { format }) };
    case "integer":
    case "number":
      return { ...base, kind: "number", isInteger: schema["type"] === "integer" };
    case "boolean":
      return { ...base, kind: "boolean" };
    case "array":
      return listField(base, schema, place);
    case "object":
      return objectField(base, schema, place);
    default:
      return { ...base, kind: "json" };
  }
}

function listField(base: FieldBase, schema: JsonSchema, { root, depth }: Place): Field {
  const { items } = schema;
  if (!isSchema(items) || "prefixItems" in schema) return { ...base, kind: "json" };
  return { ...base, kind: "list", item: makeField(items, { label: base.label }, { root, depth: depth + 1 }) };
}

/** Only where all of its keys are known by name. */
function objectField(base: FieldBase, schema: JsonSchema, { root, depth }: Place): Field {
  const { properties, required, additionalProperties } = schema;
  if (isSchema(additionalProperties) || "patternProperties" in schema) return { ...base, kind: "json" };
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(isSchema(properties) ? properties : {}).map(([name, each]) => {
    const inner = isSchema(each) ? each : undefined;
    // What has a default need not be given.
    const isRequired = needed.includes(name) && inner?.["default"] === undefined;
    return [name, makeField(inner, { label: name, isRequired }, { root, depth: depth + 1 })] as const;
  });
  return { ...base, kind: "object", fields };
}

/** What a reference within the document leads to. */
function resolved(schema: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  const reference = schema?.["$ref"];
  if (typeof reference !== "string") return schema;
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isSchema(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  // A reference to a reference is no more than a form can be asked to follow.
  return isSchema(found) && found["$ref"] === undefined ? found : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
