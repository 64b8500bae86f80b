import { unflatten } from "devalue";
import { restoreError } from "./value-error.ts";

/**
 * The value of a text that `encodeValue` or `encodeThrown` made. Nothing in the text is executed, and no key of it can
 * reach a prototype, wherever the text comes from.
 *
 * @throws {Error} where the text is no journaled value: of whatever class says so first
 */
export function decodeValue(text: string): unknown {
  return decodeParsed(JSON.parse(text));
}

/**
 * As `decodeValue`, for what `JSON.parse` has read already.
 *
 * @throws {Error}
 */
export function decodeParsed(flat: unknown): unknown {
  // A scalar, as most steps give: it stands for itself.
  if (Array.isArray(flat) && flat.length === 1 && isScalar(flat[0])) return flat[0];
  if (typeof flat !== "number" && !Array.isArray(flat)) {
    throw new TypeError(`Cannot decode a value as it must be an array or a number: current value is ${typeof flat}`);
  }
  // Errors and entries may lead back to themselves: they are made empty and filled once everything is there.
  const errors = new Map<object, Error>();
  const objects = new Map<object, object>();
  const value: unknown = unflatten(flat, {
    Error: (content: unknown) => shellOf(content, errors, () => new Error()),
    Entries: (content: unknown) => shellOf(content, objects, () => ({})),
  });
  for (const [record, error] of errors) restoreError(error, record);
  for (const [entries, object] of objects) restoreEntries(object, entries);
  return value;
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function shellOf<Shell>(content: unknown, shells: Map<object, Shell>, create: () => Shell): Shell {
  if (typeof content !== "object" || content === null) {
    throw new TypeError(`Cannot decode a value as a tag must stand on an object: current value is ${String(content)}`);
  }
  const shell = shells.get(content) ?? create();
  shells.set(content, shell);
  return shell;
}

function restoreEntries(object: object, entries: object): void {
  if (!Array.isArray(entries))
    throw new TypeError("Cannot decode a value as entries must be an array: current value is an object");
  const parts: readonly unknown[] = entries;
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const field = { value: parts[index + 1], enumerable: true, writable: true, configurable: true };
    // Defined, not assigned: an assignment to `__proto__` would set the prototype.
    Object.defineProperty(object, String(parts[index]), field);
  }
}
