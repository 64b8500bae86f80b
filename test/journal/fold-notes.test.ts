import { describe, expect, it } from "vitest";
import type { Attributes } from "../../src/journal/attributes.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { cancelled, foldOf, paused, resumed, START_AT, started, stateAfter } from "../support/journal-entries.ts";

const AT = START_AT + 500;

describe("attributes", () => {
  it("are those of the start, with the latest value of each that was set since", () => {
    const set = (values: Attributes): Entry => ({ type: "attributes", values, at: AT });
    const start = started({ attributes: { customer: "c-7", stage: "new" } });
    expect(stateAfter()).toMatchObject({ attributes: {}, attributeEntries: 0 });
    expect(foldOf(start, set({ stage: "paid" }), set({ lines: 2 }))).toMatchObject({
      attributes: { customer: "c-7", stage: "paid", lines: 2 },
      attributeEntries: 2,
    });
  });
});

describe("patches", () => {
  it("are those of which the code took the new side", () => {
    const patched = (id: string): Entry => ({ type: "patched", id, at: AT });
    expect([...stateAfter(patched("notify-first"), patched("two")).patches]).toEqual(["notify-first", "two"]);
  });
});

describe("a later start", () => {
  const started300 = started({ startAt: START_AT + 300 });

  it("is to come until the first run, or an end before it", () => {
    expect(foldOf(started300).startAt).toBe(START_AT + 300);
    expect(foldOf(started300, { type: "run-started", attempt: 1, at: AT }).startAt).toBeUndefined();
    expect(foldOf(started300, cancelled({ by: "before-start" })).startAt).toBeUndefined();
  });

  it("outlives a resume", () => {
    expect(foldOf(started300, paused(), resumed()).startAt).toBe(START_AT + 300);
  });
});
