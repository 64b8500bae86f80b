import { MAXIMUM_DEPTH, notJournalable, type PathStep } from "./value-fault.ts";
import { classify, describe, populatedIndexes } from "./value-kinds.ts";
import { Repeats } from "./value-repeats.ts";
import { toBase64 } from "./value-text.ts";

interface Walk {
  readonly path: PathStep[];
  /** The objects around this place, with their levels. */
  readonly levelsByObject: Map<object, number>;
  /** The objects in the order in which they were written first. */
  readonly numbersByObject: Map<object, number>;
  readonly repeats: Repeats;
}

/**
 * A text for hashing: the same for two values that differ only in the order of keys, and different for values of
 * different types (`1` and `"1"`, a date and its ISO text). `0` and `-0` are the same; elements of a `Map` or `Set` keep
 * their order. A reference to something around it is written as its level; other repeated references as what they refer
 * to, until 16 MiB have been (a part counts 32 bytes besides its text), and as numbers from then on. Of errors name,
 * message, cause and own properties count.
 *
 * @throws {ValueFault} `VALUE_NOT_JOURNALABLE`
 */
export function canonicalText(value: unknown): string {
  return textOf(value, { path: [], levelsByObject: new Map(), numbersByObject: new Map(), repeats: new Repeats() });
}

function textOf(value: unknown, walk: Walk): string {
  if (typeof value === "object" && value !== null) return textOfObject(value, walk);
  walk.repeats.part();
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return walk.repeats.text(JSON.stringify(value));
    case "bigint":
      return walk.repeats.text(`${value}n`);
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    default:
      throw notJournalable(walk.path, describe(value));
  }
}

function textOfObject(value: object, walk: Walk): string {
  const level = walk.levelsByObject.get(value);
  if (level !== undefined) return `^${level}`;
  const known = walk.numbersByObject.get(value);
  const isKnown = known !== undefined;
  if (isKnown && walk.repeats.areTooMany) return `#${known}`;
  if (walk.levelsByObject.size > MAXIMUM_DEPTH) {
    throw notJournalable(walk.path, `a value more than ${MAXIMUM_DEPTH} levels deep`);
  }
  walk.levelsByObject.set(value, walk.levelsByObject.size);
  if (!isKnown) walk.numbersByObject.set(value, walk.numbersByObject.size);
  walk.repeats.enter(isKnown);
  walk.repeats.part();
  const text = textOfClassified(value, walk);
  walk.repeats.leave(isKnown);
  walk.levelsByObject.delete(value);
  return text;
}

function textOfClassified(source: object, walk: Walk): string {
  const classified = classify(source);
  switch (classified.kind) {
    case "plain":
      return textOfFields(classified.value, walk);
    case "array":
      return textOfArray(classified.value, walk);
    case "map":
      return `Map${textOfParts([...classified.value].flat(), walk)}`;
    case "set":
      return `Set${textOfParts([...classified.value], walk)}`;
    case "date":
      return `Date(${classified.value.getTime()})`;
    case "regexp":
      return `RegExp(${walk.repeats.text(JSON.stringify(String(classified.value)))})`;
    case "url":
      return `URL(${walk.repeats.text(JSON.stringify(classified.value.href))})`;
    case "buffer":
      return `ArrayBuffer(${toBase64(walk.repeats.bytes(classified.bytes))})`;
    case "view":
      return `${classified.name}(${toBase64(walk.repeats.bytes(classified.bytes))})`;
    case "boxed":
      return textOf(classified.value, walk);
    case "error":
      return `Error${textOfFields(fieldsOf(classified.value), walk)}`;
    case "foreign":
      throw notJournalable(walk.path, describe(source));
  }
}

function textOfFields(fields: Readonly<Record<string, unknown>>, walk: Walk): string {
  const texts = Object.keys(fields)
    .toSorted()
    .map((key) => `${walk.repeats.text(JSON.stringify(key))}:${textOfMember(fields[key], key, walk)}`);
  return `{${texts.join(",")}}`;
}

function textOfArray(array: readonly unknown[], walk: Walk): string {
  const indexes = populatedIndexes(array);
  if (indexes === undefined) return textOfParts(array, walk);
  return `[${array.length};${indexes.map((index) => `${index}:${textOfMember(array[index], index, walk)}`).join(",")}]`;
}

function textOfParts(parts: readonly unknown[], walk: Walk): string {
  return `[${parts.map((part, index) => textOfMember(part, index, walk)).join(",")}]`;
}

function textOfMember(value: unknown, step: PathStep, walk: Walk): string {
  walk.path.push(step);
  const text = textOf(value, walk);
  walk.path.pop();
  return text;
}

function fieldsOf(error: Error): Readonly<Record<string, unknown>> {
  const cause = Object.hasOwn(error, "cause") ? { cause: error.cause } : {};
  return { ...Object.fromEntries(Object.entries(error)), ...cause, name: error.name, message: error.message };
}
