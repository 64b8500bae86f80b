import { LIMITS } from "../limits.ts";
import { recordError } from "./value-error.ts";
import { MAXIMUM_DEPTH, ValueFault, type PathStep } from "./value-fault.ts";
import { classify, describe, populatedIndexes, UrlClass } from "./value-kinds.ts";
import { utf8Length } from "./value-text.ts";
import { charge, chargeSlot, DROPPED, refuse, remember, SLOT_BYTES, Tagged, type Walk } from "./value-walk.ts";

/**
 * A copy of one part that holds nothing but what the flat format can write: what the author does to the source later,
 * or a getter answers the second time, has no effect. {@link DROPPED} where the walk is lenient.
 *
 * @throws {ValueFault}
 */
export function copyPart(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case "string":
      charge(walk, utf8Length(value));
      return value;
    case "number":
      chargeSlot(walk, SLOT_BYTES);
      return value;
    case "bigint":
      charge(walk, value.toString().length);
      return value;
    case "boolean":
    case "undefined":
      chargeSlot(walk, 1);
      return value;
    case "object":
      if (value !== null) return copyObject(value, walk);
      chargeSlot(walk, 1);
      return null;
    default:
      return refuse(walk, describe(value));
  }
}

function copyObject(source: object, walk: Walk): unknown {
  const known = walk.copies.get(source) ?? (walk.lenient ? walk.lenientCopies.get(source) : undefined);
  if (known !== undefined) return known;
  const depth = walk.path.length;
  if (depth > MAXIMUM_DEPTH) return refuse(walk, `a value more than ${MAXIMUM_DEPTH} levels deep`);
  chargeSlot(walk, SLOT_BYTES);
  try {
    return copyClassified(source, walk);
  } catch (error) {
    if (error instanceof ValueFault) throw error;
    // A getter or a proxy's trap threw, or the caller had left too little of the stack.
    walk.path.length = depth;
    return refuse(walk, "a value that cannot be read");
  }
}

function copyClassified(source: object, walk: Walk): unknown {
  const classified = classify(source);
  switch (classified.kind) {
    case "plain":
      return copyPlain(source, { ...classified.value }, walk);
    case "array":
      return copyArray(classified.value, walk);
    case "map":
      return copyMap(classified.value, walk);
    case "set":
      return copySet(classified.value, walk);
    case "error":
      return copyError(classified.value, walk);
    case "boxed":
      return copyPart(classified.value, walk);
    case "foreign":
      return refuse(walk, describe(source));
    case "date":
      return remember(source, new Date(classified.value.getTime()), walk);
    case "regexp":
      charge(walk, utf8Length(classified.value.source));
      return remember(source, new RegExp(classified.value.source, classified.value.flags), walk);
    case "url":
      charge(walk, utf8Length(classified.value.href));
      return remember(source, new UrlClass(classified.value.href), walk);
    case "buffer":
      charge(walk, classified.bytes.length);
      return remember(source, classified.bytes.slice().buffer, walk);
    case "view":
      charge(walk, classified.bytes.length);
      return remember(source, new classified.viewClass(new Uint8Array(classified.bytes).buffer), walk);
  }
}

/** The copy of the part that `step` leads to. */
export function copyMember(value: unknown, step: PathStep, walk: Walk): unknown {
  walk.path.push(step);
  const copy = copyPart(value, walk);
  walk.path.pop();
  return copy;
}

/**
 * Turns `clone`, a shallow copy of `source` whose getters have been read, into the copy.
 *
 * @throws {ValueFault}
 */
export function copyPlain(source: object, clone: Record<string, unknown>, walk: Walk): unknown {
  if (Object.getOwnPropertySymbols(clone).length > 0) return refuse(walk, "an object with symbol keys");
  // The flat format refuses the key, since a plain assignment of it sets the prototype.
  if (Object.hasOwn(clone, "__proto__")) return copyEntries(source, clone, walk);
  remember(source, clone, walk);
  for (const key of Object.keys(clone)) {
    charge(walk, utf8Length(key));
    const copy = copyMember(clone[key], key, walk);
    if (copy === DROPPED) delete clone[key];
    else clone[key] = copy;
  }
  return clone;
}

function copyEntries(source: object, clone: Record<string, unknown>, walk: Walk): Tagged {
  const entries: unknown[] = [];
  const tagged = remember(source, new Tagged("Entries", entries), walk);
  walk.meter.tagged = true;
  for (const [key, value] of Object.entries(clone)) {
    charge(walk, utf8Length(key));
    const copy = copyMember(value, key, walk);
    if (copy !== DROPPED) entries.push(key, copy);
  }
  return tagged;
}

function copyArray(source: readonly unknown[], walk: Walk): unknown[] {
  const copy: unknown[] = [];
  remember(source, copy, walk);
  const indexes = populatedIndexes(source);
  const count = indexes?.length ?? source.length;
  if (indexes !== undefined) reserve(copy, source.length);
  for (let position = 0; position < count; position += 1) {
    const index = indexes?.[position] ?? position;
    const part = copyMember(source[index], index, walk);
    // The other elements keep their places.
    copy[index] = part === DROPPED ? undefined : part;
  }
  return copy;
}

/** Gives an array its length without the storage for it, which setting `length` alone may allocate. */
function reserve(array: unknown[], length: number): void {
  array[length - 1] = undefined;
  Reflect.deleteProperty(array, length - 1);
}

function copyMap(source: ReadonlyMap<unknown, unknown>, walk: Walk): Map<unknown, unknown> {
  const copy = remember(source, new Map<unknown, unknown>(), walk);
  let position = 0;
  for (const [key, value] of source) {
    const keyCopy = copyMember(key, { kind: "keys", position }, walk);
    const valueCopy = copyMember(value, { kind: "get", key }, walk);
    if (keyCopy !== DROPPED && valueCopy !== DROPPED) copy.set(keyCopy, valueCopy);
    position += 1;
  }
  return copy;
}

function copySet(source: ReadonlySet<unknown>, walk: Walk): Set<unknown> {
  const copy = remember(source, new Set<unknown>(), walk);
  let position = 0;
  for (const value of source) {
    const part = copyMember(value, { kind: "values", position }, walk);
    if (part !== DROPPED) copy.add(part);
    position += 1;
  }
  return copy;
}

function copyError(source: Error, walk: Walk): unknown {
  if (walk.enclosingErrors > LIMITS.causeDepth) return DROPPED;
  const record: Record<string, unknown> = {};
  const tagged = remember(source, new Tagged("Error", record), walk);
  walk.meter.tagged = true;
  const inside: Walk = { ...walk, lenient: true, enclosingErrors: walk.enclosingErrors + 1 };
  Object.assign(
    record,
    recordError(source, walk.extent, (value, step) => copyMember(value, step, inside)),
  );
  return tagged;
}
