import { brandOf } from "../steps/brand.ts";
import { RequestRefused } from "./errors.ts";
import { NEGATIVES, SPARSE } from "./value-notation.ts";

/** Deeper values the engine refuses. */
const MAXIMUM_DEPTH = 500;

const PATH_LENGTH = 256;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const INDEX = /^(?:0|[1-9]\d*)$/;

/** Members of an error that have a place of their own in its record, or none. */
const RESERVED = ["name", "message", "stack", "cause"];

type Fields = readonly (readonly [key: string, value: unknown])[];
type Places = readonly (readonly [key: string, place: number])[];

/** One walk over one value. */
interface Walk {
  readonly flat: unknown[];
  readonly seen: Map<unknown, number>;
  /** Where the walk is, as one writes it in code; elements of sets and maps by their number. */
  readonly path: string[];
  /** What has no notation is left out instead of refused: inside errors. */
  readonly lenient?: boolean;
}

/**
 * A value in the value codec's flat JSON. What there is no notation for the engine would refuse as well; it has the last
 * word about everything else.
 *
 * @throws {RequestRefused} `VALIDATION_ERROR`, as from the engine, with the path of what has no notation
 */
export function encodeValue(value: unknown): number | readonly unknown[] {
  const walk: Walk = { flat: [], seen: new Map(), path: [] };
  const place = placeOf(value, walk);
  return place < 0 ? place : walk.flat;
}

function placeOf(value: unknown, walk: Walk): number {
  const negative = NEGATIVES.find(([, candidate]) => Object.is(candidate, value));
  const known = negative?.[0] ?? walk.seen.get(value);
  if (known !== undefined) return known;
  const place = put(undefined, walk);
  walk.seen.set(value, place);
  try {
    walk.flat[place] = notationOf(value, walk);
  } catch (fault) {
    // Whatever its getter or trap threw says nothing about the rule that was broken.
    throw RequestRefused.is(fault) ? fault : refusal("a value that cannot be read", walk);
  }
  return place;
}

function put(notation: unknown, { flat }: Walk): number {
  return flat.push(notation) - 1;
}

function placesOf(fields: Fields, walk: Walk): Places {
  return fields.flatMap(([key, value]): Places => {
    walk.path.push(IDENTIFIER.test(key) ? `.${key}` : `[${INDEX.test(key) ? key : JSON.stringify(key)}]`);
    try {
      return [[key, placeOf(value, walk)]];
    } catch (fault) {
      if (!walk.lenient) throw fault;
      walk.seen.delete(value);
      return [];
    } finally {
      walk.path.pop();
    }
  });
}

function placesOfAll(elements: readonly unknown[], walk: Walk): readonly number[] {
  return placesOf(Object.entries(elements), walk).map(([, place]) => place);
}

function notationOf(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case "bigint":
      return ["BigInt", String(value)];
    case "function":
    case "symbol":
      throw refusal(`a ${typeof value}`, walk);
    case "object":
      return value && notationOfObject(value, walk);
    default:
      return value;
  }
}

function notationOfObject(value: object, walk: Walk): unknown {
  if (walk.path.length > MAXIMUM_DEPTH) throw refusal(`a value more than ${MAXIMUM_DEPTH} levels deep`, walk);
  const prototype = Reflect.getPrototypeOf(value);
  // An object of another realm has that realm's Object.prototype.
  if (prototype === null || Object.hasOwn(prototype, "isPrototypeOf")) return notationOfFields(value, walk);
  if (value instanceof Error) return ["Error", put(recordOf(value, walk), walk)];
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (ArrayBuffer.isView(value)) {
    // Only what it shows: the buffer behind it may be a pool with other people's data.
    return [tag, put(notationOfBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), walk)];
  }
  const { name } = prototype.constructor;
  const notation = name === tag ? notationOfBuiltIn(value, walk) : undefined;
  if (notation === undefined) throw refusal(`an instance of ${name}`, walk);
  return notation;
}

function notationOfBuiltIn(value: object, walk: Walk): unknown {
  if (Array.isArray(value)) return notationOfArray(value, walk);
  if (value instanceof Set) return ["Set", ...placesOfAll([...value], walk)];
  if (value instanceof Map) {
    const pairs = [...value].map((pair) => placesOfAll(pair, walk));
    return ["Map", ...pairs.filter(({ length }) => length === 2).flat()];
  }
  if (value instanceof Date) return ["Date", value.toJSON() ?? ""];
  if (value instanceof RegExp) return ["RegExp", value.source, value.flags];
  if (value instanceof URL) return ["URL", value.href];
  if (value instanceof ArrayBuffer) return notationOfBytes(new Uint8Array(value));
  return undefined;
}

function notationOfBytes(bytes: Uint8Array): unknown {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return ["ArrayBuffer", btoa(binary)];
}

/** Properties that are no elements are left out, and holes are not walked over. */
function notationOfArray(array: readonly unknown[], walk: Walk): unknown {
  const places = placesOf(
    Object.entries(array).filter(([key]) => INDEX.test(key)),
    walk,
  );
  if (places.length === array.length) return places.map(([, place]) => place);
  return [SPARSE, array.length, ...places.flatMap(([index, place]) => [Number(index), place])];
}

function notationOfFields(object: object, walk: Walk): unknown {
  const fields: object = { ...object };
  if (Object.getOwnPropertySymbols(fields).length > 0) throw refusal("an object with symbol keys", walk);
  const places = placesOf(Object.entries(fields), walk);
  // JSON has that key, and this notation does not.
  return Object.hasOwn(fields, "__proto__") ? ["Entries", put(inTurn(places, walk), walk)] : Object.fromEntries(places);
}

function inTurn(places: Places, walk: Walk): readonly number[] {
  return places.flatMap(([key, place]) => [placeOf(key, walk), place]);
}

/** Without its stack, and without what has no notation: an error is for people, not for freight. */
function recordOf(error: Error, outside: Walk): unknown {
  // Parts that are had with gaps must not be found where a gap is a fault.
  const walk = { ...outside, lenient: true, seen: new Map(outside.seen) };
  const keys = Object.keys(error);
  const fieldsOf = (names: readonly string[]) =>
    names.map((name): [string, unknown] => [name, Reflect.get(error, name)]);
  const inner = ["name", "message", "cause", "errors"].filter((key) => key in error);
  const fields = fieldsOf(inner.filter((key) => key !== "errors" || !keys.includes(key)));
  const brand = brandOf(error);
  if (brand !== undefined) fields.push(["brand", brand]);
  if (keys.includes("name")) fields.push(["ownName", true]);
  const own = placesOf(fieldsOf(keys.filter((key) => !RESERVED.includes(key))), walk);
  return { ...Object.fromEntries(placesOf(fields, walk)), own: put(inTurn(own, walk), walk) };
}

function refusal(what: string, { path }: Walk): RequestRefused {
  const at = path.join("").slice(0, PATH_LENGTH);
  const detail = `Cannot journal the value${at && ` at ${at}`} as ${what} is not a journalable value.`;
  return new RequestRefused({ status: 422, code: "VALIDATION_ERROR", detail, issues: [{ path: at, message: detail }] });
}
