/** A JSON Schema as a workflow declares it; of what a form cannot show, people write the JSON itself. */
export type JsonSchema = Readonly<Record<string, unknown>>;

interface FieldBase {
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** As JSON: what stands for it where it is left out. */
  readonly otherwise?: string;
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
    /** So many values, each with a form of its own. */
    | { readonly kind: "tuple"; readonly items: readonly Field[] }
    /** Keys that whoever fills it in thinks of. */
    | { readonly kind: "record"; readonly value: Field }
    /** A value of one of several forms; the label of each says which. */
    | { readonly kind: "union"; readonly variants: readonly Field[] }
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

const inside = ({ root, depth }: Place): Place => ({ root, depth: depth + 1 });

function makeField(given: JsonSchema | undefined, { label, isRequired = true }: FieldOptions, place: Place): Field {
  const schema = resolved(given, place.root);
  const { description, default: otherwise } = schema ?? {};
  const base = {
    label,
    isRequired,
    ...(typeof description === "string" && { description }),
    ...(otherwise !== undefined && { otherwise: JSON.stringify(otherwise) }),
  };
  if (schema === undefined || place.depth > DEPTH) return { ...base, kind: "json" };
  if ("const" in schema) return { ...base, kind: "choice", choices: [schema["const"]] };
  if (Array.isArray(schema["enum"])) return { ...base, kind: "choice", choices: schema["enum"] };
  const variants = variantsOf(schema);
  if (variants !== undefined) return unionField(base, variants, place);
  if (COMBINING.some((word) => word in schema)) return { ...base, kind: "json" };
  const { format } = schema;
  switch (schema["type"]) {
    case "string":
      return { ...base, kind: "text", ...(typeof format === "string" && { format }) };
    case "integer":
    case "number":
      return { ...base, kind: "number", isInteger: schema["type"] === "integer" };
    case "boolean":
      return { ...base, kind: "boolean" };
    case "null":
      return { ...base, kind: "choice", choices: [null] };
    case "array":
      return listField(base, schema, place);
    case "object":
      return objectField(base, schema, place);
    default:
      return { ...base, kind: "json" };
  }
}

/** Words by which a schema asks for more than one schema. */
const COMBINING = ["anyOf", "oneOf", "allOf", "not", "if"];

/** The schemas of which one has to fit, where a schema says nothing else besides. */
function variantsOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const { anyOf, oneOf, type } = schema;
  if (Array.isArray(type)) return type.map((each: unknown) => ({ ...schema, type: each }));
  const said = anyOf ?? oneOf;
  const others = COMBINING.filter((word) => word in schema).length + ("type" in schema ? 1 : 0);
  return others === 1 && Array.isArray(said) && said.length > 0 && said.every(isSchema) ? said : undefined;
}

function unionField(base: FieldBase, schemas: readonly JsonSchema[], place: Place): Field {
  const variants = schemas.map((schema) => {
    const field = makeField(schema, { label: "" }, inside(place));
    return { ...field, label: variantLabel(field, resolved(schema, place.root)) };
  });
  const [only] = variants;
  if (only !== undefined && variants.length === 1) return { ...only, ...base };
  // Of values that are all known, one is chosen as it stands.
  const choices = variants.flatMap((field) => (field.kind === "choice" ? field.choices : []));
  if (variants.every(({ kind }) => kind === "choice")) return { ...base, kind: "choice", choices };
  return { ...base, kind: "union", variants };
}

const KINDS: Readonly<Record<Field["kind"], string>> = {
  text: "a text",
  number: "a number",
  boolean: "true or false",
  choice: "one of some values",
  object: "an object",
  list: "a list",
  tuple: "a list",
  record: "keys and values",
  union: "something else",
  json: "JSON",
};

/** By its title, by a key that has only one value in it, or by its kind. */
function variantLabel(field: Field, schema: JsonSchema | undefined): string {
  const title = schema?.["title"];
  if (typeof title === "string") return title;
  if (field.kind === "choice") return field.choices.map((choice) => JSON.stringify(choice)).join(", ");
  if (field.kind !== "object") return KINDS[field.kind];
  for (const [name, inner] of field.fields) {
    if (inner.kind === "choice" && isFixed(inner)) return `${name}: ${JSON.stringify(inner.choices[0])}`;
  }
  const names = field.fields.map(([name]) => name);
  return names.length === 0 ? KINDS.object : `an object with ${names.slice(0, 3).join(", ")}`;
}

/** There is only one value that it can have: nobody needs to choose it. */
export function isFixed(field: Field): boolean {
  return field.kind === "choice" && field.isRequired && field.choices.length === 1;
}

function listField(base: FieldBase, schema: JsonSchema, place: Place): Field {
  const { items, prefixItems } = schema;
  if (Array.isArray(prefixItems)) {
    // What may follow after them is left to JSON.
    if (!prefixItems.every(isSchema) || (items !== undefined && items !== false)) return { ...base, kind: "json" };
    const fields = prefixItems.map((each, index) => {
      return makeField(each, { label: `${base.label} ${index + 1}` }, inside(place));
    });
    return { ...base, kind: "tuple", items: fields };
  }
  if (!isSchema(items)) return { ...base, kind: "json" };
  return { ...base, kind: "list", item: makeField(items, { label: base.label }, inside(place)) };
}

/** Of keys that are all known by name, or all not. */
function objectField(base: FieldBase, schema: JsonSchema, place: Place): Field {
  const { properties, required, additionalProperties } = schema;
  const known = Object.entries(isSchema(properties) ? properties : {});
  const isOpen = isSchema(additionalProperties);
  const isAnything = properties === undefined && additionalProperties === undefined;
  if (isAnything || "patternProperties" in schema || (isOpen && known.length > 0)) return { ...base, kind: "json" };
  if (isOpen) return { ...base, kind: "record", value: makeField(additionalProperties, { label: "" }, inside(place)) };
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = known.map(([name, each]) => {
    const inner = isSchema(each) ? each : undefined;
    // What has a default need not be given.
    const isRequired = needed.includes(name) && inner?.["default"] === undefined;
    return [name, makeField(inner, { label: name, isRequired }, inside(place))] as const;
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
