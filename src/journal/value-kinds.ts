/** A view of bytes that can be made anew over a copy of them. */
type ViewClass = new (buffer: ArrayBuffer) => ArrayBufferView;

interface ValueRuntime {
  /** Newer runtimes only. */
  readonly Float16Array?: ViewClass;
  readonly URL: new (href: string) => { readonly href: string };
}

// The pure folders are compiled without any platform's types.
const runtime = globalThis as unknown as ValueRuntime;

/** The class that makes a `URL` anew from its text. */
export const UrlClass = runtime.URL;

const VIEW_CLASSES: readonly (ViewClass | undefined)[] = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  runtime.Float16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];

const viewClassesByName: ReadonlyMap<string, ViewClass> = new Map(
  VIEW_CLASSES.filter((viewClass) => viewClass !== undefined).map((viewClass) => [viewClass.name, viewClass]),
);

/** What an object is to the value codec. `foreign` is everything that has no journaled form. */
export type Classified =
  | { readonly kind: "plain"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "array"; readonly value: readonly unknown[] }
  | { readonly kind: "map"; readonly value: ReadonlyMap<unknown, unknown> }
  | { readonly kind: "set"; readonly value: ReadonlySet<unknown> }
  | { readonly kind: "date"; readonly value: Date }
  | { readonly kind: "regexp"; readonly value: RegExp }
  | { readonly kind: "url"; readonly value: { readonly href: string } }
  | { readonly kind: "buffer"; readonly bytes: Uint8Array }
  /** `bytes` are those that the view shows, not the buffer behind it, which may be a pool with other people's data. */
  | { readonly kind: "view"; readonly bytes: Uint8Array; readonly name: string; readonly viewClass: ViewClass }
  | { readonly kind: "boxed"; readonly value: unknown }
  | { readonly kind: "error"; readonly value: Error }
  | { readonly kind: "foreign" };

const FOREIGN: Classified = { kind: "foreign" };

/**
 * Tells what an object is. Objects of another realm are told by their class's name; an instance of a class that the
 * author derived from a built-in one is foreign, save errors and views (a Node `Buffer` is a `Uint8Array`).
 *
 * @throws whatever a proxy's traps or a getter behind `Symbol.toStringTag` throw.
 */
export function classify(value: object): Classified {
  const prototype = Reflect.getPrototypeOf(value);
  if (Array.isArray(value)) return classNameOf(prototype) === "Array" ? { kind: "array", value } : FOREIGN;
  // Own enumerable properties are read by name, hence the cast.
  if (isRoot(prototype)) return { kind: "plain", value: value as Readonly<Record<string, unknown>> };
  if (ArrayBuffer.isView(value)) return classifyView(value);
  const tag = tagOf(value);
  if (value instanceof Error) return { kind: "error", value };
  // An error of another realm; the tag cannot be had by chance.
  if (tag === "Error") return { kind: "error", value: value as Error };
  return classNameOf(prototype) === tag ? classifyBuiltIn(value, tag) : FOREIGN;
}

/** Tag and class name agree; a forgery throws as soon as the built-in method touches it. */
function classifyBuiltIn(value: object, tag: string): Classified {
  switch (tag) {
    case "Map":
      return { kind: "map", value: value as ReadonlyMap<unknown, unknown> };
    case "Set":
      return { kind: "set", value: value as ReadonlySet<unknown> };
    case "Date":
      return { kind: "date", value: value as Date };
    case "RegExp":
      return { kind: "regexp", value: value as RegExp };
    case "URL":
      return { kind: "url", value: value as { readonly href: string } };
    case "ArrayBuffer":
      return { kind: "buffer", bytes: new Uint8Array(value as ArrayBuffer) };
    case "Number":
    case "String":
    case "Boolean":
    case "BigInt":
      return { kind: "boxed", value: value.valueOf() };
    default:
      return FOREIGN;
  }
}

function classifyView(view: ArrayBufferView): Classified {
  const name = tagOf(view);
  const viewClass = viewClassesByName.get(name);
  if (viewClass === undefined) return FOREIGN;
  return { kind: "view", bytes: new Uint8Array(view.buffer, view.byteOffset, view.byteLength), name, viewClass };
}

/** The prototype of plain objects, of this realm or another, or none. */
function isRoot(prototype: object | null): boolean {
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

function classNameOf(prototype: object | null): string {
  const name: unknown = prototype?.constructor?.name;
  return typeof name === "string" ? name : "";
}

/** Names what has no journaled form: "a function", "an instance of Response". Never throws. */
export function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  try {
    const name = classNameOf(Reflect.getPrototypeOf(value));
    return name === "" ? "a class instance" : `an instance of ${name.slice(0, 64)}`;
  } catch {
    // A proxy that refuses the question; the answer only serves a message.
    return "an object that cannot be read";
  }
}

/** The indexes of an array with holes, `undefined` for one without. Never walks over the holes. */
export function populatedIndexes(array: readonly unknown[]): readonly number[] | undefined {
  for (let index = 0; index < array.length; index += 1) {
    if (Object.hasOwn(array, index)) continue;
    return Object.keys(array)
      .filter((key) => String(Number(key) >>> 0) === key && Number(key) < array.length)
      .map(Number);
  }
  return undefined;
}
