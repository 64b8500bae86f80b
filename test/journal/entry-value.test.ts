import { describe, expect, it } from "vitest";
import type { Encoded, Entry } from "../../src/journal/entry.ts";
import { showEntry } from "../../src/journal/entry-value.ts";
import { ending, failed, started, stepCompleted, stepStarted, attemptRetried } from "../support/journal-entries.ts";

const show = (value: Encoded) => ["shown", value];
const shown = (entry: Entry) => showEntry(entry, show);

describe("an entry for readers", () => {
  it("has its value as they want it, whichever field holds it", () => {
    expect(shown(started())).toEqual({ ...started(), input: ["shown", started().input] });
    expect(shown(stepCompleted(0))).toEqual({ ...stepCompleted(0), value: ["shown", stepCompleted(0).value] });
  });

  it("is a copy where it has no value, or not this time", () => {
    expect(shown(stepStarted(0))).toEqual(stepStarted(0));
    expect(shown(stepStarted(0))).not.toBe(stepStarted(0));
    expect(shown(attemptRetried(0))).toEqual(attemptRetried(0));
  });

  it("shows the value of an end that was journaled ahead", () => {
    expect(shown(ending())).toMatchObject({ outcome: { details: ["shown", failed().details] } });
  });
});
