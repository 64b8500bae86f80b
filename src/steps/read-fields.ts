import { showValue } from "./show-value.ts";

/**
 * Reads a declaration that may have exactly these keys. Each field is read once, so that what was checked is what is
 * used, whatever a getter says the second time; an explicit `undefined` is an absent field.
 *
 * @throws TypeError for anything but a plain object, and for any other key.
 */
export function readFields<Key extends string>(
  value: unknown,
  field: string,
  keys: readonly Key[],
): Partial<Record<Key, unknown>> {
  if (!isPlainObject(value)) {
    throw new TypeError(`Cannot use ${field} as it must be a plain object: current value is ${showValue(value)}`);
  }
  const fields: Partial<Record<Key, unknown>> = {};
  for (const key of Reflect.ownKeys(value)) {
    const known = keys.find((candidate) => candidate === key);
    const given: unknown = Reflect.get(value, key);
    if (known === undefined) {
      const rule = `the keys of ${field} are ${keys.join(", ")}`;
      throw new TypeError(`Cannot use ${field}.${String(key)} as ${rule}: current value is ${showValue(given)}`);
    }
    if (given !== undefined) fields[known] = given;
  }
  return fields;
}

/** An instance of a class is none: what it inherits would be passed over in silence. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has that realm's Object.prototype, which is told by having no prototype itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
