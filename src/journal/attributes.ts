import { LIMITS } from "../limits.ts";
import { readFields } from "../steps/read-fields.ts";
import { showValue } from "../steps/show-value.ts";

/**
 * What executions are found by: up to 20 names of 1 to 64 of `A-Z a-z 0-9 _ . -`, each with a string of up to 256
 * characters, a finite number or a boolean.
 */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

const NAME = /^[A-Za-z0-9_.-]+$/;

/**
 * Checks attributes, and copies and freezes them. An explicit `undefined` is an absent attribute.
 *
 * @throws TypeError or RangeError that names the attribute, the rule and the value
 */
export function checkAttributes(value: unknown): Attributes {
  const checked: Record<string, string | number | boolean> = {};
  for (const [name, given] of entriesOf(value)) {
    if (given === undefined) continue;
    checkName(name);
    // Not by assignment, which takes `__proto__` for the prototype.
    Object.defineProperty(checked, name, { value: checkValue(given, name), enumerable: true });
  }
  return mergeAttributes({}, checked);
}

/**
 * The attributes after some were set: the latest value of each name, and the others as they were.
 *
 * @throws RangeError where there would be too many
 */
export function mergeAttributes(before: Attributes, set: Attributes): Attributes {
  const merged = Object.freeze({ ...before, ...set });
  const count = Object.keys(merged).length;
  if (count <= LIMITS.attributes) return merged;
  throw new RangeError(
    `Cannot set attributes as an execution may have ${LIMITS.attributes} of them: current value is ${count}`,
  );
}

/** Of a plain object, whose keys are the author's own. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const names = entries.map(([name]) => name);
  readFields(value, "attributes", names);
  return entries;
}

function checkName(name: string): void {
  if (name.length <= LIMITS.attributeNameLength && NAME.test(name)) return;
  throw new RangeError(
    `Cannot use the name of an attribute as it must be 1 to ${LIMITS.attributeNameLength} of A-Z a-z 0-9 _ . -: ` +
      `current value is ${showValue(name)}`,
  );
}

function checkValue(value: unknown, name: string): string | number | boolean {
  const cannot = `Cannot use attributes.${name} as`;
  const shown = `current value is ${showValue(value)}`;
  switch (typeof value) {
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new RangeError(`${cannot} a number must be finite: ${shown}`);
      // JSON has no negative zero.
      return value + 0;
    case "string":
      if (value.length <= LIMITS.attributeLength) return value;
      throw new RangeError(`${cannot} a string must be at most ${LIMITS.attributeLength} characters: ${shown}`);
    default:
      throw new TypeError(`${cannot} it must be a string, a number or a boolean: ${shown}`);
  }
}
