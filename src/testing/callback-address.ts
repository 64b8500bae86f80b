import { callbackKeys } from "../execution/callback-keys.ts";
import { type CallbackAddress, readCallback } from "../execution/callback-token.ts";
import { CALLBACKS_PATH } from "../execution/callback-urls.ts";
import { OperationRefused } from "../steps/errors.ts";
import { showValue } from "../steps/show-value.ts";

/** Where starts in tests seem to come from: on loopback callbacks need no secret. */
export const TEST_ORIGIN = "http://localhost";

/**
 * Whom the URL of a callback is for.
 *
 * @throws TypeError for what is no URL, OperationRefused with code `NOT_FOUND` for one that nobody was given
 */
export function callbackAddress(url: unknown, env: unknown): CallbackAddress {
  if (typeof url !== "string" || !URL.canParse(url)) {
    throw new TypeError(`Cannot use url as it must be that of a callback: current value is ${showValue(url)}`);
  }
  const { hostname, pathname } = new URL(url);
  const [, token = ""] = pathname.split(`${CALLBACKS_PATH}/`);
  const address = readCallback(token, callbackKeys(env, hostname).accepted);
  if (address === undefined) throw new OperationRefused("NOT_FOUND", "No callback has this token");
  return address;
}
