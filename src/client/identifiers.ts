import { showValue } from "../steps/show-value.ts";

/** What a header carries unchanged. */
const KEY = /^[!-~](?:[ -~]{0,254}[!-~])?$/;

/** A UUID of version 7: ids sort by the millisecond in which they were made. */
export function newId(): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  const time = Date.now().toString(16).padStart(12, "0");
  const hex = time + Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  // Two digits are not chance: the version, and the two bits of the variant.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, `$1-$2-7$3-${"89ab"[Number(random[0]) % 4]}$4-`);
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
  const name: unknown = typeof workflow === "object" ? Reflect.get(workflow ?? {}, "name") : workflow;
  if (typeof name === "string") return name;
  throw new TypeError(
    `Cannot use workflow as it must be a workflow or its name: current value is ${showValue(workflow)}`,
  );
}
