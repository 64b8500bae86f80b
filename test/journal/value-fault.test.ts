import { describe, expect, it } from "vitest";
import { decodeValue, encodeValue, ValueFault } from "../../src/journal/value.ts";

const MAXIMUM = 8 * 1_024 * 1_024;

function faultOf(value: unknown, maximumBytes: number = MAXIMUM): ValueFault {
  try {
    encodeValue(value, maximumBytes);
  } catch (error) {
    if (error instanceof ValueFault) return error;
    throw error;
  }
  throw new Error("The value was encoded.");
}

function nested(levels: number): unknown {
  let value: unknown = "core";
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe("values that are refused", () => {
  class Account {
    readonly id = 1;
  }
  class Registry extends Map {}
  class List extends Array {}
  const anonymous = Object.create({ method: () => 1, constructor: undefined }) as object;
  const faults: readonly (readonly [string, unknown, string, string])[] = [
    ["case 92: a function", () => 1, "", "Cannot journal the value as a function is not a journalable value."],
    ["a symbol", Symbol("s"), "", "Cannot journal the value as a symbol is not a journalable value."],
    [
      "a function far down",
      { a: { b: [() => 1] } },
      ".a.b[0]",
      "Cannot journal the value at .a.b[0] as a function is not a journalable value.",
    ],
    [
      "case 92: a Response",
      { r: new Response("x") },
      ".r",
      "Cannot journal the value at .r as an instance of Response is not a journalable value.",
    ],
    [
      "a promise",
      [Promise.resolve(1)],
      "[0]",
      "Cannot journal the value at [0] as an instance of Promise is not a journalable value.",
    ],
    [
      "case 91: a class instance",
      { "my account": new Account() },
      '["my account"]',
      'Cannot journal the value at ["my account"] as an instance of Account is not a journalable value.',
    ],
    [
      "an instance of a class without a name",
      anonymous,
      "",
      "Cannot journal the value as a class instance is not a journalable value.",
    ],
    [
      "a class that extends Map",
      new Registry(),
      "",
      "Cannot journal the value as an instance of Registry is not a journalable value.",
    ],
    [
      "a class that extends Array",
      new List(),
      "",
      "Cannot journal the value as an instance of List is not a journalable value.",
    ],
    ["a WeakMap", new WeakMap(), "", "Cannot journal the value as an instance of WeakMap is not a journalable value."],
    [
      "a boxed symbol",
      Object(Symbol("s")),
      "",
      "Cannot journal the value as an instance of Symbol is not a journalable value.",
    ],
    [
      "a symbol key",
      { a: { [Symbol("s")]: 1 } },
      ".a",
      "Cannot journal the value at .a as an object with symbol keys is not a journalable value.",
    ],
    [
      "a value of a Map",
      new Map([["k", () => 1]]),
      '.get("k")',
      'Cannot journal the value at .get("k") as a function is not a journalable value.',
    ],
    [
      "a key of a Map",
      new Map([[() => 1, 1]]),
      ".keys()[0]",
      "Cannot journal the value at .keys()[0] as a function is not a journalable value.",
    ],
    [
      "an element of a Set",
      new Set([1, () => 1]),
      ".values()[1]",
      "Cannot journal the value at .values()[1] as a function is not a journalable value.",
    ],
    [
      "case 76: a plain object with toJSON",
      { toJSON: () => 1 },
      ".toJSON",
      "Cannot journal the value at .toJSON as a function is not a journalable value.",
    ],
    [
      "a symbol under a key that sets prototypes",
      JSON.parse('{"__proto__":1}', (_key, value: unknown) => (value === 1 ? Symbol("s") : value)),
      ".__proto__",
      "Cannot journal the value at .__proto__ as a symbol is not a journalable value.",
    ],
  ];
  it.each(faults)("%s is refused with its path", (_name, value, ...[path, message]) => {
    const fault = faultOf(value);
    expect(fault).toMatchObject({ name: "ValueFault", code: "VALUE_NOT_JOURNALABLE", path, message });
  });

  it("a value that cannot be read is refused, at the top and below", () => {
    const throwing = {
      get a(): number {
        throw new RangeError("no");
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const forged = Object.create(null, {
      [Symbol.toStringTag]: { value: "Map" },
      constructor: { value: Map },
    }) as object;
    const unread = "a value that cannot be read is not a journalable value.";
    expect(faultOf(throwing).message).toBe(`Cannot journal the value as ${unread}`);
    expect(faultOf([{ deep: throwing }]).message).toBe(`Cannot journal the value at [0].deep as ${unread}`);
    expect(faultOf(proxy).message).toBe(`Cannot journal the value as ${unread}`);
    expect(faultOf([Object.create(forged)]).message).toBe(`Cannot journal the value at [0] as ${unread}`);
  });

  it("a view that claims an unknown class is refused", () => {
    const view = Object.defineProperty(new Uint8Array(1), Symbol.toStringTag, { value: "Uint9Array" });
    expect(faultOf(view).message).toBe(
      "Cannot journal the value as an instance of Uint8Array is not a journalable value.",
    );
  });

  it("case 103: 500 levels are kept, and 20,000 are refused rather than overflow the stack", () => {
    expect(decodeValue(encodeValue(nested(500), MAXIMUM))).toEqual(nested(500));
    expect(faultOf(nested(20_000)).code).toBe("VALUE_NOT_JOURNALABLE");
    expect(faultOf(nested(20_000)).message).toMatch(
      / as a value more than 500 levels deep is not a journalable value\.$/u,
    );
    expect(faultOf(nested(20_000)).path.length).toBeLessThan(300);
  });

  it("a long key is shown by its start", () => {
    expect(faultOf({ ["k y".padEnd(64, "k")]: () => 1 }).path).toBe(`["${"k y".padEnd(64, "k")}"]`);
    expect(faultOf({ ["k y".repeat(1_000)]: () => 1 }).path).toBe(`["${"k y".repeat(1_000).slice(0, 64)}…"]`);
    expect(faultOf({ ["k".repeat(1_000)]: () => 1 }).path).toBe(`.${"k".repeat(255)}…`);
  });
});

describe("sizes", () => {
  it("case 101: text counts its UTF-8 bytes, at the top and below", () => {
    expect(encodeValue("é".repeat(10), 20)).toBe(`["${"é".repeat(10)}"]`);
    expect(faultOf("é".repeat(10), 19)).toMatchObject({
      code: "VALUE_TOO_LARGE",
      path: "",
      message: "Cannot journal a value as it may have at most 19 bytes: current value has at least 20 bytes.",
    });
    expect(faultOf({ list: ["x".repeat(9 * 1_024 * 1_024)] })).toMatchObject({
      code: "VALUE_TOO_LARGE",
      path: ".list[0]",
    });
  });

  it.each([
    ["a number", 1, 8],
    ["a bigint", 12_345n, 5],
    ["a boolean", true, 1],
    ["null", null, 1],
    ["undefined", undefined, 1],
    ["a date", new Date(1), 8],
    ["an object, its key and its text", { key: "text" }, 8],
    ["an object with the key __proto__", JSON.parse('{"__proto__":true}'), 9],
    ["an array", [true, true], 10],
    ["a sparse array", Object.assign([], { 9: true }), 9],
    ["a Map", new Map([["k", 1]]), 16],
    ["a Set", new Set(["k"]), 8],
    ["bytes", new Uint8Array(100), 100],
    ["a buffer", new ArrayBuffer(100), 100],
    ["a pattern", /abc/u, 8],
    ["a URL", new URL("http://a/"), 9],
    ["an error", new Error("abc"), 8],
  ])("%s counts as documented", (_name, value, bytes) => {
    expect(() => encodeValue(value, bytes)).not.toThrow();
    expect(faultOf(value, bytes - 1).code).toBe("VALUE_TOO_LARGE");
  });

  it("a repeated reference counts once", () => {
    const shared = "x".repeat(100);
    const object = { shared };
    expect(() => encodeValue([object, object, object], 6 + 100)).not.toThrow();
  });

  it("millions of empty objects weigh something", () => {
    expect(
      faultOf(
        Array.from({ length: 1_001 }, () => ({})),
        8_008,
      ).code,
    ).toBe("VALUE_TOO_LARGE");
  });
});
