import { Buffer } from "node:buffer";
import { stringify } from "devalue";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeParsed, decodeValue, encodeValue } from "../../src/journal/value.ts";

const MAXIMUM = 8 * 1_024 * 1_024;

function roundTrip(value: unknown): unknown {
  return decodeValue(encodeValue(value, MAXIMUM));
}

describe("values that round-trip", () => {
  const values: readonly (readonly [string, unknown])[] = [
    ["case 86: undefined", undefined],
    ["case 86: an undefined property", { a: undefined }],
    ["null", null],
    ["case 87: NaN", Number.NaN],
    ["case 87: Infinity", Infinity],
    ["case 87: -Infinity in an object", { a: -Infinity }],
    ["case 87: -0", -0],
    ["case 87: -0 in an object", { a: -0 }],
    ["numbers", [0, 1.5, -7, 1e308, 5e-324]],
    ["case 88: a bigint", 123_456_789_012_345_678_901_234_567_890n],
    ["case 88: a Date", new Date(1_700_000_000_123)],
    ["case 88: an invalid Date", new Date(Number.NaN)],
    [
      "case 88: a Map",
      new Map<unknown, unknown>([
        ["a", 1],
        [{ k: 1 }, new Set([1, "x"])],
      ]),
    ],
    ["case 88: a Set", new Set([undefined, null, Number.NaN])],
    ["case 88: a RegExp", /a\/[<"]b/giu],
    ["case 88: a Uint8Array", new Uint8Array([0, 255, 7])],
    ["a URL", new URL("https://example.com/a?b=%20#c")],
    ["an ArrayBuffer", new Uint8Array([1, 2, 3]).buffer],
    [
      "typed arrays",
      [
        new Int16Array([-1]),
        new Float64Array([Number.NaN, 1]),
        new BigUint64Array([2n ** 63n]),
        new Uint8ClampedArray(2),
      ],
    ],
    ["a DataView", new DataView(new Uint8Array([9, 8]).buffer)],
    ["case 96: keys of every spelling", { first_name: 1, n: { a_b: 2, "x-y": 3, "": 4, 'q"<\\': 5 } }],
    ["case 97: NUL and lone surrogates", ["a\u0000b", "a\ud83eb", "\udc00", { "\ud800\u2028": "🦁\u2029</script>" }]],
    ["text that looks like a tag", ["Error", "Entries", ["Map", 1]]],
    ["many keys", Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, index]))],
    ["a long text", { text: "é".repeat(1_000) }],
    ["nesting", { a: [{ b: [[], {}] }] }],
  ];
  it.each(values)("round trip of %s", (_name, value) => {
    const text = encodeValue(value, MAXIMUM);
    expect(text.isWellFormed()).toBe(true);
    expect(decodeValue(text)).toStrictEqual(value);
    expect(decodeParsed(JSON.parse(text))).toStrictEqual(value);
  });

  it("case 86: holes of arrays stay holes, however many", () => {
    const array: unknown[] = [1];
    array[2] = 3;
    const huge: unknown[] = [];
    huge[4_000_000_000] = "far";
    const copies = roundTrip({ array, huge });
    expect(copies).toMatchObject({ array: { length: 3 }, huge: { length: 4_000_000_001 } });
    const { array: copy, huge: hugeCopy } = copies as { readonly array: unknown[]; readonly huge: unknown[] };
    expect(Object.keys(copy)).toEqual(["0", "2"]);
    expect(Object.keys(hugeCopy)).toEqual(["4000000000"]);
    expect(hugeCopy[4_000_000_000]).toBe("far");
  });

  it("an array of nothing but holes keeps its length", () => {
    const array: unknown[] = [];
    array.length = 5;
    expect(roundTrip(array)).toHaveLength(5);
    expect(Object.keys(roundTrip(array) as object)).toEqual([]);
  });

  it("properties that an array has besides its elements are left out", () => {
    const array: unknown[] = Object.assign([1], { note: "x", "01": 2 });
    array[3] = 4;
    expect(Object.keys(roundTrip(array) as object)).toEqual(["0", "3"]);
  });

  it("case 93: cycles and repeated references keep their shape", () => {
    const shared = { n: 1 };
    const value: Record<string, unknown> = { left: shared, right: shared, list: [shared] };
    value["self"] = value;
    value["map"] = new Map([[value, new Set([value])]]);
    const copy = roundTrip(value) as {
      left: object;
      right: object;
      list: object[];
      self: object;
      map: Map<object, Set<object>>;
    };
    expect(copy.self).toBe(copy);
    expect(copy.left).toBe(copy.right);
    expect(copy.list[0]).toBe(copy.left);
    expect(copy.map.get(copy)?.has(copy)).toBe(true);
  });

  it("an own key __proto__ comes back as an own key, cycles included", () => {
    const value = JSON.parse('{"a":1,"__proto__":{"polluted":true},"z":[{"__proto__":null}]}') as Record<
      string,
      unknown
    >;
    value["self"] = value;
    const copy = roundTrip(value) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(["a", "__proto__", "z", "self"]);
    expect(Object.getOwnPropertyDescriptor(copy, "__proto__")?.value).toEqual({ polluted: true });
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy["polluted"]).toBeUndefined();
    expect(copy["self"]).toBe(copy);
    expect(Object.keys((copy["z"] as object[])[0] ?? {})).toEqual(["__proto__"]);
  });

  it("a flat object with the key __proto__ takes the same way", () => {
    expect(encodeValue(JSON.parse('{"__proto__":1}'), MAXIMUM)).toBe('[["Entries",1],[2,3],"__proto__",1]');
  });

  it("an object without a prototype, or with that of another realm, becomes a plain one", () => {
    const bare = Object.assign(Object.create(null) as object, { a: { b: 1 } });
    const otherRoot = Object.create(null, { isPrototypeOf: { value: Object.prototype.isPrototypeOf } }) as object;
    const foreign = Object.assign(Object.create(otherRoot) as object, { a: 2 });
    expect(roundTrip({ bare, foreign })).toStrictEqual({ bare: { a: { b: 1 } }, foreign: { a: 2 } });
  });

  it("boxed primitives are unboxed", () => {
    expect(roundTrip([Object(5), Object("x"), Object(false), Object(7n)])).toStrictEqual([5, "x", false, 7n]);
  });

  it("a Buffer and a subarray keep the bytes that they show, not the pool behind them", () => {
    const pool = new Uint8Array(1_000).fill(7);
    const text = encodeValue({ buffer: Buffer.from("abc"), part: pool.subarray(10, 12) }, MAXIMUM);
    expect(decodeValue(text)).toStrictEqual({ buffer: new Uint8Array([97, 98, 99]), part: new Uint8Array([7, 7]) });
    expect(text.length).toBeLessThan(200);
  });

  it("small values have short texts, in which equal scalars share a place", () => {
    expect(encodeValue({ a: true, b: "x", c: true, d: undefined }, MAXIMUM)).toBe(
      '[{"a":1,"b":2,"c":1,"d":-1},true,"x"]',
    );
    expect(encodeValue({}, MAXIMUM)).toBe("[{}]");
    expect(encodeValue(undefined, MAXIMUM)).toBe("-1");
  });

  it("the text of a small value is the one that the library writes", () => {
    const scalar = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom(null, undefined),
    );
    const flat = fc.dictionary(
      fc.string({ unit: "grapheme", maxLength: 10 }).filter((key) => key !== "__proto__"),
      scalar,
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.oneof(scalar, flat), (value) => {
        expect(encodeValue(value, MAXIMUM)).toBe(stringify(value));
      }),
    );
  });

  it("any value comes back equal, also inside a cycle", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString")),
    });
    fc.assert(
      fc.property(anything, fc.string(), (value, key) => {
        const cyclic: Record<string, unknown> = { value, [`key ${key}`]: [] };
        (cyclic[`key ${key}`] as unknown[]).push(cyclic);
        const copy = roundTrip(cyclic) as Record<string, unknown>;
        expect(copy["value"]).toEqual(value);
        expect(copy[`key ${key}`]).toEqual([copy]);
        expect((copy[`key ${key}`] as unknown[])[0]).toBe(copy);
      }),
    );
  });
});

describe("getters", () => {
  it("case 76: a getter is evaluated once, whichever way the value takes", () => {
    for (const extra of [{}, { nested: {} }, { big: 1n }]) {
      let reads = 0;
      const value = Object.defineProperty({ ...extra }, "a", { get: () => (reads += 1), enumerable: true });
      expect(roundTrip(value)).toMatchObject({ a: 1 });
      expect(roundTrip([[value]])).toMatchObject([[{ a: 2 }]]);
      expect(reads).toBe(2);
    }
  });

  it("the copy does not follow the source", () => {
    const source = { when: new Date(5), list: [1] };
    const text = encodeValue(source, MAXIMUM);
    source.list.push(2);
    expect(decodeValue(text)).toEqual({ when: new Date(5), list: [1] });
  });
});
