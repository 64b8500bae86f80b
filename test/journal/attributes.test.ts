import { describe, expect, it } from "vitest";
import { checkAttributes, mergeAttributes } from "../../src/journal/attributes.ts";

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, i]));

describe("checkAttributes", () => {
  it("copies and freezes what it takes", () => {
    const given = { customer: "c-7", "order.cents": 4_900, express_1: true, absent: undefined };
    const checked = checkAttributes(given);
    expect(checked).toEqual({ customer: "c-7", "order.cents": 4_900, express_1: true });
    expect(Object.isFrozen(checked)).toBe(true);
    expect(Object.is(checkAttributes({ zero: -0 })["zero"], 0)).toBe(true);
  });

  it("keeps a name that objects have by birth", () => {
    const checked = checkAttributes(JSON.parse('{"__proto__":1,"constructor":"x"}'));
    expect(JSON.stringify(checked)).toBe('{"__proto__":1,"constructor":"x"}');
  });

  it("takes 20 of them, and refuses one more", () => {
    expect(Object.keys(checkAttributes(names(20)))).toHaveLength(20);
    expect(() => checkAttributes(names(21))).toThrow(
      new RangeError("Cannot set attributes as an execution may have 20 of them: current value is 21"),
    );
  });

  it("takes names of 1 to 64 characters, and strings of up to 256", () => {
    const longest = { ["n".repeat(64)]: "v".repeat(256), n: "" };
    expect(checkAttributes(longest)).toEqual(longest);
  });

  it("says which names there can be", () => {
    expect(() => checkAttributes({ "a b": 1 })).toThrow(
      'Cannot use the name of an attribute as it must be 1 to 64 of A-Z a-z 0-9 _ . -: current value is "a b"',
    );
  });

  it.each([
    [{ ["n".repeat(65)]: 1 }, RangeError, "the name of an attribute"],
    [{ "": 1 }, RangeError, "the name of an attribute"],
    [{ "a b": 1 }, RangeError, "the name of an attribute"],
    [{ é: 1 }, RangeError, "the name of an attribute"],
    [{ a: "v".repeat(257) }, RangeError, "attributes.a"],
    [{ a: Number.NaN }, RangeError, "attributes.a"],
    [{ a: Infinity }, RangeError, "attributes.a"],
    [{ a: null }, TypeError, "attributes.a"],
    [{ a: {} }, TypeError, "attributes.a"],
    [{ a: 1n }, TypeError, "attributes.a"],
    [{ [Symbol("s")]: 1 }, TypeError, "attributes.Symbol(s)"],
    [null, TypeError, "attributes"],
    [[1], TypeError, "attributes"],
    [new Map(), TypeError, "attributes"],
    ["a", TypeError, "attributes"],
  ])("refuses %o", (value, errorClass, field) => {
    const check = () => checkAttributes(value);
    expect(check).toThrow(errorClass);
    expect(check).toThrow(`Cannot use ${field} as `);
  });
});

describe("mergeAttributes", () => {
  it("takes the latest value of each name, and keeps the others", () => {
    expect(mergeAttributes({ a: 1, b: 2 }, { b: 3, c: 4 })).toEqual({ a: 1, b: 3, c: 4 });
  });

  it("takes no more than 20 in all", () => {
    expect(Object.keys(mergeAttributes(names(20), { a0: "again" }))).toHaveLength(20);
    expect(() => mergeAttributes(names(20), { more: 1 })).toThrow(RangeError);
  });
});
