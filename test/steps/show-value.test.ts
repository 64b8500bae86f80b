import { describe, expect, it } from "vitest";
import { showValue } from "../../src/steps/show-value.ts";

describe("showValue", () => {
  it.each([
    ["3", '"3"'],
    ["a\nb", '"a\\nb"'],
    ["x".repeat(101), `"${"x".repeat(100)}"…`],
    [1.5, "1.5"],
    [NaN, "NaN"],
    [5n, "5n"],
    [true, "true"],
    [undefined, "undefined"],
    [null, "null"],
    [Symbol("s"), "Symbol(s)"],
    [() => "secret", "a function"],
    [["secret"], "an array"],
    [{ token: "secret" }, "an object"],
  ])("shows %o as %s", (value, shown) => {
    expect(showValue(value)).toBe(shown);
  });
});
