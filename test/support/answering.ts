import { callbackKeys } from "../../src/execution/callback-keys.ts";
import { callbackUrls } from "../../src/execution/callback-urls.ts";
import type { Started } from "../../src/journal/entry.ts";
import { readCallback } from "../../src/execution/callback-token.ts";
import type { AnswerRequest, CallbackAnswer, Absent, Refused, Unacceptable } from "../../src/execution/wire.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";

/** Where starts of tests with callbacks seem to come to: on loopback no secret is needed. */
export const LOCAL_ORIGIN = "http://localhost:8787";

/** What the router makes of an answer to a URL. */
export function answerTo(url: string, value: unknown, key?: string): AnswerRequest {
  const { hostname, pathname } = new URL(url);
  const address = readCallback(pathname.split("/").at(-1) ?? "", callbackKeys({}, hostname).accepted);
  if (address === undefined) throw new Error(`${url} has no token.`);
  const { callback, startedAt } = address;
  return { callback, startedAt, value: encodeValue(value, LIMITS.valueBytes), ...(key !== undefined && { key }) };
}

/** As the code of an execution without secrets gets it. */
export function urlOfCallback(started: Started, callback: string): string {
  const urls = callbackUrls({}, {}, started);
  if (urls.kind === "unknown") throw new Error(urls.reason);
  return urls.urlOf(callback);
}

/** `answered`, `duplicate`, or the code of the refusal. */
export function verdictOf(answer: CallbackAnswer | Absent | Refused | Unacceptable): string {
  if (answer.kind === "refused" || answer.kind === "unacceptable") return answer.code;
  return answer.kind === "answered" && answer.duplicate ? "duplicate" : answer.kind;
}
