import * as fc from "fast-check";
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { toBase64, toBase64Url, truncateUtf8, utf8Length } from "../../src/journal/value-text.ts";

const TEXT = fc.string({
  unit: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud83e", "\udd81", "é", "€", "🦁")),
});

describe("utf8Length", () => {
  it("is what the platform counts, lone surrogates included", () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });
});

describe("truncateUtf8", () => {
  it("keeps the longest start that fits and splits no character", () => {
    fc.assert(
      fc.property(TEXT, fc.nat(40), (text, maximumBytes) => {
        const start = truncateUtf8(text, maximumBytes);
        const next = Array.from(text.slice(start.length))[0] ?? "";
        expect(text.startsWith(start)).toBe(true);
        expect(utf8Length(start)).toBeLessThanOrEqual(maximumBytes);
        expect(start === text || utf8Length(start) + utf8Length(next) > maximumBytes).toBe(true);
        expect(Array.from(start).every((character, index) => character === Array.from(text)[index])).toBe(true);
      }),
    );
  });

  it.each([
    ["🦁🦁", 7, "🦁"],
    ["a€", 3, "a"],
    ["aé", 3, "aé"],
    ["abc", 0, ""],
  ])("%s within %d bytes is %s", (text, maximumBytes, expected) => {
    expect(truncateUtf8(text, maximumBytes)).toBe(expected);
  });
});

describe("base64", () => {
  it("is the platform's, in both alphabets, for every length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
        expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      }),
    );
  });

  it("takes more bytes than a call has arguments", () => {
    const bytes = new Uint8Array(1_000_001).fill(250);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  });
});
