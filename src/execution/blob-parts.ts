import { LIMITS } from "../limits.ts";

/** The UTF-8 of a large value's text, in parts that fit a row each. */
export function splitBlob(text: string): ArrayBuffer[] {
  const bytes = new TextEncoder().encode(text);
  const parts: ArrayBuffer[] = [];
  for (let from = 0; from < bytes.length; from += LIMITS.blobPartBytes) {
    parts.push(bytes.slice(from, from + LIMITS.blobPartBytes).buffer);
  }
  return parts;
}

/** The text that `splitBlob` took apart. */
export function joinBlob(parts: readonly ArrayBuffer[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return parts.map((data) => decoder.decode(data, { stream: true })).join("") + decoder.decode();
}
