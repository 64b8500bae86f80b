import { Buffer } from "node:buffer";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeValue } from "../../src/client/decode-value.ts";
import { encodeValue } from "../../src/client/encode-value.ts";
import { RequestRefused } from "../../src/client/errors.ts";
import { encodeValue as encodeInEngine, ValueFault } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { received, sent } from "./ways.ts";

function sparse(length: number, elements: Readonly<Record<number, unknown>>): unknown[] {
  const array: unknown[] = [];
  Object.assign(array, elements);
  array.length = length;
  return array;
}

function cyclic(): unknown {
  const map = new Map<unknown, unknown>();
  const value: Record<string, unknown> = { map, list: [map], set: new Set([map]) };
  value["self"] = value;
  return map.set(value, map);
}

const shared = { shared: [1] };

const KINDS: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["booleans", [true, false]],
  ["numbers", [0, 1.5, -7, 1e308, 5e-324, Number.NaN, Infinity, -Infinity, -0]],
  ["a negative zero", -0],
  ["NaN", Number.NaN],
  ["text", ["", "é🦁", "a\u0000b", "a\ud83eb", "\u2028</script>", "Date", "-1"]],
  ["a bigint", [2n ** 70n, -1n, 0n]],
  ["dates", [new Date(1_700_000_000_123), new Date(Number.NaN)]],
  [
    "a Map",
    new Map<unknown, unknown>([
      ["a", 1n],
      [{ k: 1 }, new Set([1, "x"])],
    ]),
  ],
  ["a Set", new Set([undefined, null, Number.NaN, "x"])],
  ["regular expressions", [/a\/[<"]b/giu, /x/]],
  ["a URL", new URL("https://example.com/a?b=%20#c")],
  ["bytes", new Uint8Array([0, 127, 255])],
  ["no bytes", new Uint8Array()],
  ["a buffer", new Uint8Array([1, 2, 3]).buffer],
  [
    "views",
    [
      new Int8Array([-1]),
      new Uint8ClampedArray([1]),
      new Int16Array([-1]),
      new Uint16Array([1]),
      new Int32Array([-1]),
      new Uint32Array([1]),
      new Float32Array([0.5]),
      new Float64Array([Number.NaN, 1]),
      new BigInt64Array([-1n]),
      new BigUint64Array([2n ** 63n]),
      new DataView(new Uint8Array([9, 8]).buffer),
    ],
  ],
  ["holes", sparse(3, { 0: 1, 2: undefined })],
  ["many holes", sparse(4_000_000_000, { 7: "x" })],
  ["nothing but holes", sparse(5, {})],
  ["undefined fields and elements", { a: undefined, b: [undefined] }],
  ["keys of every spelling", { first_name: 1, n: { a_b: 2, "x-y": 3, "": 4, 'q"<\\': 5, 7: 6, constructor: 8 } }],
  ["a key __proto__", JSON.parse('{"a":1,"__proto__":{"b":[1]},"c":{"__proto__":null}}')],
  ["a repeated reference", { a: shared, b: shared }],
  ["cycles", cyclic()],
];

describe("a value between client and engine", () => {
  it.each(KINDS)("is for the engine what it was: %s", (_name, value) => {
    expect(sent(value)).toStrictEqual(value);
    // A value inside of another one goes another way than the whole.
    expect(sent([value, { value }])).toStrictEqual([value, { value }]);
  });

  it.each(KINDS)("is for the client what it was: %s", (_name, value) => {
    expect(received(value)).toStrictEqual(value);
    expect(received([value, { value }])).toStrictEqual([value, { value }]);
  });

  it("is written in the form that the engine's own codec reads, and read from the one that it writes", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withUnicodeString: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(sent(value)).toStrictEqual(value);
        expect(received(value)).toStrictEqual(value);
      }),
    );
  });

  it("keeps what is the same the same", () => {
    for (const way of [sent, received]) {
      const copy = way({ a: shared, b: shared, cyclic: cyclic() }) as Record<string, unknown>;
      expect(copy["a"]).toBe(copy["b"]);
      const map = copy["cyclic"] as Map<unknown, unknown>;
      const [key] = map.keys() as Iterable<Record<string, unknown>> & Iterator<Record<string, unknown>>;
      expect([map.get(key), key?.["self"], key?.["map"]]).toEqual([map, key, map]);
      expect(key?.["self"]).toBe(key);
      expect(map.get(key)).toBe(map);
    }
  });
});

describe("what the client writes", () => {
  it("has only the bytes that a view shows, not the pool behind it", () => {
    const pool = Buffer.from("secret of somebody else, and mine");
    const text = JSON.stringify(encodeValue(pool.subarray(-4)));
    expect(text).toBe(`[["Uint8Array",1],["ArrayBuffer","${btoa("mine")}"]]`);
  });

  it("takes the objects of another realm for what they are", () => {
    expect(sent(runInNewContext("({ a: [1, { b: 2 }] })"))).toStrictEqual({ a: [1, { b: 2 }] });
  });

  it("leaves the properties of an array out that are no elements", () => {
    expect(sent(Object.assign([1, 2], { extra: 3, "01": 4 }))).toStrictEqual([1, 2]);
  });

  it("reads each getter once", () => {
    let reads = 0;
    const value = {
      get a() {
        reads += 1;
        return reads;
      },
    };
    expect([sent(value), reads]).toEqual([{ a: 1 }, 1]);
  });

  class Order {
    readonly id = 1;
  }
  class Names extends Map<string, string> {}
  const unreadable = {
    get field(): never {
      throw new TypeError("the getter's own words");
    },
  };
  const deep = JSON.parse(`${"[".repeat(600)}${"]".repeat(600)}`) as unknown;

  it.each([
    ["a function", () => 0],
    ["a symbol", { a: Symbol("s") }],
    ["a symbol as a key", { a: { [Symbol("s")]: 1 } }],
    ["an instance of a class", { order: [new Order()] }],
    ["an instance of a class of a built-in one", new Names()],
    ["a promise", { "a-b": Promise.resolve() }],
    ["a response", [new Response()]],
    ["a weak map", { a: new WeakMap() }],
    ["a value that cannot be read", { a: [unreadable] }],
    ["a whole that cannot be read", unreadable],
    ["nesting beyond what the engine takes", deep],
  ])("is refused as by the engine, with the same words: %s", (_name, value) => {
    const faultOf = (encode: () => unknown) => {
      try {
        encode();
      } catch (fault) {
        return fault;
      }
      return undefined;
    };
    const ours = faultOf(() => encodeValue(value));
    const theirs = faultOf(() => encodeInEngine(value, LIMITS.valueBytes));
    if (!RequestRefused.is(ours) || !(theirs instanceof ValueFault)) throw new Error("It was not refused.");
    expect([ours.status, ours.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(ours.issues).toEqual([{ path: expect.any(String), message: ours.message }]);
    // The path of a very deep value is cut off by each in its own way.
    const words = ({ message }: Error) => message.replace(/(?:\[0\])+\S*/, "[0]…");
    expect(words(ours)).toBe(words(theirs));
  });
});

describe("what the client reads", () => {
  it.each([
    ["no part at all", []],
    ["a place beyond the end", [[5]]],
    ["a place that is none", [["Set", 1.5]]],
    ["a negative number without a meaning", -9],
    ["a kind that nobody knows", [["Function", 1], "alert(1)"]],
    ["a class of the platform that is no value", [["WebSocket", 1], "wss://example.com"]],
    ["bytes that are none", [["ArrayBuffer", "%"]]],
  ])("is refused where it is no value: %s", (_name, flat) => {
    expect(() => decodeValue(flat)).toThrow(Error);
  });

  it("reaches no prototype, whatever it holds", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const flat = '[{"__proto__":1,"error":3},{"polluted":2},true,["Error",4],{"own":5},[6,1],"__proto__"]';
    const value = decodeValue(JSON.parse(flat));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });
});
