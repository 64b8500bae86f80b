import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { v4 } from "uuid";
import { toBase64Url } from "./value-text.ts";

const UUID_BYTES = 16;
const KEY_BYTES = 24;
const SPAN_BYTES = 8;
const TRACE_BYTES = 16;

/**
 * Everything random in an execution is drawn from its journaled seed by the label of what it is for, so that no draw
 * depends on how many came before it, and nothing has to be written for it.
 */
function digest(seed: string, label: string): Uint8Array {
  return sha256(utf8ToBytes(`${seed}\0${label}`));
}

/** A number from 0 up to but not including 1, with 53 random bits: the same for the same seed and label. */
export function drawUnit(seed: string, label: string): number {
  const bytes = digest(seed, label);
  const words = new DataView(bytes.buffer, bytes.byteOffset);
  return Number(words.getBigUint64(0) >> 11n) / 2 ** 53;
}

/** From half of `longestMs` up to all of it: what was refused at one moment does not come again at one. */
export function drawDelay(seed: string, label: string, longestMs: number): number {
  return Math.round(longestMs * (1 - drawUnit(seed, label) / 2));
}

/** A version 4 UUID: the same for the same seed and label, unrelated to the number under that label. */
export function drawUuid(seed: string, label: string): string {
  return v4({ random: digest(seed, `uuid\0${label}`).slice(0, UUID_BYTES) });
}

/** A key of 32 characters that may stand in a header or URL: the same for the same seed and label. */
export function deriveKey(seed: string, label: string): string {
  return toBase64Url(digest(seed, `key\0${label}`).slice(0, KEY_BYTES));
}

/** The id of a span, 16 hexadecimal digits: the same for the same seed and label. */
export function deriveSpan(seed: string, label: string): string {
  return bytesToHex(digest(seed, `span\0${label}`).slice(0, SPAN_BYTES));
}

/** The id of a trace, 32 hexadecimal digits: the same for the same seed. */
export function deriveTrace(seed: string): string {
  return bytesToHex(digest(seed, "trace").slice(0, TRACE_BYTES));
}

/** SHA-256 of the UTF-8 bytes of `text` in base64url without padding: 43 characters. */
export function hashText(text: string): string {
  return toBase64Url(sha256(utf8ToBytes(text)));
}
