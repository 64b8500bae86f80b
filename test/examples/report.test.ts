import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../examples/demo/journal-entry.ts";
import { report } from "../../examples/demo/report.ts";
import type { Ledger } from "../../examples/flaky-service.ts";

const COMPLETION: JournalEntry = { type: "completed", at: 4, value: { sent: 2 } };

function reminderWith(entries: readonly JournalEntry[]) {
  return { execution: { url: "http://127.0.0.1", workflow: "reminder", id: "demo" }, entries: [...entries] };
}

function stepNamed(op: number, name: string): readonly JournalEntry[] {
  return [
    { type: "attempt-started", at: 1, op, kind: "step", name, attempt: 1 },
    { type: "step-completed", at: 3, op },
  ];
}

function ledgerOf(path: string, times: readonly number[]): Ledger {
  return { path, key: path, hits: times.map((at) => ({ at, answer: "200", early: false })) };
}

describe("the demo's report", () => {
  const steps = [...stepNamed(0, "send-mail"), ...stepNamed(1, "send-mail#2")];

  it("compares each occurrence of a step with the path that it calls", () => {
    const lines = report(
      [reminderWith([...steps, COMPLETION])],
      [ledgerOf("/mails/1", [2]), ledgerOf("/mails/2", [2])],
    );
    expect(lines.map(({ text }) => text)).toEqual([
      "",
      '✓ reminder completed: {"sent":2}',
      "✓   send-mail: 1 hit, 1 attempt",
      "✓   send-mail#2: 1 hit, 1 attempt",
      "\nEvery execution completed, and no completed step ran again.",
    ]);
    expect(lines.every(({ ok }) => ok)).toBe(true);
  });

  it("takes the parallel steps of one name together, and knows the path of each by its occurrence", () => {
    const fanOut = { execution: { url: "http://127.0.0.1", workflow: "fan-out", id: "demo" } };
    const entries = [...stepNamed(0, "render-tile"), ...stepNamed(1, "render-tile#2"), COMPLETION];
    const ledgers = [ledgerOf("/jobs/tile-01", [2]), ledgerOf("/jobs/tile-02", [2])];
    const linesOf = (all: readonly Ledger[]) => report([{ ...fanOut, entries }], all).map(({ text }) => text);
    expect(linesOf(ledgers)).toContain("✓   2 parallel steps: 2 hits, 2 attempts");
    expect(linesOf(ledgers.slice(1))).toContainEqual(
      expect.stringContaining("✗   2 parallel steps: 1 hit, 2 attempts: "),
    );
  });

  it("is not ok where a completed step ran again", () => {
    const lines = report(
      [reminderWith([...steps, COMPLETION])],
      [ledgerOf("/mails/1", [2, 9]), ledgerOf("/mails/2", [2])],
    );
    expect(lines.filter(({ ok }) => !ok).map(({ text }) => text)).toEqual([
      expect.stringContaining("send-mail: 2 hits, 1 attempt: "),
      expect.stringContaining("Not everything is as promised"),
    ]);
  });

  it("is not ok where an execution did not complete, or journaled no step", () => {
    expect(report([reminderWith(steps)], []).find(({ text }) => text.startsWith("✗ reminder"))?.ok).toBe(false);
    expect(report([reminderWith([COMPLETION])], []).map(({ text }) => text)).toContain("✗   no step was journaled");
  });
});
