import { LIMITS } from "../limits.ts";
import { copyPart } from "./value-copy.ts";
import { write } from "./value-encode.ts";
import { describe } from "./value-kinds.ts";
import { truncateUtf8, utf8Length } from "./value-text.ts";
import { DROPPED, startWalk, type ErrorExtent } from "./value-walk.ts";

/** A failure is for people and decisions, not for freight. */
const THROWN_BYTES = 64 * 1_024;

/** Names are compared with lists of names; a longer one is in no list. */
const NAME_BYTES = 128;
const DESCRIPTION_BYTES = 128;

const TEXTS = { nameBytes: NAME_BYTES, messageBytes: LIMITS.failureMessageBytes };

/** What is tried in turn until the text is small enough. */
const EXTENTS: readonly ErrorExtent[] = [
  { properties: "all", causes: true, ...TEXTS },
  { properties: "declared", causes: true, ...TEXTS },
  { properties: "declared", causes: false, ...TEXTS },
  { properties: "code", causes: false, ...TEXTS },
];

/**
 * The text under which something that was thrown is journaled, whatever it is: never throws. Of an error, each message
 * keeps 8 KiB, each name 128 bytes, and 8 causes stay; parts that cannot be journaled are left out. Where the text would
 * be over `maximumBytes`, an error keeps name, message, code, what its engine class declares, and its causes; then all
 * but the causes; then only name, message and a short code. Anything else that is too large, or cannot be journaled at
 * all, becomes a string that describes it.
 *
 * @param maximumBytes bound of the text in UTF-8. Default 64 KiB; give the bound of values where the details of a
 * declared error must arrive whole. A string of at most 128 bytes is always kept.
 */
export function encodeThrown(thrown: unknown, maximumBytes: number = THROWN_BYTES): string {
  const bounded = typeof thrown === "string" ? truncateUtf8(thrown, LIMITS.failureMessageBytes) : thrown;
  for (const extent of EXTENTS) {
    const text = tryExtent(bounded, extent, maximumBytes);
    if (text !== undefined) return text;
  }
  return write(describeThrown(bounded), startWalk(Infinity));
}

function tryExtent(thrown: unknown, extent: ErrorExtent, maximumBytes: number): string | undefined {
  try {
    const walk = startWalk(maximumBytes, extent);
    const copy = copyPart(thrown, walk);
    if (copy === DROPPED) return undefined;
    const text = write(copy, walk);
    return utf8Length(text) <= maximumBytes ? text : undefined;
  } catch {
    // Too large, or the caller left too little of the stack: the next extent needs less of both.
    return undefined;
  }
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown === "string" || typeof thrown === "symbol" || typeof thrown === "bigint") {
    return truncateUtf8(String(thrown), DESCRIPTION_BYTES);
  }
  return truncateUtf8(describe(thrown), DESCRIPTION_BYTES);
}
