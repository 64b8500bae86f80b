/**
 * Values in the journal. Their text is devalue's flat format, with two tags of our own.
 *
 * - Kept as they are: what JSON holds (a key `__proto__` included), `undefined`, `NaN`, `±Infinity`, `-0`, `bigint`,
 *   `Date` (an invalid one too), `Map`, `Set`, `RegExp` (without `lastIndex`), `URL`, typed arrays and `DataView`,
 *   `ArrayBuffer`, `Error`, repeated and cyclic references, holes of arrays, NUL and lone surrogates.
 * - Kept as something simpler: an object without a prototype becomes a plain one, a boxed primitive the primitive, a
 *   Node `Buffer` a `Uint8Array`. A view keeps the bytes that it shows and shares its buffer with nothing. Properties
 *   that an array, `Map` or the like has besides its elements, and those that are not enumerable, are left out.
 * - Refused, with the path: functions, symbols and objects keyed by them, promises, `Response` and streams, `WeakMap`,
 *   instances of any class but `Error`, values that cannot be read, more than 500 levels of nesting.
 * - `toJSON` is never called: in a plain object it is a function like any other, thus refused. Getters are read once.
 * - An error keeps name, message, 8 causes, the `errors` of an `AggregateError` and its own enumerable properties; of
 *   those, what cannot be journaled is left out. It comes back as the engine's class of its brand, else as the native
 *   class of its name, else as an `Error` with that name; its stack is `Name: message`, live as on replay.
 */
export { canonicalText } from "./value-canonical.ts";
export { decodeParsed, decodeValue } from "./value-decode.ts";
export { encodeValue } from "./value-encode.ts";
export { ValueFault } from "./value-fault.ts";
export { encodeThrown } from "./value-thrown.ts";
