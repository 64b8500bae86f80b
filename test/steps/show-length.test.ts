import { describe, expect, it } from "vitest";
import { showLength } from "../../src/steps/show-length.ts";

describe("showLength", () => {
  it.each([
    [0, "0 ms"],
    [350.9, "350 ms"],
    [1_000, "1 s"],
    [2_500, "2.5 s"],
    [59_999.9, "59.999 s"],
    [60_000, "1 min"],
    [61_999, "1 min 1 s"],
    [5_400_000, "1 h 30 min"],
    [3_601_000, "1 h"],
    [86_400_000, "1 d"],
    [93_600_000, "1 d 2 h"],
    [31_536_000_000, "365 d"],
  ])("shows %d ms as %s", (ms, text) => {
    expect(showLength(ms)).toBe(text);
  });
});
