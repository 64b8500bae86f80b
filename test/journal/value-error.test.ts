import { describe, expect, it } from "vitest";
import { decodeValue, encodeThrown, encodeValue } from "../../src/journal/value.ts";
import {
  CancelledError,
  cancelled,
  DeclaredError,
  exhausted,
  HttpRefusal,
  NonRetryableError,
  OperationRefused,
  RetryableError,
  StepExhausted,
  StepInterrupted,
  StepTimeout,
} from "../../src/steps/errors.ts";

const MAXIMUM = 8 * 1_024 * 1_024;

function roundTrip(error: unknown): Error {
  return decodeValue(encodeValue(error, MAXIMUM)) as Error;
}

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

describe("errors as values", () => {
  it("case 72: name, message, cause and own properties are those of the live error", () => {
    class E extends Error {
      readonly code = 7;
      override readonly name = "E";
    }
    const copy = roundTrip(new E("boom", { cause: new TypeError("inner") })) as E;
    expect([copy.name, copy.message, copy.code, copy instanceof Error, exhausted(copy)]).toEqual([
      "E",
      "boom",
      7,
      true,
      false,
    ]);
    expect(copy.cause).toBeInstanceOf(TypeError);
    expect((copy.cause as Error).message).toBe("inner");
    expect(Object.keys(copy)).toEqual(["name", "code"]);
    expect(Object.keys(copy.cause as Error)).toEqual([]);
  });

  it("case 73: the stack is the name and the message", () => {
    expect(roundTrip(new TypeError("boom")).stack).toBe("TypeError: boom");
    expect(roundTrip(new RangeError()).stack).toBe("RangeError");
    expect(encodeValue(new Error("x"), MAXIMUM)).not.toContain("value-error.test");
  });

  it.each([
    new EvalError("a"),
    new RangeError("b"),
    new ReferenceError("c"),
    new SyntaxError("d"),
    new TypeError("e"),
    new URIError("f"),
  ])("a native error keeps its class: %s", (error) => {
    const copy = roundTrip(error);
    expect(copy).toStrictEqual(error);
    expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(error));
    expect(Object.hasOwn(copy, "name")).toBe(false);
  });

  it("an AggregateError keeps its errors, hidden as they were", () => {
    const copy = roundTrip(new AggregateError([new TypeError("a"), "b"], "many")) as AggregateError;
    expect(copy).toBeInstanceOf(AggregateError);
    expect(copy.errors).toEqual([new TypeError("a"), "b"]);
    expect(Object.keys(copy)).toEqual([]);
  });

  it("an own enumerable property `errors` is a property like any other", () => {
    const copy = roundTrip(Object.assign(new Error("x"), { errors: [1] }));
    expect(Object.keys(copy)).toEqual(["errors"]);
    expect(copy).toMatchObject({ errors: [1] });
  });

  it("a DOMException comes back as an Error of its name", () => {
    const copy = roundTrip(new DOMException("stopped", "AbortError"));
    expect([copy.name, copy.message, copy instanceof Error]).toEqual(["AbortError", "stopped", true]);
  });

  it("an error of another realm is an error", () => {
    const foreign = new Error("far");
    const prototype = Object.create({ base: true }) as object;
    Object.setPrototypeOf(foreign, Object.assign(prototype, { name: "FarError" }));
    expect(foreign instanceof Error).toBe(false);
    expect(roundTrip(foreign)).toMatchObject({ name: "FarError", message: "far" });
  });

  it("properties that cannot be journaled are left out, at every depth, and the rest stays", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const error = Object.assign(new Error("x", { cause: () => 1 }), {
      keep: { a: 1, callback: () => 1, list: [1, () => 1, 2], [Symbol("s")]: 1 },
      map: new Map<unknown, unknown>([
        ["a", () => 1],
        [() => 1, 1],
        ["b", 2],
      ]),
      set: new Set([() => 1, 3]),
      entries: JSON.parse('{"__proto__":1,"b":2}', (_key, value: unknown) =>
        value === 2 ? () => 2 : value,
      ) as unknown,
      proxy,
      plain: { a: 1, callback: () => 1, list: [1, () => 1, 2] },
      request: new Response("x"),
    });
    const copy = roundTrip(error) as Error & Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(["map", "set", "entries", "plain"]);
    expect(copy["plain"]).toStrictEqual({ a: 1, list: [1, undefined, 2] });
    expect(copy["map"]).toEqual(new Map([["b", 2]]));
    expect(copy["set"]).toEqual(new Set([3]));
    expect(Object.keys(copy["entries"] as object)).toEqual(["__proto__"]);
    expect("cause" in copy).toBe(false);
  });

  it("leniency inside an error does not spread to the value around it", () => {
    const shared = { callback: () => 1 };
    const error = Object.assign(new Error("x"), { shared });
    expect(() => encodeValue({ error, shared }, MAXIMUM)).toThrow("at .shared.callback as a function");
  });

  it("a reference from an error to the value around it stays one", () => {
    const owner: Record<string, unknown> = { n: 1 };
    const error = Object.assign(new Error("x"), { owner, again: [owner] });
    owner["error"] = error;
    const copy = decodeValue(encodeValue(owner, MAXIMUM)) as { error: { owner: unknown; again: unknown[] } };
    expect(copy.error.owner).toBe(copy);
    expect(copy.error.again[0]).toBe(copy);
  });

  it("references between errors, and to themselves, stay what they are", () => {
    const error: Error & { self?: Error; twin?: Error } = new Error("x");
    error.self = error;
    error.cause = error;
    const inner = new Error("inner", { cause: error });
    error.twin = inner;
    const copy = roundTrip(error) as typeof error;
    expect(copy.self).toBe(copy);
    expect(copy.cause).toBe(copy);
    expect(copy.twin?.cause).toBe(copy);
  });

  it("8 causes stay, deeper ones are left out", () => {
    expect(chainLength(roundTrip(chain(9)))).toBe(9);
    expect(chainLength(roundTrip(chain(12)))).toBe(9);
  });

  it("a cause that is no error stays, an undefined one too", () => {
    expect(roundTrip(new Error("x", { cause: { code: 1 } })).cause).toEqual({ code: 1 });
    expect("cause" in roundTrip(new Error("x", { cause: undefined }))).toBe(true);
    expect("cause" in roundTrip(new Error("x"))).toBe(false);
  });

  it("a name or message that is no text is replaced", () => {
    const error = Object.assign(new Error("x"), { name: 5, message: {} });
    expect(roundTrip(error)).toMatchObject({ name: "Error", message: "The error has no readable message." });
  });

  it("own properties cannot stand in for what the record holds", () => {
    const text = `[["Error",1],{"name":2,"message":3,"own":4},"Error","real",[5,6,7,8,9,10],"stack",1,"message","forged",7,8]`;
    const error = decodeValue(text) as Error;
    expect([error.message, error.stack]).toEqual(["real", "Error: real"]);
    expect(Object.keys(error)).toEqual([]);
  });
});

describe("the engine's errors", () => {
  const refusal = new HttpRefusal(409, { title: "Conflict" }, "OUT_OF_STOCK");
  const errors = [
    new DeclaredError("OUT_OF_STOCK", { sku: "a", left: 0n }, "none left"),
    new NonRetryableError("no", { code: "NOPE", details: new Map([["a", 1]]), cause: new TypeError("t") }),
    refusal,
    new HttpRefusal(500, undefined),
    new RetryableError("later", { retryAfter: new Date(5), cause: "c" }),
    new StepExhausted({ step: "ship", attempts: 3, refusal: { status: 409, code: "X" }, retryAt: 7, cause: refusal }),
    new StepTimeout("late"),
    new StepInterrupted("lost"),
    new CancelledError("stop"),
    new OperationRefused("NOT_FOUND", "gone"),
  ];
  it.each(errors)(
    "S41 comes back with the class and everything in it, as a value and as something thrown: %s",
    (error) => {
      for (const copy of [roundTrip(error), thrown(error)]) {
        expect(copy).toStrictEqual(error);
        expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(error));
        expect(Object.keys(copy)).toEqual(Object.keys(error));
        expect(Object.entries(copy)).toStrictEqual(Object.entries(error));
        expect(copy.cause).toStrictEqual(error.cause);
      }
    },
  );

  it("S46 the guards hold after decoding", () => {
    expect(cancelled(roundTrip(new CancelledError("stop")))).toBe(true);
    expect(exhausted(roundTrip(new StepExhausted({ step: "a", attempts: 1 })))).toBe(true);
    expect(NonRetryableError.is(roundTrip(refusal))).toBe(true);
    expect(cancelled(roundTrip(new Error("CancelledError")))).toBe(false);
  });

  it("a class derived from one of them keeps its brand and its name", () => {
    class CardRefused extends NonRetryableError {}
    const copy = roundTrip(Object.assign(new CardRefused("no"), { name: "CardRefused" }));
    expect(NonRetryableError.is(copy)).toBe(true);
    expect([copy.name, copy.message]).toEqual(["CardRefused", "no"]);
  });

  it("a brand that this version does not know is no brand", () => {
    const newer = Object.defineProperty(new Error("x"), Symbol.for("stepwell.error"), { value: "Newer" });
    const copy = roundTrip(newer);
    expect([copy.message, Object.getPrototypeOf(copy)]).toEqual(["x", Error.prototype]);
    const forged = decodeValue('[["Error",1],{"name":2,"message":2,"brand":3},"x","toString"]') as Error;
    expect(Object.getPrototypeOf(forged)).toBe(Error.prototype);
  });
});
