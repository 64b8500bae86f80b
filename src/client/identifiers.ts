import { showValue } from "../steps/show-value.ts";

/** What a header carries unchanged. */
const KEY = /^[!-~](?:[ -~]{0,254}[!-~])?$/;

/** A UUID of version 7: ids sort by the millisecond in which they were made. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  // Half of y is not chance: it is the variant.
  return `${time.slice(0, 8)}-${time.slice(8)}-7xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (digit === "x" ? random % 16 : 8 + (random % 4)).toString(16);
  });
}

/**
 * @throws {RangeError} that names the rule and the value
 */
export function checkKey(key: string): string {
  if (KEY.test(key)) return key;
  throw new RangeError(
    `Cannot use idempotencyKey as it must be 1 to 256 printable ASCII characters: ` +
      `current value is ${showValue(key)}`,
  );
}

/**
 * The name of a workflow, of its spec, or itself.
 *
 * @throws {TypeError} for anything else
 */
export function nameOf(workflow: unknown): string {
  // The cast: everything but null and undefined can be asked for a property.
  const name = typeof workflow === "string" ? workflow : (workflow as { readonly name?: unknown } | null)?.name;
  if (typeof name === "string") return name;
  throw new TypeError(
    `Cannot use workflow as it must be a workflow or its name: current value is ${showValue(workflow)}`,
  );
}
