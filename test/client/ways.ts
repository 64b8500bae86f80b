import { decodeValue } from "../../src/client/decode-value.ts";
import { encodeValue } from "../../src/client/encode-value.ts";
import { decodeParsed, encodeValue as encodeInEngine } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";

/** What the engine reads of what the client has written, after a way as text. */
export function sent(value: unknown): unknown {
  return decodeParsed(JSON.parse(JSON.stringify(encodeValue(value))));
}

/** What the client reads of what the engine has written. */
export function received(value: unknown): unknown {
  return decodeValue(JSON.parse(encodeInEngine(value, LIMITS.valueBytes)));
}
