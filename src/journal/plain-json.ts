import { LIMITS } from "../limits.ts";
import { MAXIMUM_DEPTH, notJournalable } from "./value-fault.ts";
import { classify, describe, populatedIndexes, type Classified } from "./value-kinds.ts";
import { repeatedLength, toBase64 } from "./value-text.ts";

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
  /** Where each container was written last. */
  readonly placesByContainer: Map<object, Place>;
  /** How many of the containers around this place have been written before. */
  repeating: number;
  /** What was written again, by `repeatedLength`. */
  repeated: number;
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
  const walk: Walk = { active: new Set(), placesByContainer: new Map(), repeating: 0, repeated: 0 };
  return toPart(value, { parent: undefined, key: "" }, walk) ?? null;
}

function toPart(value: unknown, place: Place, walk: Walk): JsonValue | undefined {
  if (walk.repeating > 0) walk.repeated += repeatedLength(value);
  switch (typeof value) {
    case "undefined":
      return undefined;
    case "string":
    case "boolean":
      return value;
    case "bigint":
      return value.toString();
    case "number":
      // Adding 0 turns -0 into 0.
      return Number.isFinite(value) ? value + 0 : String(value);
    case "object":
      return value === null ? null : toObject(value, place, walk);
    default:
      throw notJournalable(stepsTo(place), describe(value));
  }
}

function toObject(value: object, place: Place, walk: Walk): JsonValue | undefined {
  const classified = classify(value);
  switch (classified.kind) {
    case "date":
      return Number.isNaN(classified.value.getTime()) ? null : classified.value.toISOString();
    case "regexp":
      return String(classified.value);
    case "url":
      return classified.value.href;
    case "buffer":
    case "view":
      return toBase64(classified.bytes);
    case "error":
      return { name: classified.value.name, message: classified.value.message };
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
  const known = walk.placesByContainer.get(container.value);
  if (known !== undefined && (walk.active.has(container.value) || walk.repeated > LIMITS.valueBytesCeiling)) {
    return { $ref: pointerTo(known) };
  }
  if (walk.active.size > MAXIMUM_DEPTH) {
    throw notJournalable(stepsTo(place), `a value more than ${MAXIMUM_DEPTH} levels deep`);
  }
  walk.active.add(container.value);
  walk.placesByContainer.set(container.value, place);
  walk.repeating += known === undefined ? 0 : 1;
  const json = toParts(container, place, walk);
  walk.repeating -= known === undefined ? 0 : 1;
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
