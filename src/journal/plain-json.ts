import { MAXIMUM_DEPTH, notJournalable } from "./value-fault.ts";
import { classify, describe, populatedIndexes, type Classified } from "./value-kinds.ts";
import { Repeats } from "./value-repeats.ts";
import { toBase64 } from "./value-text.ts";

/** What JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** More holes than this are not written as that many `null`s. */
const HOLES = 10_000;

/** Where in the output something stands. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

interface Walk {
  /** The containers around this place. */
  readonly active: Set<object>;
  /** Where each object was written last. */
  readonly placesByObject: Map<object, Place>;
  readonly repeats: Repeats;
}

/**
 * A journaled value for readers who know JSON only. Dates are ISO text (an invalid one `null`), a `bigint` its decimal
 * digits, a `Map` its entries, a `Set` an array, bytes base64, `NaN` and `±Infinity` their names, `RegExp` and `URL`
 * their text, errors `{ name, message }`; `-0` is `0`. `undefined` is left out of objects, and `null` elsewhere. A
 * reference to something around it is `{ "$ref": <JSON Pointer into the output> }`. Other repeated references are
 * repeated, until 16 MiB have been (a part counts 32 bytes besides its text); from then on they are such pointers too.
 * An array with over 10,000 holes is an object of its elements by index.
 *
 * @throws {ValueFault} for what no journal holds: over 500 levels of nesting, functions, class instances
 */
export function toPlainJson(value: unknown): JsonValue {
  const walk: Walk = { active: new Set(), placesByObject: new Map(), repeats: new Repeats() };
  return toPart(value, { parent: undefined, key: "" }, walk) ?? null;
}

function toPart(value: unknown, place: Place, walk: Walk): JsonValue | undefined {
  if (typeof value === "object" && value !== null) return toObject(value, place, walk);
  walk.repeats.part();
  switch (typeof value) {
    case "undefined":
      return undefined;
    case "string":
      return walk.repeats.text(value);
    case "boolean":
      return value;
    case "bigint":
      return walk.repeats.text(value.toString());
    case "number":
      // Adding 0 turns -0 into 0.
      return Number.isFinite(value) ? value + 0 : String(value);
    case "object":
      return null;
    default:
      throw notJournalable(stepsTo(place), describe(value));
  }
}

function toObject(value: object, place: Place, walk: Walk): JsonValue | undefined {
  const known = walk.placesByObject.get(value);
  const isKnown = known !== undefined;
  if (isKnown && (walk.active.has(value) || walk.repeats.areTooMany)) return { $ref: pointerTo(known) };
  walk.placesByObject.set(value, place);
  walk.repeats.enter(isKnown);
  walk.repeats.part();
  const json = toClassified(value, place, walk);
  walk.repeats.leave(isKnown);
  return json;
}

function toClassified(value: object, place: Place, walk: Walk): JsonValue | undefined {
  const classified = classify(value);
  switch (classified.kind) {
    case "date":
      return Number.isNaN(classified.value.getTime()) ? null : classified.value.toISOString();
    case "regexp":
      return walk.repeats.text(String(classified.value));
    case "url":
      return walk.repeats.text(classified.value.href);
    case "buffer":
    case "view":
      return toBase64(walk.repeats.bytes(classified.bytes));
    case "error":
      return {
        name: walk.repeats.text(classified.value.name),
        message: walk.repeats.text(classified.value.message),
      };
    case "boxed":
      return toPart(classified.value, place, walk);
    case "foreign":
      throw notJournalable(stepsTo(place), describe(value));
    default:
      return toContainer(classified, place, walk);
  }
}

type Container = Extract<Classified, { readonly kind: "plain" | "array" | "map" | "set" }>;

function toContainer(container: Container, place: Place, walk: Walk): JsonValue {
  if (walk.active.size > MAXIMUM_DEPTH) {
    throw notJournalable(stepsTo(place), `a value more than ${MAXIMUM_DEPTH} levels deep`);
  }
  walk.active.add(container.value);
  const json = toParts(container, place, walk);
  walk.active.delete(container.value);
  return json;
}

function toParts(container: Container, place: Place, walk: Walk): JsonValue {
  switch (container.kind) {
    case "plain":
      return toFields(container.value, place, walk);
    case "array":
      return toArray(container.value, place, walk);
    case "set":
      return toElements([...container.value], place, walk);
    case "map":
      return [...container.value].map((entry, index) => toElements(entry, { parent: place, key: index }, walk));
  }
}

function toFields(source: Readonly<Record<string, unknown>>, place: Place, walk: Walk): JsonValue {
  const fields: Record<string, JsonValue> = {};
  for (const key of Object.keys(source)) {
    const value = toPart(source[key], { parent: place, key }, walk);
    if (value === undefined) continue;
    walk.repeats.text(key);
    // An assignment to `__proto__` would set the prototype.
    if (key === "__proto__")
      Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true });
    else fields[key] = value;
  }
  return fields;
}

function toArray(source: readonly unknown[], place: Place, walk: Walk): JsonValue {
  const indexes = populatedIndexes(source);
  if (indexes === undefined || source.length - indexes.length <= HOLES) return toElements([...source], place, walk);
  const elements = indexes.map((index): [string, unknown] => [String(index), source[index]]);
  return toFields(Object.fromEntries(elements), place, walk);
}

function toElements(source: readonly unknown[], place: Place, walk: Walk): readonly JsonValue[] {
  return source.map((value, index) => toPart(value, { parent: place, key: index }, walk) ?? null);
}

/** From the root, whose own place has no key, down to `place`. */
function stepsTo(place: Place): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  for (let here = place; here.parent !== undefined; here = here.parent) steps.push(here.key);
  return steps.toReversed();
}

/** RFC 6901. */
function pointerTo(place: Place): string {
  return stepsTo(place)
    .map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
