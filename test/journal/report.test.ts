import { describe, expect, it } from "vitest";
import { contentOf, decideReport, isNews, reportOf, type Telling } from "../../src/journal/report.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { isOver, nextWakeAt, nextWorkAt } from "../../src/journal/next-wake.ts";
import { emptyState, type State } from "../../src/journal/state.ts";
import { nextReportAt, purgeRetryAt, reportAcknowledged, reportFailed } from "../../src/journal/unreported.ts";
import { LIMITS } from "../../src/limits.ts";
import {
  completed,
  ending,
  failed,
  foldOf,
  forkedFrom,
  paused,
  resumed,
  RETENTION_MS,
  signalAwaited,
  sleepSet,
  START_AT,
  started,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

/** As `foldOf`, where there is a directory. */
function listed(...entries: readonly Entry[]): State {
  const state = emptyState(true);
  for (const entry of entries) fold(state, entry);
  return state;
}

const REPORTED: Entry = { type: "reported", upTo: 1, at: START_AT };
const failedOnce: Entry = {
  type: "report-failed",
  attempt: 1,
  failure: { name: "Error", message: "down" },
  retryAt: START_AT + 60_000,
  at: START_AT,
};

const telling = (given: Partial<Telling> = {}): Telling => ({
  sentUpTo: 0,
  acknowledgedUpTo: 0,
  told: undefined,
  toldAt: Number.NEGATIVE_INFINITY,
  changedAt: undefined,
  isAtRest: true,
  ...given,
});

describe("what an execution is reported as", () => {
  it("is a function of its journal, numbered by the entries", () => {
    expect(reportOf(listed(started({ version: "v2", attributes: { a: 1 } }), sleepSet(0, START_AT + 5)))).toEqual({
      workflow: "order",
      id: "order-1",
      version: "v2",
      state: "waiting",
      startedAt: START_AT,
      createdAt: START_AT,
      sequence: 2,
      attributes: { a: 1 },
    });
  });

  it("has the same number whatever became of reports of it", () => {
    const before = reportOf(listed(started(), sleepSet(0, START_AT + 5)));
    const after = reportOf(listed(started(), sleepSet(0, START_AT + 5), failedOnce, { ...REPORTED, upTo: 2 }));
    expect(after).toEqual(before);
    expect(reportOf(listed(started(), REPORTED, sleepSet(0, START_AT + 5))).sequence).toBe(3);
  });

  it("is running while a step runs, or nothing is open that the code could wait for", () => {
    expect(reportOf(listed(started())).state).toBe("running");
    expect(reportOf(listed(started(), stepStarted(0))).state).toBe("running");
    expect(reportOf(listed(started(), signalAwaited(0))).state).toBe("waiting");
    expect(reportOf(listed(started({ startAt: START_AT + 5 }))).state).toBe("waiting");
    expect(reportOf(listed(started(), ...undoable(0), ending())).state).toBe("running");
    const failure = { name: "Error", message: "no" };
    const runFailed: Entry = { type: "run-failed", attempt: 1, failure, retryAt: START_AT + 9, at: START_AT };
    expect(reportOf(listed(started(), runFailed)).state).toBe("waiting");
  });

  it("has a code where it is paused or failed, and otherwise none", () => {
    expect(reportOf(listed(started(), paused({ code: "STALLED" })))).toMatchObject({ code: "STALLED" });
    expect(reportOf(listed(started(), failed()))).toMatchObject({
      code: "OUT_OF_STOCK",
      endedAt: START_AT,
      purgeAt: START_AT + RETENTION_MS,
    });
    expect(reportOf(listed(started(), completed()))).not.toHaveProperty("code");
    expect(reportOf(listed(started(), ...undoable(0), ending()))).not.toHaveProperty("code");
  });

  it("of a fork began when the original did, and came into being later", () => {
    const fork = reportOf(listed(started(), forkedFrom({ at: START_AT + 7 })));
    expect([fork.startedAt, fork.createdAt]).toEqual([START_AT, START_AT + 7]);
  });

  it("is nothing before there is an execution", () => {
    expect(() => reportOf(emptyState(true))).toThrow("Cannot report an execution that has not started.");
  });

  it("is worth another report where its state, its code or its attributes are others", () => {
    const content = (state: State) => contentOf(reportOf(state));
    const waiting = content(listed(started(), sleepSet(0, START_AT + 5)));
    expect(content(listed(started(), signalAwaited(0), signalAwaited(1)))).toBe(waiting);
    const set: Entry = { type: "attributes", values: { a: 1 }, at: START_AT };
    expect(content(listed(started(), set, sleepSet(0, START_AT + 5)))).not.toBe(waiting);
    expect(content(listed(started(), paused({ code: "A" })))).not.toBe(
      content(listed(started(), paused({ code: "B" }))),
    );
  });
});

describe("a report", () => {
  it.each([
    [undefined, true],
    [{ createdAt: 5, sequence: 2 }, true],
    [{ createdAt: 5, sequence: 3 }, false],
    [{ createdAt: 5, sequence: 4 }, false],
    [{ createdAt: 4, sequence: 9 }, true],
    [{ createdAt: 6, sequence: 1 }, false],
  ])("number 3 of one that came into being at 5 is, to who knows %j, news: %j", (known, news) => {
    expect(isNews({ createdAt: 5, sequence: 3 }, known)).toBe(news);
  });
});

describe("what is still to be told", () => {
  it("is the start, and the alarm stands by until it is acknowledged", () => {
    const state = listed(started(), sleepSet(0, START_AT + 500));
    expect([nextReportAt(state), nextWakeAt(state), nextWorkAt(state)]).toEqual([START_AT, START_AT, START_AT + 500]);
    const told = listed(started(), sleepSet(0, START_AT + 500), { ...REPORTED, upTo: 2 });
    expect([nextReportAt(told), nextWakeAt(told)]).toEqual([undefined, START_AT + 500]);
  });

  it.each([paused(), resumed(), completed(), failed()])("is $type, without an alarm of its own", (entry) => {
    const state = listed(started(), REPORTED, entry);
    expect(state.unreported).toEqual({ entry: 2, failures: 0, dueAt: undefined });
    expect(nextReportAt(state)).toBeUndefined();
  });

  it("is an end for which the alarm of the purge is enough, unless it could not be told", () => {
    expect(nextReportAt(listed(started(), completed()))).toBeUndefined();
    expect(nextReportAt(listed(started(), failedOnce, completed()))).toBe(START_AT + 60_000);
    expect(nextReportAt(listed(started(), completed(), failedOnce))).toBe(START_AT + 60_000);
    expect(nextReportAt(listed(started(), paused()))).toBe(START_AT);
  });

  it("keeps the alarm of what could not be told before it", () => {
    const state = listed(started(), failedOnce, paused());
    expect(state.unreported).toEqual({ entry: 2, failures: 1, dueAt: START_AT + 60_000 });
    expect(nextWakeAt(state)).toBe(START_AT + 60_000);
  });

  it("is a fork, which the directory knows nothing of, whatever it knows of the original", () => {
    const state = listed(started(), REPORTED, forkedFrom({ at: START_AT + 7 }));
    expect(state.unreported).toEqual({ entry: 2, failures: 0, dueAt: START_AT + 7 });
  });

  it("has no alarm where there is no directory, or the journal cannot be read", () => {
    expect(nextReportAt(foldOf(started()))).toBeUndefined();
    // The cast: what a newer engine may write.
    expect(nextReportAt(listed(started(), { type: "newer", at: START_AT } as unknown as Entry))).toBeUndefined();
  });

  it("is acknowledged by a report that was made after it, and by no other", () => {
    const state = listed(started(), paused());
    const reported = (upTo: number) => [{ type: "reported", upTo, at: START_AT }];
    expect(reportAcknowledged(state, { upTo: 2, isFree: false }, START_AT)).toEqual(reported(2));
    expect(reportAcknowledged(state, { upTo: 1, isFree: true }, START_AT)).toEqual([]);
    expect(reportAcknowledged(listed(started(), REPORTED), { upTo: 2, isFree: true }, START_AT)).toEqual([]);
  });

  it("is acknowledged in the journal where the alarm stands by, or where that is free, but never after the end for that", () => {
    const known = listed(started(), REPORTED, paused());
    expect(reportAcknowledged(known, { upTo: 3, isFree: false }, START_AT)).toEqual([]);
    expect(reportAcknowledged(known, { upTo: 3, isFree: true }, START_AT)).toHaveLength(1);
    const ended = listed(started(), completed());
    expect(reportAcknowledged(ended, { upTo: 2, isFree: true }, START_AT)).toEqual([]);
    const late = listed(started(), completed(), failedOnce);
    expect(reportAcknowledged(late, { upTo: 2, isFree: false }, START_AT)).toHaveLength(1);
  });

  it("is told again after at most a minute, then twice as long each time, up to an hour", () => {
    const entries: Entry[] = [started()];
    const delays: number[] = [];
    for (let failures = 0; failures < 8; failures += 1) {
      const facts = reportFailed(listed(...entries), new Error("down"), START_AT);
      entries.push(...facts);
      delays.push(...facts.map(({ retryAt }) => (retryAt - START_AT) / 60_000));
    }
    expect(delays).toHaveLength(8);
    for (const [failures, delay] of delays.entries()) {
      expect(delay).toBeLessThanOrEqual(Math.min(2 ** failures, 60));
      expect(delay).toBeGreaterThanOrEqual(Math.min(2 ** failures, 60) / 2);
    }
    expect(reportFailed(listed(started(), REPORTED), new Error("down"), START_AT)).toEqual([]);
  });

  it("comes at another time from each execution and after each failure, and so does a purge", () => {
    const seeds = Array.from({ length: 1_000 }, (_, i) => `seed-${i}`);
    const times = (timeOf: (state: State) => number) => new Set(seeds.map((seed) => timeOf(listed(started({ seed })))));
    const reported = times((state) => reportFailed(state, new Error("down"), START_AT)[0]?.retryAt ?? 0);
    expect(reported.size).toBeGreaterThan(950);
    expect(Math.max(...reported) - Math.min(...reported)).toBeGreaterThan(0.49 * 60_000);
    const purged = times((state) => purgeRetryAt(state, START_AT));
    expect(purged.size).toBeGreaterThan(990);
    expect(Math.min(...purged)).toBeGreaterThanOrEqual(START_AT + LIMITS.purgeRetryMs / 2);
    expect(Math.max(...purged)).toBeLessThanOrEqual(START_AT + LIMITS.purgeRetryMs);
    const one = listed(started({ seed: "seed" }));
    expect(purgeRetryAt(one, START_AT + 1) - purgeRetryAt(one, START_AT)).not.toBe(1);
    // Nothing is kept of what has not started.
    expect(purgeRetryAt(emptyState(true), START_AT)).toBeGreaterThan(START_AT);
  });

  it("cannot have failed where nothing was to be told", () => {
    expect(() => listed(started(), REPORTED, failedOnce)).toThrow("a report");
  });
});

describe("a report is made", () => {
  const waiting = listed(started(), sleepSet(0, START_AT + 5), { ...REPORTED, upTo: 2 });
  const told = contentOf(reportOf(waiting));

  it("at once of what is to be told, once in a life, and when it is due again", () => {
    const state = listed(started());
    expect(decideReport(state, telling(), START_AT)).toEqual({ kind: "now", owed: true });
    const late = listed(started(), failedOnce);
    expect(decideReport(late, telling({ sentUpTo: 1 }), START_AT + 59_999)).toEqual({ kind: "none" });
    expect(decideReport(late, telling({ sentUpTo: 1 }), START_AT + 60_000)).toEqual({ kind: "now", owed: true });
    const known = listed(started(), REPORTED, paused());
    expect(decideReport(known, telling({ sentUpTo: 3 }), START_AT)).toEqual({ kind: "none" });
    const content = contentOf(reportOf(known));
    const acknowledged = telling({ sentUpTo: 3, acknowledgedUpTo: 3, told: content });
    expect(decideReport(known, acknowledged, START_AT)).toEqual({ kind: "none" });
    expect(decideReport(known, { ...acknowledged, told: "else" }, START_AT)).toEqual({ kind: "now", owed: false });
  });

  it("of whether it runs or waits ten seconds after the last, and not of what was told", () => {
    expect(decideReport(waiting, telling(), START_AT)).toEqual({ kind: "now", owed: false });
    expect(decideReport(waiting, telling({ told }), START_AT)).toEqual({ kind: "none" });
    const after = telling({ told: "else", toldAt: START_AT });
    expect(decideReport(waiting, after, START_AT + 9_999)).toEqual({ kind: "later", at: START_AT + 10_000 });
    expect(decideReport(waiting, after, START_AT + 10_000)).toEqual({ kind: "now", owed: false });
  });

  it("in a burst when that has lasted for ten seconds", () => {
    const burst = telling({ isAtRest: false });
    expect(decideReport(waiting, burst, START_AT)).toEqual({ kind: "later", at: START_AT + 10_000 });
    const going = { ...burst, changedAt: START_AT };
    expect(decideReport(waiting, going, START_AT + 4_000)).toEqual({ kind: "later", at: START_AT + 10_000 });
    expect(decideReport(waiting, going, START_AT + 10_000)).toEqual({ kind: "now", owed: false });
  });

  it("never without a directory, an execution, or a journal that can be read", () => {
    const newer = listed(started(), { type: "newer", at: START_AT } as unknown as Entry);
    for (const state of [foldOf(started()), emptyState(true), newer]) {
      expect(decideReport(state, telling(), START_AT)).toEqual({ kind: "none" });
    }
  });
});

describe("the end of the retention", () => {
  it("has come when its time is over and everybody knows of the end", () => {
    const state = listed(started(), completed());
    expect(isOver(state, START_AT + RETENTION_MS - 1)).toBe(false);
    expect(isOver(state, START_AT + RETENTION_MS)).toBe(true);
    expect(isOver(listed(started()), START_AT + RETENTION_MS)).toBe(false);
    const parent = { workflow: "batch", id: "b", key: "k" };
    expect(isOver(listed(started({ parent }), completed()), START_AT + RETENTION_MS)).toBe(false);
  });
});
