import { LIMITS } from "../limits.ts";

/** One preference of RFC 7240 with its value and parameters. Sticky, so that text between two is seen. */
const PREFERENCE = /[\s,]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s,;"]*))?\s*(?:;[^,]*)?(?:,|$)/y;

/** A wait that the caller prefers over an answer at once. */
export interface PreferredWait {
  readonly waitMs: number;
  /** What `Preference-Applied` says. */
  readonly applied: string;
}

/**
 * The wait in a `Prefer` header: whole seconds, more than 60 are 60. `undefined` where none is given or the header is
 * malformed: a preference may always be ignored.
 */
export function preferredWait(header: string | null): PreferredWait | undefined {
  if (header === null) return undefined;
  PREFERENCE.lastIndex = 0;
  for (let found = PREFERENCE.exec(header); found !== null; found = PREFERENCE.exec(header)) {
    // The first of two equal preferences rules.
    if (found[1]?.toLowerCase() === "wait") return waitOf(found[2] ?? "");
  }
  return undefined;
}

function waitOf(text: string): PreferredWait | undefined {
  const digits = text.startsWith('"') ? text.slice(1, -1) : text;
  if (!/^[0-9]+$/.test(digits)) return undefined;
  const waitMs = Math.min(Number(digits) * 1_000, LIMITS.requestWaitMs);
  return { waitMs, applied: `wait=${waitMs / 1_000}` };
}
