import { describe, expect, it } from "vitest";
import { Figures, type Figure } from "./figures.ts";
import { STEPWELL, TURNS } from "./names.ts";
import { median, percentile } from "./statistics.ts";
import { judge } from "./targets.ts";

function figuresOf(...all: readonly Figure[]): Figures {
  const figures = new Figures();
  for (const figure of all) figures.add(figure);
  return figures;
}

const steps = (contestant: string, ...samples: readonly number[]): Figure => ({
  scenario: "C",
  what: "1000 steps",
  contestant,
  unit: "steps/s",
  samples,
});

const verdictOf = (figures: Figures, text: string, generous = false) =>
  judge(figures, generous).find((verdict) => verdict.text.includes(text));

describe("the statistics of the benchmark", () => {
  it("give the middle sample, or the mean of the two in the middle", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 7])).toBe(6);
    expect(median([])).toBeNaN();
  });

  it("give the value that a share of the samples lies below", () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i);
    expect(percentile(hundred, 0.95)).toBe(95);
    expect(percentile([3], 0.99)).toBe(3);
  });
});

describe("the targets of the benchmark", () => {
  it("compare medians of one run", () => {
    const figures = figuresOf(steps(STEPWELL, 900, 100, 850), steps(TURNS, 1_000, 1_000, 5_000));
    expect(verdictOf(figures, "a turn for each row")).toMatchObject({ value: 0.85, limit: 0.8, isMet: true });
  });

  it("are missed by a value on the wrong side", () => {
    const figures = figuresOf(steps(STEPWELL, 700), steps(TURNS, 1_000));
    expect(verdictOf(figures, "a turn for each row")).toMatchObject({ value: 0.7, isMet: false });
  });

  it("take the fastest peer, and no bare object for a peer", () => {
    const figures = figuresOf(steps(STEPWELL, 900), steps(TURNS, 1_000), steps("one", 300), steps("two", 450));
    expect(verdictOf(figures, "fastest peer")).toMatchObject({ value: 2, isMet: true });
  });

  it("say nothing of what was not measured", () => {
    expect(judge(figuresOf(), false)).toEqual([]);
    expect(verdictOf(figuresOf(steps(STEPWELL, 900), steps(TURNS, 1_000)), "fastest peer")).toBeUndefined();
  });

  it("are wider on a busy machine, and leave out what only a quiet one can tell", () => {
    const figures = figuresOf(steps(STEPWELL, 300), steps(TURNS, 1_000), steps("one", 300));
    expect(verdictOf(figures, "a turn for each row", true)).toMatchObject({ isMet: true });
    expect(verdictOf(figures, "fastest peer", true)).toBeUndefined();
  });
});
