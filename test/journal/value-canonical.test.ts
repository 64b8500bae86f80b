import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalText, decodeValue, encodeValue, ValueFault } from "../../src/journal/value.ts";

const ANYTHING = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
});

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, reversed(part)]),
  );
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe("canonicalText", () => {
  it("is the same for every order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalText(reversed(value))).toBe(canonicalText(value));
      }),
    );
    expect(canonicalText({ b: 1, a: { d: 2, c: [3] } })).toBe('{"a":{"c":[3],"d":2},"b":1}');
  });

  it("is the same before and after the journal", () => {
    fc.assert(
      fc.property(ANYTHING, (value) => {
        expect(canonicalText(decodeValue(encodeValue(value, Infinity)))).toBe(canonicalText(value));
      }),
    );
  });

  it("differs where two JSON values differ", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const same = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
        expect(canonicalText(left) === canonicalText(right)).toBe(same);
      }),
    );
  });

  it("tells types apart that look alike", () => {
    const date = new Date(0);
    const values: readonly unknown[] = [
      1,
      "1",
      1n,
      true,
      "true",
      null,
      "null",
      undefined,
      Number.NaN,
      date,
      date.toISOString(),
      0,
      new Map([["a", 1]]),
      new Set(["a", 1]),
      ["a", 1],
      { a: 1 },
      [["a", 1]],
      /a/u,
      /a/g,
      "/a/u",
      new URL("http://a/"),
      "http://a/",
      new Uint8Array([1]),
      new Int8Array([1]),
      new Uint8Array([1]).buffer,
      new Error("a"),
      new TypeError("a"),
      new Error("a", { cause: 1 }),
      Object.assign(new Error("a"), { code: 1 }),
      Object.assign([], { 1: 1 }),
      [undefined, 1],
      {},
      [],
    ];
    expect(new Set(values.map((value) => canonicalText(value))).size).toBe(values.length);
  });

  it("is the same for what counts as the same", () => {
    expect(canonicalText(-0)).toBe(canonicalText(0));
    expect(canonicalText(Object(5))).toBe(canonicalText(5));
    const shared = { a: 1 };
    expect(canonicalText([shared, shared])).toBe(canonicalText([{ a: 1 }, { a: 1 }]));
  });

  it("writes a cycle as the level that it leads to, after repeated references too", () => {
    const shared = { a: 1 };
    const cyclic: Record<string, unknown> = { x: shared, y: shared };
    cyclic["z"] = { back: cyclic };
    expect(canonicalText(cyclic)).toBe('{"x":{"a":1},"y":{"a":1},"z":{"back":^0}}');
  });

  it("refuses what the journal refuses, with its path", () => {
    expect(() => canonicalText({ a: [() => 1] })).toThrow("Cannot journal the value at .a[0] as a function");
    expect(() => canonicalText([new WeakMap()])).toThrow("Cannot journal the value at [0] as an instance of WeakMap");
    expect(() => canonicalText(nested(20_000))).toThrow(ValueFault);
    expect(canonicalText(nested(500))).toHaveLength(1_001);
  });
});

/** Says as JSON text does whether two values are equal but for the order of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return { fields: fields.map(([key, part]) => [key, sorted(part)]) };
}
