import { BRAND } from "../steps/brand.ts";
import { HOLE, NEGATIVES, SPARSE } from "./value-notation.ts";

type Fields = Readonly<Record<PropertyKey, unknown>>;
type List = readonly unknown[];
type Class = (new (part?: unknown) => object) & { readonly prototype: object };

/** Classes of the platform that a name in a text can lead to: over bytes, and of errors. */
const VIEW = /^\w+\d\w*Array$|^DataView$/;
const NATIVE_ERROR = /^(?:Eval|Range|Reference|Syntax|Type|URI|Aggregate)Error$/;

/** How the parts of a part are had. */
interface Reading {
  readonly at: (place: unknown) => unknown;
  /** Comes before the parts of a part are had, as they may lead back to it. */
  readonly keep: <Part>(part: Part) => Part;
}

/**
 * The value of what `JSON.parse` has made of a value codec's text. Errors of the engine come as plain errors with their
 * brand, by which guards know them, so that their classes need not be here.
 *
 * @throws {Error} where it is no such value
 */
export function decodeValue(flat: number | List): unknown {
  const parts = new Map<unknown, unknown>(NEGATIVES);
  const flats = typeof flat === "number" ? [] : flat;
  const at = (place: unknown): unknown => {
    if (parts.has(place)) return parts.get(place);
    // The casts: what is no number names no place.
    if (!Object.hasOwn(flats, place as number)) throw unreadable(place);
    const notation = flats[place as number];
    if (typeof notation !== "object" || notation === null) return notation;
    const keep = <Part>(part: Part): Part => {
      parts.set(place, part);
      return part;
    };
    return Array.isArray(notation)
      ? partOf(notation, { at, keep })
      : fill(keep({}), Object.entries(notation).flat(), at);
  };
  return at(typeof flat === "number" ? flat : 0);
}

function partOf(notation: List, { at, keep }: Reading): unknown {
  const [tag] = notation;
  if (typeof tag !== "string") return fillArray(keep([]), notation, at);
  // The cast: behind a tag stands text, or the place of the one part that there is.
  const [, first = "", second = ""] = notation as readonly string[];
  switch (tag) {
    case "Date":
      return keep(new Date(first));
    case "RegExp":
      return keep(new RegExp(first, second));
    case "URL":
      return keep(new URL(first));
    case "BigInt":
      return BigInt(first);
    case "ArrayBuffer":
      return keep(Uint8Array.from(atob(first), (unit) => unit.charCodeAt(0)).buffer);
    case "Set": {
      const set = keep(new Set());
      for (const place of notation.slice(1)) set.add(at(place));
      return set;
    }
    case "Map": {
      const map = keep(new Map());
      for (let index = 1; index < notation.length; index += 2) map.set(at(notation[index]), at(notation[index + 1]));
      return map;
    }
    case "Entries":
      return fill(keep({}), at(first) as List);
    case "Error":
      return fillError(keep(new Error()), at(first) as Fields);
    default:
      if (!VIEW.test(tag)) throw unreadable(tag);
      return keep(new (classOf(tag))(at(first)));
  }
}

function fillArray(array: unknown[], notation: List, at: Reading["at"]): unknown {
  if (notation[0] === SPARSE) {
    // Gives it its length, and not the storage for it.
    array[Number(notation[1]) - 1] = 0;
    array.pop();
    array.length += 1;
    for (let index = 2; index < notation.length; index += 2) array[Number(notation[index])] = at(notation[index + 1]);
    return array;
  }
  for (const [index, place] of notation.entries()) if (place !== HOLE) array[index] = at(place);
  array.length = notation.length;
  return array;
}

/** Keys and values in turn. Defined, not assigned: an assignment to `__proto__` would set the prototype. */
function fill(object: object, fields: List, read = (value: unknown) => value): object {
  for (let index = 0; index < fields.length; index += 2)
    define(object, { [String(fields[index])]: read(fields[index + 1]) }, true);
  return object;
}

function fillError(error: Error, { name, message, ownName, brand, own = [], ...inner }: Fields): Error {
  if (brand === undefined && NATIVE_ERROR.test(String(name)))
    Object.setPrototypeOf(error, classOf(String(name)).prototype);
  fill(error, own as List);
  define(error, { name }, ownName === true);
  const stack = message === "" ? name : `${String(name)}: ${String(message)}`;
  define(error, { message, stack, ...inner, ...(brand !== undefined && { [BRAND]: brand }) }, false);
  return error;
}

/** The cast: both patterns name classes alone. */
function classOf(name: string): Class {
  return Reflect.get(globalThis, name) as Class;
}

function define(object: object, fields: Fields, enumerable: boolean): void {
  for (const key of Reflect.ownKeys(fields)) {
    Object.defineProperty(object, key, { value: fields[key], enumerable, writable: true, configurable: true });
  }
}

function unreadable(found: unknown): TypeError {
  return new TypeError(`Cannot read a value as its notation must be known: current value is ${String(found)}`);
}
