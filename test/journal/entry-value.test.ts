import { describe, expect, it } from "vitest";
import type { Encoded, Entry } from "../../src/journal/entry.ts";
import { showEntry } from "../../src/journal/entry-value.ts";
import {
  attemptRetried,
  childEnded,
  childRequested,
  ending,
  failed,
  messageRequested,
  started,
  stepCompleted,
  stepStarted,
} from "../support/journal-entries.ts";

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

  it("shows what is sent to other executions, and how they ended", () => {
    expect(shown(childRequested(0))).toMatchObject({ input: ["shown", ["lamp"]] });
    expect(shown(messageRequested(0))).toMatchObject({ message: { kind: "signal", value: ["shown", [1]] } });
    const cancel = messageRequested(0, { message: { kind: "cancel", reason: "late" } });
    expect(shown(cancel)).toEqual(cancel);
    const { declared, code, message, details } = failed();
    const outcomes = [
      { kind: "completed", value: [1] },
      { kind: "failed", declared, code, message, details },
      { kind: "cancelled" },
    ] as const;
    const seen = outcomes.map((outcome) => shown(childEnded("other", { outcome }))["outcome"]);
    expect(seen).toEqual([
      { kind: "completed", value: ["shown", [1]] },
      { kind: "failed", declared, code, message, details: ["shown", details] },
      { kind: "cancelled" },
    ]);
  });
});
