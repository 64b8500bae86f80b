import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { validate, version } from "uuid";
import { describe, expect, it } from "vitest";
import { deriveKey, drawDelay, drawUnit, drawUuid, hashText } from "../../src/journal/draw.ts";

const LABEL = fc.string({ unit: "binary" });

describe("drawDelay", () => {
  it("takes off what is drawn of a half, in whole milliseconds", () => {
    expect(drawDelay("seed", "label", 60_000)).toBe(Math.round(60_000 * (1 - drawUnit("seed", "label") / 2)));
    const delays = Array.from({ length: 1_000 }, (_, i) => drawDelay("seed", String(i), 1_000));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(500);
    expect(Math.min(...delays)).toBeLessThan(510);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_000);
    expect(Math.max(...delays)).toBeGreaterThan(990);
  });
});

describe("drawUnit", () => {
  it("is the first 53 bits of SHA-256 over seed, NUL and label", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (seed, label) => {
        const bits = createHash("sha256").update(`${seed}\0${label}`).digest().readBigUInt64BE() >> 11n;
        expect(drawUnit(seed, label)).toBe(Number(bits) / 2 ** 53);
      }),
    );
  });

  it("spreads evenly over the unit interval and never reaches 1", () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let index = 0; index < 5_000; index += 1) {
      const bucket = Math.floor(drawUnit("seed", String(index)) * 10);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    expect(counts).toHaveLength(10);
    expect(Math.min(...counts)).toBeGreaterThan(400);
    expect(Math.max(...counts)).toBeLessThan(600);
  });
});

describe("drawUuid", () => {
  it("case 83: is a valid version 4 UUID, the same for the same label, another for another", () => {
    fc.assert(
      fc.property(fc.string(), LABEL, (seed, label) => {
        const uuid = drawUuid(seed, label);
        expect(validate(uuid) && version(uuid) === 4).toBe(true);
        expect(drawUuid(seed, label)).toBe(uuid);
        expect(drawUuid(seed, `${label}!`)).not.toBe(uuid);
        expect(drawUuid(`${seed}!`, label)).not.toBe(uuid);
      }),
    );
  });
});

describe("deriveKey", () => {
  it("is 32 characters that may stand in a header, the same for the same label, another for another", () => {
    fc.assert(
      fc.property(fc.string(), LABEL, (seed, label) => {
        const key = deriveKey(seed, label);
        expect(key).toMatch(/^[A-Za-z0-9_-]{32}$/u);
        expect(deriveKey(seed, label)).toBe(key);
        expect(deriveKey(seed, `${label}!`)).not.toBe(key);
        expect(deriveKey(`${seed}!`, label)).not.toBe(key);
      }),
    );
  });

  it("stays what it was: services have seen the keys of executions that still run", () => {
    expect(deriveKey("seed", "label")).toBe("3dclB9R3dlA2t6KtDDQwir1hVoZlPEx0");
    expect(drawUuid("seed", "label")).toBe("f1306675-9c7c-4a0b-982a-1f437e8597b9");
  });
});

describe("hashText", () => {
  it("is SHA-256 in base64url without padding", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(hashText(text)).toBe(createHash("sha256").update(text).digest("base64url"));
      }),
    );
  });

  it("takes a lone surrogate", () => {
    expect(hashText("\ud800")).toHaveLength(43);
    expect(drawUnit("\ud800", "\ud800")).toBeLessThan(1);
  });
});
