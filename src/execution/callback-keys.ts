import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { secretOf } from "./secret.ts";

/** The names of the secrets, which the configuration is checked by as well. */
export const CALLBACK_SECRETS = ["STEPWELL_CALLBACK_KEY", "STEPWELL_CALLBACK_KEY_PREVIOUS"] as const;

/** What tokens are signed with, and what they may have been signed with. None where no secret is set. */
export interface CallbackKeys {
  readonly signing: Uint8Array | undefined;
  readonly accepted: readonly Uint8Array[];
}

const KEY_BYTES = 32;
const PURPOSE = utf8ToBytes("stepwell callbacks");

/** Known to everybody, and good on loopback only: whoever is there needs no token for anything. */
const DEVELOPMENT_SECRET = "stepwell development";

/** `127.0.0.0/8`, as `URL` writes every form of its addresses. */
const LOOPBACK_ADDRESS = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || LOOPBACK_ADDRESS.test(hostname);
}

/**
 * The keys of a Worker for callbacks whose URLs have this host. Every secret becomes a key in the same way, so that a
 * token can be made the key, or the previous key, of the one that comes after it.
 */
export function callbackKeys(env: unknown, hostname: string): CallbackKeys {
  const [current, previous] = CALLBACK_SECRETS.map((name) => secretOf(env, name));
  const secret = current ?? secretOf(env, "STEPWELL_TOKEN") ?? developmentSecret(env, hostname);
  const signing = secret === undefined ? undefined : keyOf(secret);
  return { signing, accepted: [...present(signing), ...present(previous === undefined ? undefined : keyOf(previous))] };
}

function developmentSecret(env: unknown, hostname: string): string | undefined {
  const isOpen = secretOf(env, "STEPWELL_READ_TOKEN") === undefined && isLoopback(hostname);
  return isOpen ? DEVELOPMENT_SECRET : undefined;
}

/** A secret is text of any length, and is never used as a key itself. */
function keyOf(secret: string): Uint8Array {
  return hkdf(sha256, utf8ToBytes(secret), undefined, PURPOSE, KEY_BYTES);
}

function present(key: Uint8Array | undefined): readonly Uint8Array[] {
  return key === undefined ? [] : [key];
}
