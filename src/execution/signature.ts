import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { toBase64Url } from "../journal/value-text.ts";
import { isEqualSecret } from "./secret.ts";

const KEY_BYTES = 32;

/**
 * A key of a secret, which is text of any length and never used as a key itself. What is signed for one purpose is worth
 * nothing for another.
 */
export function keyFor(purpose: string, secret: string): Uint8Array {
  return hkdf(sha256, utf8ToBytes(secret), undefined, utf8ToBytes(purpose), KEY_BYTES);
}

/** HMAC-SHA-256, in base64url. */
export function signatureOf(text: string, key: Uint8Array): string {
  return toBase64Url(hmac(sha256, key, utf8ToBytes(text)));
}

/** The texts are compared, not what they decode to: of the forms of one signature only the engine's own counts. */
export function isSignature(presented: string, text: string, key: Uint8Array): boolean {
  return isEqualSecret(presented, signatureOf(text, key));
}
