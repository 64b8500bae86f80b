import { brandOf, type Brand } from "../steps/brand.ts";
import { ERROR_CLASSES } from "../steps/errors.ts";
import { readProperty } from "../steps/read-property.ts";
import type { PathStep } from "./value-fault.ts";
import { truncateUtf8 } from "./value-text.ts";
import { DROPPED, type ErrorExtent } from "./value-walk.ts";

/** What stands for an error in the flat format. */
export interface ErrorRecord {
  readonly name: string;
  readonly message: string;
  /** The `name` is the error's own enumerable property, as a class field is. */
  readonly ownName?: true;
  readonly brand?: Brand;
  readonly cause?: unknown;
  /** Of an `AggregateError`. */
  readonly errors?: unknown;
  /** The other own enumerable properties: key, value, key, value. */
  readonly own?: readonly unknown[];
}

/** Copies the value that `step` leads to; {@link DROPPED} if it cannot be journaled. */
export type CopyMember = (value: unknown, step: PathStep) => unknown;

/** Fields that have a place of their own in the record, or none at all. */
const RESERVED: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

/** What the engine's error classes declare. */
const DECLARED: ReadonlySet<string> = new Set([
  "code",
  "details",
  "status",
  "body",
  "retryAfter",
  "step",
  "attempts",
  "refusal",
  "retryAt",
]);

const CODE_LENGTH = 128;

/** The record of an error. The stack is never in it: it would differ from one isolate to the next. */
export function recordError(source: Error, extent: ErrorExtent, copy: CopyMember): ErrorRecord {
  const brand = brandOf(source);
  const cause = extent.causes && "cause" in source ? copy(readProperty(source, "cause"), "cause") : DROPPED;
  const errors =
    extent.properties === "all" && isAggregate(source) ? copy(readProperty(source, "errors"), "errors") : DROPPED;
  const own = copyProperties(source, propertiesToKeep(source, brand, extent), copy);
  return {
    name: copyText(readName(source, extent), "name", copy),
    message: copyText(readMessage(source, extent), "message", copy),
    ...(Object.prototype.propertyIsEnumerable.call(source, "name") ? { ownName: true } : {}),
    ...(isKnown(brand) ? { brand } : {}),
    ...(cause === DROPPED ? {} : { cause }),
    ...(errors === DROPPED ? {} : { errors }),
    ...(own.length === 0 ? {} : { own }),
  };
}

function isAggregate(source: Error): boolean {
  return Object.hasOwn(source, "errors") && !Object.prototype.propertyIsEnumerable.call(source, "errors");
}

/** A newer copy of this package may have brands that this one does not know. */
function isKnown(brand: Brand | undefined): brand is Brand {
  return brand !== undefined && Object.hasOwn(ERROR_CLASSES, brand);
}

function readName(source: Error, extent: ErrorExtent): string {
  const name = readProperty(source, "name");
  return typeof name === "string" ? truncateUtf8(name, extent.nameBytes) : "Error";
}

function readMessage(source: Error, extent: ErrorExtent): string {
  const message = readProperty(source, "message");
  return typeof message === "string"
    ? truncateUtf8(message, extent.messageBytes)
    : "The error has no readable message.";
}

/** A string is always copied as itself; going through `copy` counts its bytes. */
function copyText(text: string, step: PathStep, copy: CopyMember): string {
  copy(text, step);
  return text;
}

function propertiesToKeep(source: Error, brand: Brand | undefined, extent: ErrorExtent): readonly string[] {
  const keys = Object.keys(source).filter((key) => !RESERVED.has(key));
  if (extent.properties === "all") return keys;
  if (extent.properties === "declared" && brand !== undefined) return keys.filter((key) => DECLARED.has(key));
  return keys.filter((key) => key === "code" && isShort(readProperty(source, key)));
}

function isShort(code: unknown): boolean {
  return typeof code === "number" || (typeof code === "string" && code.length <= CODE_LENGTH);
}

function copyProperties(source: Error, keys: readonly string[], copy: CopyMember): readonly unknown[] {
  const own: unknown[] = [];
  for (const key of keys) {
    const part = copy(readProperty(source, key), key);
    // Keys are copied too, so that they count.
    if (part !== DROPPED) own.push(copy(key, key), part);
  }
  return own;
}

const NATIVE_CLASSES: ReadonlyMap<string, { readonly prototype: Error }> = new Map(
  [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError].map((errorClass) => [
    errorClass.name,
    errorClass,
  ]),
);

/**
 * Makes `error` what `record` says. Takes an error that exists already, because its own cause may lead back to it.
 *
 * @param record whatever a text held, maybe of another origin: nothing in it is trusted.
 */
export function restoreError(error: Error, record: object): void {
  const name = ownText(record, "name") ?? "Error";
  const message = ownText(record, "message") ?? "";
  Object.setPrototypeOf(error, prototypeOf(record, name));
  if (error.name !== name || Object.hasOwn(record, "ownName")) {
    define(error, "name", { value: name, enumerable: Object.hasOwn(record, "ownName") });
  }
  const own = readProperty(record, "own");
  if (Array.isArray(own)) restoreProperties(error, own);
  define(error, "message", { value: message, enumerable: false });
  for (const field of ["cause", "errors"]) {
    if (Object.hasOwn(record, field)) define(error, field, { value: readProperty(record, field), enumerable: false });
  }
  define(error, "stack", { value: message === "" ? name : `${name}: ${message}`, enumerable: false });
}

function restoreProperties(error: Error, own: readonly unknown[]): void {
  for (let index = 0; index + 1 < own.length; index += 2) {
    const key = own[index];
    if (typeof key === "string" && !RESERVED.has(key)) define(error, key, { value: own[index + 1], enumerable: true });
  }
}

function prototypeOf(record: object, name: string): Error {
  const brand = ownText(record, "brand");
  const branded = Object.entries(ERROR_CLASSES).find(([known]) => known === brand)?.[1];
  return (branded ?? NATIVE_CLASSES.get(name) ?? Error).prototype;
}

function ownText(record: object, field: string): string | undefined {
  const value = readProperty(record, field);
  return typeof value === "string" ? value : undefined;
}

function define(error: Error, key: string, field: { readonly value: unknown; readonly enumerable: boolean }): void {
  Object.defineProperty(error, key, { ...field, writable: true, configurable: true });
}
