/**
 * Short cuts for the small values that most steps return: the same text as the long way gives, without its bookkeeping.
 */

/** A value that these short cuts take has at most this many bytes; whoever allows fewer goes the long way. */
export const FLAT_BYTES = 4_096;

const KEYS = 8;
const TEXT_LENGTH = 64;

/** First and last of the characters that print. */
const SPACE = 0x20;
const TILDE = 0x7e;
/** Those among them that the format escapes. */
const QUOTE = 0x22;
const LESS_THAN = 0x3c;
const BACKSLASH = 0x5c;

/** The text of a scalar, `undefined` for everything that is not simple. */
export function encodeScalar(value: unknown): string | undefined {
  const notation = notationOf(value);
  if (notation === undefined) return undefined;
  return typeof notation === "number" ? String(notation) : `[${notation}]`;
}

/** The text of a plain object without nesting, `undefined` for everything that is not simple. */
export function encodeFlat(object: Readonly<Record<string, unknown>>): string | undefined {
  const keys = Object.keys(object);
  if (keys.length > KEYS || Object.getOwnPropertySymbols(object).length > 0) return undefined;
  const notations: string[] = [];
  let fields = "";
  for (const key of keys) {
    const notation = notationOf(object[key]);
    if (notation === undefined || !isSimple(key) || key === "__proto__") return undefined;
    fields += `${fields === "" ? "" : ","}"${key}":${typeof notation === "number" ? notation : place(notation, notations)}`;
  }
  return notations.length === 0 ? `[{${fields}}]` : `[{${fields}},${notations.join(",")}]`;
}

/** Equal scalars share one place; the object itself has the place 0. */
function place(notation: string, notations: string[]): number {
  const known = notations.indexOf(notation);
  return known === -1 ? notations.push(notation) : known + 1;
}

/** JSON text, or one of the format's negative numbers for what JSON lacks. */
function notationOf(value: unknown): string | number | undefined {
  switch (typeof value) {
    case "string":
      return isSimple(value) ? `"${value}"` : undefined;
    case "number":
      return notationOfNumber(value);
    case "boolean":
      return value ? "true" : "false";
    case "undefined":
      return -1;
    default:
      return value === null ? "null" : undefined;
  }
}

function notationOfNumber(value: number): string | number | undefined {
  if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
  return String(value);
}

/** Short ASCII text that stands in the format as it is. A loop, since patterns cost more than all the rest. */
function isSimple(text: string): boolean {
  if (text.length > TEXT_LENGTH) return false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < SPACE || unit > TILDE || unit === QUOTE || unit === LESS_THAN || unit === BACKSLASH) return false;
  }
  return true;
}
