import { describe, expect, it } from "vitest";
import { canonicalText } from "../../src/journal/value-canonical.ts";

describe("canonicalText", () => {
  it("does not grow without bound over references that repeat references", () => {
    let value: unknown[] = ["leaf"];
    for (let level = 0; level < 40; level += 1) value = [value, value];
    const text = canonicalText(value);
    // Small parts take more room and time than their characters.
    expect(text.length).toBeLessThan(2 * 1_024 * 1_024);
    expect(text).toMatch(/#\d+\]+$/u);
  });

  it("nor over references to long bytes", () => {
    let value: unknown[] = [new Uint8Array(1_024 * 1_024)];
    for (let level = 0; level < 40; level += 1) value = [value, value];
    expect(canonicalText(value).length).toBeLessThan(32 * 1_024 * 1_024);
    const long = new Uint8Array(1_024 * 1_024);
    expect(canonicalText(Array.from({ length: 40 }, () => long)).length).toBeLessThan(32 * 1_024 * 1_024);
  });

  it.each([
    { of: "a pattern", long: new RegExp("x".repeat(1_024 * 1_024)) },
    { of: "a URL", long: new URL(`https://example.com/${"x".repeat(1_024 * 1_024)}`) },
    { of: "an error", long: new Error("x".repeat(1_024 * 1_024)) },
    { of: "a field with a long name", long: { ["x".repeat(1_024 * 1_024)]: 1 } },
  ])("nor over references to $of", ({ long }) => {
    const text = canonicalText(Array.from({ length: 60 }, () => long));
    expect(text.length).toBeLessThan(26 * 1_024 * 1_024);
    expect(text.endsWith(",#1,#1]")).toBe(true);
  });
});
