import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeValue, encodeThrown } from "../../src/journal/value.ts";
import { DeclaredError, HttpRefusal, StepExhausted } from "../../src/steps/errors.ts";

const MAXIMUM = 8 * 1_024 * 1_024;
const KIB = 1_024;

function thrown(error: unknown, maximumBytes?: number): Error {
  return decodeValue(encodeThrown(error, maximumBytes)) as Error;
}

function chain(length: number): Error {
  let error = new Error("root");
  for (let index = 1; index < length; index += 1) error = new Error(`level ${index}`, { cause: error });
  return error;
}

function chainLength(error: unknown): number {
  let length = 0;
  for (let here = error; here instanceof Error; here = here.cause) length += 1;
  return length;
}

describe("things thrown", () => {
  class Problem {
    readonly code = 1;
  }
  it.each<readonly [unknown, unknown]>([
    ["x", "x"],
    [null, null],
    [undefined, undefined],
    [5, 5],
    [7n, 7n],
    [{ code: 1 }, { code: 1 }],
    [{ code: 1, callback: () => 1 }, { code: 1 }],
    [Symbol("s"), "Symbol(s)"],
    [() => 1, "a function"],
    [new Problem(), "an instance of Problem"],
    [Promise.resolve(1), "an instance of Promise"],
    [Object.create({ method: () => 1, constructor: undefined }), "a class instance"],
  ])("case 116: %o is journaled as %o", (value, expected) => {
    expect(decodeValue(encodeThrown(value))).toStrictEqual(expected);
  });

  it("case 116: an error whose getters throw keeps what can be read", () => {
    const error = Object.defineProperties(new TypeError("x"), {
      message: {
        get: () => {
          throw new Error("no");
        },
      },
      code: { value: 7, enumerable: true },
    });
    expect(thrown(error)).toMatchObject({ name: "TypeError", message: "The error has no readable message.", code: 7 });
  });

  it("case 116: a proxy that refuses everything becomes a description", () => {
    const refuse = (): never => {
      throw new Error("no");
    };
    const proxy = new Proxy(new Error("x"), { get: refuse, getPrototypeOf: refuse, has: refuse, ownKeys: refuse });
    expect(decodeValue(encodeThrown(proxy))).toBe("an object that cannot be read");
    expect(decodeValue(encodeThrown(new Proxy(new Error("x"), { ownKeys: refuse })))).toBe("an instance of Error");
  });

  it("case 98: a message is cut at 8 KiB and splits no emoji", () => {
    const { message } = thrown(new Error("🦁".repeat(10_000)));
    expect(message).toBe("🦁".repeat(2_048));
    expect(thrown(new Error(`a${"🦁".repeat(10_000)}`)).message).toBe(`a${"🦁".repeat(2_047)}`);
    expect(decodeValue(encodeThrown("é".repeat(10_000)))).toBe("é".repeat(4_096));
    expect(thrown(new Error("a".repeat(8_192))).message).toHaveLength(8_192);
  });

  it("case 97: NUL and lone surrogates survive in messages", () => {
    const text = encodeThrown(new Error("a\u0000b\ud83ec"));
    expect(text.isWellFormed()).toBe(true);
    expect((decodeValue(text) as Error).message).toBe("a\u0000b\ud83ec");
  });

  it("8 causes stay, each message bounded", () => {
    expect(chainLength(thrown(chain(12)))).toBe(9);
  });

  it("over the bound an ordinary error keeps name, message, short code and causes", () => {
    const big = "x".repeat(100 * KIB);
    const error = Object.assign(new TypeError("boom", { cause: new Error("why") }), {
      code: "E1",
      response: big,
      details: big,
    });
    const copy = thrown(error);
    expect(copy).toBeInstanceOf(TypeError);
    expect(copy).toMatchObject({ message: "boom", code: "E1" });
    expect(Object.keys(copy)).toEqual(["code"]);
    expect((copy.cause as Error).message).toBe("why");
  });

  it("over the bound an engine error keeps what its class declares", () => {
    const error = Object.assign(new HttpRefusal(409, { title: "Conflict" }, "X"), { response: "x".repeat(100 * KIB) });
    expect(thrown(error)).toEqual(new HttpRefusal(409, { title: "Conflict" }, "X"));
  });

  it("the bound is that of the text, escapes included, to the byte", () => {
    const error = { code: "E1", text: "\u0000".repeat(1_000) };
    const whole = encodeThrown(error);
    expect(whole.length).toBeGreaterThan(6_000);
    expect(encodeThrown(error, whole.length)).toBe(whole);
    expect(decodeValue(encodeThrown(error, whole.length - 1))).toBe("an instance of Object");
  });

  it("causes go before what an engine error declares", () => {
    const huge = new Error("a".repeat(8_192));
    const error = new StepExhausted({
      step: "ship",
      attempts: 3,
      cause: new AggregateError([huge], "b", { cause: huge }),
    });
    const copy = thrown(error, 8_000);
    expect(copy).toMatchObject({ step: "ship", attempts: 3 });
    expect("cause" in copy).toBe(false);
  });

  it("details go last, and stay where the bound allows them", () => {
    const error = new DeclaredError("BIG", { text: "x".repeat(100 * KIB) });
    expect(thrown(error, MAXIMUM)).toStrictEqual(error);
    const copy = thrown(error) as DeclaredError;
    expect(DeclaredError.is(copy)).toBe(true);
    expect([copy.code, copy.message, copy.details]).toEqual(["BIG", "BIG", undefined]);
  });

  it("a long code goes with the details, a numeric one stays", () => {
    const big = "x".repeat(100 * KIB);
    expect(Object.keys(thrown(Object.assign(new Error("m"), { code: big })))).toEqual([]);
    expect(Object.keys(thrown(Object.assign(new Error("m"), { code: 5, big })))).toEqual(["code"]);
    expect(Object.keys(thrown(Object.assign(new Error("m"), { code: {}, big })))).toEqual([]);
  });

  it("the text stays within the bound when escapes swell it", () => {
    const nul = "\u0000".repeat(8_192);
    const text = encodeThrown(Object.assign(new Error(nul, { cause: new Error(nul) }), { name: nul }));
    expect(text.length).toBeLessThanOrEqual(64 * KIB);
    expect((decodeValue(text) as Error).message).toBe(nul);
  });

  it("what is too large and no error becomes a description", () => {
    expect(decodeValue(encodeThrown({ text: "x".repeat(100 * KIB) }))).toBe("an instance of Object");
    expect(decodeValue(encodeThrown("x".repeat(8_192), 1_000))).toBe("x".repeat(128));
    expect(decodeValue(encodeThrown(10n ** 200n, 100))).toBe(String(10n ** 200n).slice(0, 128));
  });

  it("never throws, and what comes back can be journaled again unchanged", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
    });
    const odd = fc.oneof(
      anything,
      fc
        .tuple(fc.string(), anything, fc.dictionary(fc.string(), anything))
        .map(([message, cause, own]) => Object.assign(new Error(message, { cause }), own)),
      fc.constantFrom(Symbol("s"), () => 1, new Proxy({}, { ownKeys: () => ["a", "a"] })),
    );
    fc.assert(
      fc.property(odd, fc.integer({ min: 200, max: 100_000 }), (value, maximumBytes) => {
        const text = encodeThrown(value, maximumBytes);
        expect(text.isWellFormed()).toBe(true);
        expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(Math.max(maximumBytes, 1_000));
        expect(encodeThrown(decodeValue(text), maximumBytes)).toBe(text);
      }),
    );
  });
});
