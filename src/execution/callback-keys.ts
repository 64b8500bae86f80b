import { secretOf } from "./secret.ts";
import { keyFor } from "./signature.ts";

/** The names of the secrets, which the configuration is checked by as well. */
const CURRENT = "STEPWELL_CALLBACK_KEY";
const PREVIOUS = "STEPWELL_CALLBACK_KEY_PREVIOUS";
export const CALLBACK_SECRETS = [CURRENT, PREVIOUS] as const;

/** What tokens are signed with, and what they may have been signed with. None where no secret is set. */
export interface CallbackKeys {
  readonly signing: Uint8Array | undefined;
  readonly accepted: readonly Uint8Array[];
}

/** The secret that signs, as a key: derived when it is first asked for, as most executions have no callbacks. */
export type SigningKey = () => Uint8Array;

const PURPOSE = "stepwell callbacks";

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
  const signing = signingKey(env, hostname)?.();
  const previous = secretOf(env, PREVIOUS);
  return {
    signing,
    accepted: [...present(signing), ...present(previous === undefined ? undefined : keyFor(PURPOSE, previous))],
  };
}

/** The key that signs the URLs of callbacks with this host; `undefined` where no secret is set. */
export function signingKey(env: unknown, hostname: string): SigningKey | undefined {
  const secret = secretOf(env, CURRENT) ?? secretOf(env, "STEPWELL_TOKEN") ?? developmentSecret(env, hostname);
  if (secret === undefined) return undefined;
  let key: Uint8Array | undefined;
  return () => (key ??= keyFor(PURPOSE, secret));
}

function developmentSecret(env: unknown, hostname: string): string | undefined {
  const isOpen = secretOf(env, "STEPWELL_READ_TOKEN") === undefined && isLoopback(hostname);
  return isOpen ? DEVELOPMENT_SECRET : undefined;
}

function present(key: Uint8Array | undefined): readonly Uint8Array[] {
  return key === undefined ? [] : [key];
}
