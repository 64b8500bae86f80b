import { stringify } from "devalue";
import { copyPart, copyPlain } from "./value-copy.ts";
import { notJournalable } from "./value-fault.ts";
import { encodeFlat, encodeScalar, FLAT_BYTES } from "./value-flat.ts";
import { chargeSlot, SLOT_BYTES, startWalk, Tagged, type Walk } from "./value-walk.ts";

/** How the flat format writes what it has no notation for. */
const REDUCERS = {
  Error: (value: unknown) => value instanceof Tagged && value.kind === "Error" && value.content,
  Entries: (value: unknown) => value instanceof Tagged && value.kind === "Entries" && value.content,
};

/**
 * The text under which a value is journaled: well-formed, so that it survives UTF-8. The value may be of any of the
 * kinds that `value.ts` lists.
 *
 * @param maximumBytes bound of the value before encoding: UTF-8 bytes of its text, keys included, raw bytes of binary,
 * 8 for a number, a date or a container, 1 for another scalar; a repeated reference counts once
 * @throws {ValueFault} with the path of what cannot be journaled, or with the size
 */
export function encodeValue(value: unknown, maximumBytes: number): string {
  const scalar = maximumBytes < FLAT_BYTES ? undefined : encodeScalar(value);
  if (scalar !== undefined) return scalar;
  if (typeof value !== "object" || value === null) return encodeWalked(value, startWalk(maximumBytes));
  const clone = clonePlain(value);
  if (clone === undefined) return encodeWalked(value, startWalk(maximumBytes));
  const flat = maximumBytes < FLAT_BYTES ? undefined : encodeFlat(clone);
  if (flat !== undefined) return flat;
  const walk = startWalk(maximumBytes);
  chargeSlot(walk, SLOT_BYTES);
  return write(copyPlain(value, clone, walk), walk);
}

function encodeWalked(value: unknown, walk: Walk): string {
  return write(copyPart(value, walk), walk);
}

/** A shallow copy of a plain object, whose getters are read here and never again. */
function clonePlain(value: object): Record<string, unknown> | undefined {
  try {
    return Object.getPrototypeOf(value) === Object.prototype ? { ...value } : undefined;
  } catch {
    // Whatever its getter or trap threw says nothing about the rule that was broken.
    throw notJournalable([], "a value that cannot be read");
  }
}

/** The text of the copy that a walk made. */
export function write(copy: unknown, walk: Walk): string {
  return walk.meter.tagged ? stringify(copy, REDUCERS) : stringify(copy);
}
