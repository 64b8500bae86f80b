import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HttpRefusal, NonRetryableError, RetryableError } from "../../src/steps/errors.ts";
import { describeFailure, refusalOf } from "../../src/steps/failure.ts";

const KIB = 1_024;
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

function chainOf(length: number, last?: unknown): Error {
  let error = new Error(`e${length}`, { cause: last });
  for (let depth = length - 1; depth >= 0; depth -= 1) error = new Error(`e${depth}`, { cause: error });
  return error;
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const throwing = () => {
  throw new Error("hostile");
};

describe("describeFailure", () => {
  it("S44 keeps name, message and code, and never the stack", () => {
    expect(describeFailure(new TypeError("no"))).toStrictEqual({ name: "TypeError", message: "no" });
    const error = new NonRetryableError("Declined", { code: "CARD_DECLINED", details: { card: "secret" } });
    const described = { name: "NonRetryableError", message: "Declined", code: "CARD_DECLINED" };
    expect(describeFailure(error)).toStrictEqual(described);
  });

  it("keeps the causes, the nearest first", () => {
    const error = new Error("a", { cause: new RangeError("b", { cause: "c" }) });
    expect(describeFailure(error).causes).toEqual([
      { name: "RangeError", message: "b" },
      { name: "string", message: "c" },
    ]);
  });

  it("keeps at most 8 causes", () => {
    expect(describeFailure(chainOf(8)).causes?.map((cause) => cause.message)).toEqual([
      "e1",
      "e2",
      "e3",
      "e4",
      "e5",
      "e6",
      "e7",
      "e8",
    ]);
    expect(describeFailure(chainOf(20)).causes).toHaveLength(8);
  });

  it("ends at a cause that comes again, and at one that is null", () => {
    const a = new Error("a");
    const b = new Error("b", { cause: a });
    a.cause = b;
    expect(describeFailure(a).causes).toEqual([{ name: "Error", message: "b" }]);
    expect(describeFailure(new Error("a", { cause: null }))).not.toHaveProperty("causes");
  });

  it.each([
    ["x", { name: "string", message: "x" }],
    [null, { name: "null", message: "null" }],
    [undefined, { name: "undefined", message: "undefined" }],
    [5n, { name: "bigint", message: "5n" }],
    [Symbol("s"), { name: "symbol", message: "Symbol(s)" }],
    [() => 5, { name: "function", message: "a function" }],
    [{ code: 1 }, { name: "object", message: '{"code":1}' }],
    [
      { code: "E_ODD", message: 5 },
      { name: "object", message: '{"code":"E_ODD","message":5}', code: "E_ODD" },
    ],
    [{ toJSON: () => undefined }, { name: "object", message: "An object without a message" }],
  ])("case 116: describes %o", (thrown, failure) => {
    expect(describeFailure(thrown)).toStrictEqual(failure);
  });

  it("case 116: describes an object that cannot be read", () => {
    for (const thrown of [{ toJSON: throwing }, new Proxy({}, { get: throwing }), revokedProxy()]) {
      expect(describeFailure(thrown)).toStrictEqual({ name: "object", message: "An object that cannot be read" });
    }
  });

  it("case 116: describes an error whose getters throw", () => {
    const error = Object.defineProperties(new Error("x"), {
      message: { get: throwing },
      code: { get: throwing },
      cause: { get: throwing },
    });
    expect(describeFailure(error)).toStrictEqual({ name: "Error", message: "{}" });
  });

  it("case 18: keeps an empty message", () => {
    expect(describeFailure(new NonRetryableError("")).message).toBe("");
  });

  it("cuts the message to 8 KiB of UTF-8 between code points", () => {
    expect(describeFailure(new Error("x".repeat(8 * KIB))).message).toBe("x".repeat(8 * KIB));
    expect(describeFailure(new Error("x".repeat(8 * KIB + 1))).message).toBe("x".repeat(8 * KIB));
    expect(describeFailure(new Error(`x${"é".repeat(8 * KIB)}`)).message).toBe(`x${"é".repeat(4 * KIB - 1)}`);
    expect(describeFailure(new Error(`x${"€".repeat(8 * KIB)}`)).message).toBe(`x${"€".repeat(2_730)}`);
    expect(describeFailure(new Error(`x${"📦".repeat(8 * KIB)}`)).message).toBe(`x${"📦".repeat(2 * KIB - 1)}`);
    expect(describeFailure("y".repeat(9 * KIB)).message).toHaveLength(8 * KIB);
  });

  it("cuts the message of a cause, the name and the code as well", () => {
    const cause = new Error("x".repeat(9 * KIB));
    const error = Object.assign(new Error("x", { cause }), { name: "N".repeat(200), code: "C".repeat(200) });
    const failure = describeFailure(error);
    expect(failure.causes?.[0]?.message).toHaveLength(8 * KIB);
    expect([failure.name.length, failure.code?.length]).toEqual([128, 128]);
  });

  it("is JSON whose message is well-formed and the beginning of what was thrown", () => {
    const text = fc.string({ unit: "binary", maxLength: 6_000, minLength: 2_000 });
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "binary" })), (message) => {
        const failure = describeFailure(new Error(message));
        expect(failure.message.isWellFormed()).toBe(true);
        expect(bytesOf(failure.message)).toBeLessThanOrEqual(8 * KIB);
        expect(message.toWellFormed().startsWith(failure.message)).toBe(true);
        expect(JSON.parse(JSON.stringify(failure))).toStrictEqual(failure);
      }),
      { numRuns: 50 },
    );
  });

  it("replaces half a surrogate pair that was thrown", () => {
    expect(describeFailure(new Error("a\ud83db")).message).toBe("a\ufffdb");
  });

  it("never throws, whatever was thrown", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withMap: true }), (thrown) => {
        const failure = describeFailure(thrown);
        expect(JSON.parse(JSON.stringify(failure))).toStrictEqual(failure);
      }),
    );
  });
});

describe("refusalOf", () => {
  const refusal = new HttpRefusal(409, { title: "taken" }, "SLOT_TAKEN");

  it("S39 gives the codes of a refusal alone", () => {
    expect(refusalOf(refusal)).toStrictEqual({ status: 409, code: "SLOT_TAKEN" });
    expect(refusalOf(new HttpRefusal(400, ""))).toStrictEqual({ status: 400 });
  });

  it("S39 finds it through up to 8 causes", () => {
    expect(refusalOf(new RetryableError("later", { cause: refusal }))?.status).toBe(409);
    expect(refusalOf(chainOf(7, refusal))?.status).toBe(409);
    expect(refusalOf(chainOf(8, refusal))).toBeUndefined();
  });

  it("S39 is absent where no service refused", () => {
    for (const thrown of [new Error("x"), null, "x", revokedProxy(), { status: 409, code: "SLOT_TAKEN" }]) {
      expect(refusalOf(thrown)).toBeUndefined();
    }
  });

  it.each(["slot_taken", "1ST", "", "A".repeat(65), "A B", "A\n"])("S39 leaves out the code %j", (code) => {
    expect(refusalOf(new HttpRefusal(409, "", code))).toStrictEqual({ status: 409 });
  });

  it("takes a code of 64 characters, and passes over a refusal without a status", () => {
    expect(refusalOf(new HttpRefusal(409, "", "A".repeat(64)))?.code).toHaveLength(64);
    const broken = Object.create(HttpRefusal.prototype, { cause: { value: refusal } });
    expect(refusalOf(broken)?.status).toBe(409);
  });
});
