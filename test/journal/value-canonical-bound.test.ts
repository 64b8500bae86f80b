import { describe, expect, it } from "vitest";
import { canonicalText } from "../../src/journal/value-canonical.ts";

describe("canonicalText", () => {
  it("does not grow without bound over references that repeat references", () => {
    let value: unknown[] = ["leaf"];
    for (let level = 0; level < 40; level += 1) value = [value, value];
    const text = canonicalText(value);
    expect(text.length).toBeLessThan(128 * 1_024 * 1_024);
    expect(text).toMatch(/#\d+\]+$/u);
  });
});
