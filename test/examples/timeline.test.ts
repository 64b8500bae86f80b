import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../examples/demo/journal-entry.ts";
import { drawLine, timelineOf } from "../../examples/demo/timeline.ts";

const START = Date.UTC(2026, 10, 30, 12, 0, 0);

const JOURNAL: readonly JournalEntry[] = [
  { type: "started", at: START },
  { type: "attempt-started", at: START + 10, op: 0, kind: "step", name: "charge-card", attempt: 1 },
  {
    type: "attempt-failed",
    at: START + 1_000,
    op: 0,
    attempt: 1,
    failure: { name: "RetryableError", message: "/payments answered 503" },
    retryAt: START + 6_000,
    because: "retry-after",
  },
  { type: "attempt-started", at: START + 6_000, op: 0, attempt: 2 },
  {
    type: "attempt-failed",
    at: START + 6_100,
    op: 0,
    attempt: 2,
    failure: { name: "Error", message: "broken" },
    spent: "attempts",
  },
];

function textOf(entry: JournalEntry): string | undefined {
  return timelineOf("order", [entry])[0]?.text;
}

describe("timelineOf", () => {
  it("names the operation of every entry by the operation's first entry", () => {
    expect(timelineOf("order", JOURNAL).map(({ operation }) => operation)).toEqual([
      "",
      "charge-card",
      "charge-card",
      "charge-card",
      "charge-card",
    ]);
  });

  it("gives only the lines from a number on, with the names that stand before it", () => {
    const lines = timelineOf("order", JOURNAL, 3);
    expect(lines.map(({ operation, attempt }) => [operation, attempt])).toEqual([
      ["charge-card", 2],
      ["charge-card", 2],
    ]);
  });

  it("says which rule makes a step wait, until when and how long", () => {
    expect(timelineOf("order", JOURNAL)[2]).toMatchObject({
      text: "failed: /payments answered 503; waits for the service's Retry-After until 12:00:06.000 (5 s)",
      tone: "waiting",
    });
  });

  it("says which limit ended a step", () => {
    expect(timelineOf("order", JOURNAL)[4]).toMatchObject({ text: "failed: broken; no attempt is left", tone: "bad" });
  });

  it("says how long it sleeps and waits in the two largest fitting units", () => {
    const asked = { at: START, op: 0, name: "sleep" };
    expect(textOf({ ...asked, type: "timer-set", dueAt: START + 350 })).toBe("sleeps until 12:00:00.350 (350 ms)");
    expect(textOf({ ...asked, type: "timer-set", dueAt: START + 90_000 })).toBe(
      "sleeps until 12:01:30.000 (1 min 30 s)",
    );
    expect(textOf({ ...asked, type: "signal-awaited", dueAt: START + 86_400_000 })).toBe(
      "waits for the signal until 2026-12-01 12:00:00.000 (1 d)",
    );
    expect(textOf({ ...asked, type: "signal-awaited" })).toBe("waits for the signal");
  });

  it("shows how an execution ended", () => {
    expect(textOf({ type: "completed", at: START, value: { tracking: "t" } })).toBe('completed: {"tracking":"t"}');
    expect(textOf({ type: "failed", at: START, code: "OUT_OF_STOCK", message: "sold out" })).toBe(
      "failed: OUT_OF_STOCK sold out",
    );
  });

  it("draws an entry of an unknown type by its type", () => {
    expect(textOf({ type: "moon-phase-changed", at: START })).toBe("moon phase changed");
  });
});

describe("drawLine", () => {
  const line = {
    at: START + 1_234,
    execution: "order",
    operation: "ship",
    attempt: 2,
    text: "completed",
    tone: "good",
  } as const;

  it("puts time, execution, operation and attempt into columns of fixed width", () => {
    expect(drawLine(line, { startedAt: START, colours: false })).toBe(
      "   1.23s  order     ship            attempt 2   completed",
    );
  });

  it("writes colour codes only where colours are asked for", () => {
    expect(drawLine(line, { startedAt: START, colours: true })).toContain("\u001b[32mcompleted\u001b[0m");
    expect(drawLine(line, { startedAt: START, colours: false })).not.toContain("\u001b");
  });
});
