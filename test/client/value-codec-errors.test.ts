import { describe, expect, it } from "vitest";
import { encodeValue } from "../../src/client/encode-value.ts";
import { decodeParsed, encodeValue as encodeInEngine } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { HttpRefusal, NonRetryableError, StepExhausted } from "../../src/steps/errors.ts";
import { received, sent } from "./ways.ts";

/** An error without the place where it was made. */
function partsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, cause, ...own } = error as Error & Readonly<Record<string, unknown>>;
  const errors = "errors" in error ? (error.errors as readonly unknown[]).map(partsOf) : undefined;
  return {
    name,
    message,
    cause: partsOf(cause),
    errors,
    own,
    keys: Object.keys(error),
    prototype: Object.getPrototypeOf(error),
  };
}

class Custom extends Error {
  override readonly name = "Custom";
  readonly limit = 5n;
}

const ERRORS: readonly (readonly [string, Error])[] = [
  ["with a message", new Error("a message")],
  ["without a message", new RangeError("")],
  ["with a cause", new TypeError("outer", { cause: new Error("inner", { cause: [1] }) })],
  ["with properties", Object.assign(new Error("a"), { code: "E", details: { at: new Date(5) }, stack: "secret" })],
  ["with others", new AggregateError([new Error("one"), 2n], "several")],
];

describe("an error between client and engine", () => {
  it.each(ERRORS)("keeps of an error what the engine keeps: %s", (_name, error) => {
    const engine = decodeParsed(JSON.parse(encodeInEngine(error, LIMITS.valueBytes)));
    expect(partsOf(sent(error))).toStrictEqual(partsOf(engine));
    expect(partsOf(received(error))).toStrictEqual(partsOf(engine));
    expect([sent(error), received(error)].map((copy) => (copy as Error).stack)).toEqual(
      Array.from({ length: 2 }, () => (engine as Error).stack),
    );
  });

  it("keeps an error of a class of the author's as an error of its name", () => {
    for (const copy of [sent(new Custom("over")), received(new Custom("over"))]) {
      expect(copy).toBeInstanceOf(Error);
      expect(copy).toMatchObject({ name: "Custom", message: "over", limit: 5n });
      expect(Object.keys(copy as Error).toSorted()).toEqual(["limit", "name"]);
    }
  });

  it("keeps errors that lead back to themselves", () => {
    const error = new Error("a") as Error & { self?: unknown };
    error.cause = { error };
    error.self = [error];
    for (const copy of [sent(error), received(error)] as (typeof error)[]) {
      expect((copy.cause as { readonly error: unknown }).error).toBe(copy);
      expect(copy.self).toEqual([copy]);
    }
  });

  it("leaves out of an error what has no form, and keeps what stands beside it", () => {
    const inside = { kept: [1], socket: () => 0 };
    const own = { request: { inside, set: new Set([inside, Symbol("s")]) }, pairs: new Map<unknown, unknown>() };
    own.pairs.set("a", 1).set("b", () => 0);
    const error = Object.assign(new Error("a", { cause: () => 0 }), own, {
      list: [1, () => 0, 3],
      respond: new Response(),
    });
    for (const copy of [sent({ error, kept: inside.kept }), received({ error, kept: inside.kept })]) {
      const { error: found, kept } = copy as { readonly error: Error & typeof own; readonly kept: unknown };
      expect(Object.keys(found)).toEqual(["request", "pairs", "list"]);
      expect(found.request).toEqual({ inside: { kept: [1] }, set: new Set([{ kept: [1] }]) });
      expect([found.pairs, "cause" in found, kept]).toEqual([new Map([["a", 1]]), false, [1]]);
    }
  });

  it("refuses outside of an error what the error has only in part", () => {
    const inside = { socket: () => 0 };
    const value = [Object.assign(new Error("a"), { inside }), inside];
    expect(() => encodeValue(value)).toThrow("Cannot journal the value at [1].socket as a function");
    expect(() => received(value)).toThrow("Cannot journal the value at [1].socket as a function");
  });

  it("lets the engine's guards know its errors in both directions, without their classes", () => {
    const exhausted = new StepExhausted({ step: "ship", attempts: 3 });
    for (const copy of [sent(exhausted), received(exhausted)]) {
      expect(StepExhausted.is(copy)).toBe(true);
      expect(copy).toMatchObject({ name: "StepExhausted", step: "ship", attempts: 3 });
    }
    const refusal = new HttpRefusal(404, null);
    expect([HttpRefusal.is(received(refusal)), NonRetryableError.is(received(refusal))]).toEqual([true, true]);
  });
});
