import { isSignature, signatureOf } from "./signature.ts";

/** Which callback of which execution a token is for. */
export interface CallbackAddress {
  readonly workflow: string;
  readonly id: string;
  /** When that execution was started: its id may be used again after a purge. */
  readonly startedAt: number;
  readonly callback: string;
}

/** Of the five parts only the id may hold a dot. The time is written in base 36. */
const TOKEN = /^([a-z0-9-]+)\.([0-9a-z]+)\.([A-Za-z0-9_-]+)\.(.+)\.([A-Za-z0-9_-]+)$/;
const BASE = 36;

/**
 * The token of a callback: its address, readable, and an HMAC-SHA-256 of that. All of it stands in a URL as it is. The
 * same for the same key, so that nothing has to be kept of it.
 */
export function signCallback(address: CallbackAddress, key: Uint8Array): string {
  const { workflow, id, startedAt, callback } = address;
  const text = [workflow, startedAt.toString(BASE), callback, id].join(".");
  return `${text}.${signatureOf(text, key)}`;
}

/** The address in a token that one of the keys has signed, `undefined` for any other text. */
export function readCallback(token: string, keys: readonly Uint8Array[]): CallbackAddress | undefined {
  const [, workflow, time, callback, id, signature] = TOKEN.exec(token) ?? [];
  if (workflow === undefined || time === undefined || callback === undefined) return undefined;
  if (id === undefined || signature === undefined) return undefined;
  const text = token.slice(0, -signature.length - 1);
  if (!keys.some((key) => isSignature(signature, text, key))) return undefined;
  return { workflow, id, startedAt: Number.parseInt(time, BASE), callback };
}
