import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../examples/demo/journal-entry.ts";
import { checkStep, stepRecords } from "../../examples/demo/step-check.ts";
import type { Ledger } from "../../examples/flaky-service.ts";

const RECORD = { name: "ship", attempts: 2, completedAt: 300 };

function ledgerOf(times: readonly number[], { key = "k", early = false } = {}): Ledger {
  return { path: "/parcels/1", key, hits: times.map((at) => ({ at, answer: "200", early })) };
}

describe("stepRecords", () => {
  it("counts the attempts of each step and knows when it completed", () => {
    const entries: readonly JournalEntry[] = [
      { type: "attempt-started", at: 1, op: 0, kind: "step", name: "a", attempt: 1 },
      { type: "attempt-started", at: 2, op: 1, kind: "step", name: "b", attempt: 1 },
      { type: "attempt-failed", at: 3, op: 0, attempt: 1 },
      { type: "attempt-started", at: 4, op: 0, attempt: 2 },
      { type: "step-completed", at: 5, op: 0 },
      { type: "timer-set", at: 6, op: 2, kind: "sleep", name: "sleep" },
    ];
    expect(stepRecords(entries)).toEqual([
      { name: "a", attempts: 2, completedAt: 5 },
      { name: "b", attempts: 1 },
    ]);
  });
});

describe("checkStep", () => {
  it("finds no fault in a step whose hits are within its attempts and before its completion", () => {
    expect(checkStep(RECORD, [ledgerOf([100, 200])])).toEqual({ step: "ship", attempts: 2, hits: 2, faults: [] });
  });

  it.each([
    ["more hits than attempts", [ledgerOf([100, 150, 200])], /3 times in 2 journaled attempts/],
    ["a hit after the completion", [ledgerOf([100, 400])], /1 times more after its outcome was journaled/],
    ["a second idempotency key", [ledgerOf([100]), ledgerOf([200], { key: "other" })], /2 different idempotency keys/],
    ["a hit before the time asked for", [ledgerOf([100], { early: true })], /1 times before the time/],
    ["a completion without a hit", [], /without reaching the service/],
  ])("finds %s", (_fault, ledgers, expected) => {
    expect(checkStep(RECORD, ledgers).faults).toEqual([expect.stringMatching(expected)]);
  });
});
