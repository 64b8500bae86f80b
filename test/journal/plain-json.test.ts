import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPlainJson } from "../../src/journal/plain-json.ts";
import { ValueFault } from "../../src/journal/value.ts";

function nested(levels: number, core: unknown = 1): unknown {
  let value = core;
  for (let level = 0; level < levels; level += 1) value = { deeper: value };
  return value;
}

describe("toPlainJson", () => {
  it("leaves JSON as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(toPlainJson(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("makes JSON of anything the journal holds", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const json = toPlainJson(value);
        expect(JSON.parse(JSON.stringify(json))).toStrictEqual(json);
      }),
    );
  });

  it.each<readonly [string, unknown, unknown]>([
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid date", new Date(Number.NaN), null],
    ["a bigint", -5n, "-5"],
    ["NaN", Number.NaN, "NaN"],
    ["Infinity", Infinity, "Infinity"],
    ["-Infinity", -Infinity, "-Infinity"],
    ["-0", -0, 0],
    [
      "a Map",
      new Map<unknown, unknown>([
        ["a", 1],
        [{ b: 1 }, undefined],
      ]),
      [
        ["a", 1],
        [{ b: 1 }, null],
      ],
    ],
    ["a Set", new Set([1, undefined]), [1, null]],
    ["bytes", new Uint8Array([1, 2, 3]).subarray(1), "AgM="],
    ["other bytes", new Uint16Array([1]), "AQA="],
    ["a buffer", new Uint8Array([1]).buffer, "AQ=="],
    ["a RegExp", /a\/b/giu, "/a\\/b/giu"],
    ["a URL", new URL("http://example.com"), "http://example.com/"],
    ["an error", Object.assign(new TypeError("x", { cause: 1 }), { code: 7 }), { name: "TypeError", message: "x" }],
    ["a boxed number", Object(1), 1],
    ["undefined", undefined, null],
    ["undefined in an object", { a: undefined, b: null }, { b: null }],
    ["undefined and holes in an array", Object.assign([undefined], { 2: 1 }), [null, null, 1]],
    ["booleans and text", [true, false, "a\u0000"], [true, false, "a\u0000"]],
  ])("%s is written as documented", (_name, value, expected) => {
    expect(toPlainJson(value)).toStrictEqual(expected);
  });

  it("an array with more than 10,000 holes is an object of its elements", () => {
    const array: unknown[] = [];
    array[10_000] = "near";
    expect(toPlainJson(array)).toHaveLength(10_001);
    array[4_000_000_000] = "far";
    expect(toPlainJson(array)).toStrictEqual({ "10000": "near", "4000000000": "far" });
  });

  it("a key __proto__ stays a key", () => {
    const json = toPlainJson(JSON.parse('{"__proto__":{"polluted":true},"a":1}')) as object;
    expect(JSON.stringify(json)).toBe('{"__proto__":{"polluted":true},"a":1}');
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(json, "__proto__")).toEqual({
      value: { polluted: true },
      enumerable: true,
      writable: true,
      configurable: true,
    });
  });

  it("case 93: a cycle is a JSON Pointer into the output", () => {
    const root: Record<string, unknown> = { n: 1 };
    root["self"] = root;
    const inner: unknown[] = [root];
    inner.push(inner);
    root["a/b~c"] = new Map<unknown, unknown>([["k", inner]]);
    expect(toPlainJson(root)).toStrictEqual({
      n: 1,
      self: { $ref: "" },
      "a/b~c": [["k", [{ $ref: "" }, { $ref: "/a~1b~0c/0/1" }]]],
    });
  });

  it("a reference that repeats without a cycle is repeated", () => {
    const shared = { n: [1] };
    expect(toPlainJson([shared, shared, { shared }])).toStrictEqual([{ n: [1] }, { n: [1] }, { shared: { n: [1] } }]);
  });

  it.each([
    { of: "text", long: "x".repeat(1_024 * 1_024) },
    { of: "bytes", long: new Uint8Array(700 * 1_024) },
  ])("references that repeat references become pointers once 16 MiB of $of have been repeated", ({ long }) => {
    let value: unknown = [long];
    for (let level = 0; level < 40; level += 1) value = [value, value];
    const json = JSON.stringify(toPlainJson(value));
    expect(json.length).toBeLessThan(25 * 1_024 * 1_024);
    expect(json.endsWith('{"$ref":"/0"}]')).toBe(true);
  });

  it.each([
    { of: "a pattern", long: new RegExp("x".repeat(1_024 * 1_024)) },
    { of: "a URL", long: new URL(`https://example.com/${"x".repeat(1_024 * 1_024)}`) },
    { of: "an error", long: new Error("x".repeat(1_024 * 1_024)) },
    { of: "a field with a long name", long: { ["x".repeat(1_024 * 1_024)]: 1 } },
  ])("references to $of become pointers once 16 MiB have been repeated", ({ long }) => {
    const json = JSON.stringify(toPlainJson(Array.from({ length: 60 }, () => long)));
    expect(json.length).toBeLessThan(26 * 1_024 * 1_024);
    expect(json).toMatch(/\{"\$ref":"\/\d+"\}\]$/);
  });

  it("bytes that are referred to again and again become pointers too", () => {
    const bytes = new Uint8Array(3 * 1_024 * 1_024);
    const json = toPlainJson(Array.from({ length: 10 }, () => bytes)) as unknown[];
    expect(json.map((part) => typeof part)).toEqual([
      ...Array<string>(7).fill("string"),
      ...Array<string>(3).fill("object"),
    ]);
    expect(json[9]).toEqual({ $ref: "/6" });
  });

  it("small references that repeat references become pointers sooner, as each part takes room of its own", () => {
    let value: unknown = ["leaf"];
    for (let level = 0; level < 40; level += 1) value = [value, value];
    const json = JSON.stringify(toPlainJson(value));
    expect(json.length).toBeLessThan(2 * 1_024 * 1_024);
    expect(json).toMatch(/\{"\$ref":"[/\d]+"\}\]+$/);
  });

  it("what stands there once is not counted, be it before, between or after what repeats", () => {
    const shared = { n: 1 };
    const large = "x".repeat(17 * 1_024 * 1_024);
    const json = toPlainJson([large, shared, shared, large, shared]) as unknown[];
    expect([json[1], json[2], json[4]]).toStrictEqual([shared, shared, shared]);
  });

  it("what stands there once is written after 16 MiB of repetitions too", () => {
    const shared = ["x".repeat(1_024 * 1_024)];
    const json = toPlainJson([...Array.from({ length: 20 }, () => shared), { n: 1 }]) as unknown[];
    expect(json.slice(16)).toStrictEqual([shared, { $ref: "/16" }, { $ref: "/16" }, { $ref: "/16" }, { n: 1 }]);
  });

  it("what no journal holds is refused with its path", () => {
    expect(() => toPlainJson({ a: [() => 1] })).toThrow("Cannot journal the value at .a[0] as a function");
    expect(() => toPlainJson([new WeakMap()])).toThrow("Cannot journal the value at [0] as an instance of WeakMap");
    expect(() => toPlainJson(nested(20_000))).toThrow(ValueFault);
    // The value itself is no level.
    expect(toPlainJson(nested(501))).toStrictEqual(nested(501));
    expect(toPlainJson(nested(501, new Uint8Array(1)))).toStrictEqual(nested(501, "AA=="));
    expect(() => toPlainJson(nested(502))).toThrow("as a value more than 500 levels deep");
  });
});
