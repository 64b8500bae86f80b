import { showValue } from "../steps/show-value.ts";

const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/**
 * Where the outside reaches the Worker: an absolute URL of http or https, given back without a slash at its end.
 *
 * @throws TypeError for what is no string, RangeError for any other text
 */
export function checkPublicUrl(value: unknown): string {
  const rule = "it must be an absolute URL of http or https without a query, a fragment or credentials";
  const message = `Cannot use publicUrl as ${rule}: current value is ${showValue(value)}`;
  if (typeof value !== "string") throw new TypeError(message);
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // What URL has understood, and nothing besides: `?` or `#` alone leave no query and no fragment.
  const plain = url === undefined ? undefined : url.origin + url.pathname;
  if (plain === undefined || url?.href !== plain || !/^https?:/.test(plain)) throw new RangeError(message);
  return plain.replace(/\/+$/, "");
}

/**
 * The path under which the outside sees the routes.
 *
 * @throws TypeError for what is no string, RangeError for any other text
 */
export function checkBasePath(value: unknown): string {
  if (typeof value === "string" && BASE_PATH.test(value)) return value;
  const rule = 'it must begin with "/", not end with it, and consist of A-Z a-z 0-9 . _ ~ -';
  const message = `Cannot use basePath as ${rule}: current value is ${showValue(value)}`;
  throw typeof value === "string" ? new RangeError(message) : new TypeError(message);
}
