import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { JournalFault } from "../../src/journal/journal-fault.ts";
import {
  attemptRetried,
  attemptStarted,
  cancelled,
  completed,
  failed,
  foldOf,
  paused,
  resumed,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepAt,
  stepCompleted,
  stepQueued,
  stepSpent,
  stepStarted,
} from "../support/journal-entries.ts";

const AT = START_AT + 500;
const POLICY = { ...started().policy, maximumAttempts: 3 };

const sleepFired = (op: number): Entry => ({ type: "timer-fired", op, at: AT });
const signalTaken = (op: number, received: number): Entry => ({ type: "signal-taken", op, received, at: AT });
const signalReturned = (op: number, received: number): Entry => ({ type: "signal-returned", op, received, at: AT });
const cancelRequested = (at: number, reason: string): Entry => ({ type: "cancel-requested", at, reason });

describe("the start", () => {
  it("is kept, with the number of entries", () => {
    const entry = started();
    expect(foldOf(entry)).toMatchObject({ entries: 1, started: entry, unreadable: undefined });
  });

  it("case 192: makes the state unreadable where its format is newer than this engine", () => {
    expect(foldOf(started({ format: 1_000 }))).toMatchObject({ entries: 1, unreadable: "format 1000" });
  });

  it("has to come before any step, whose terms it holds", () => {
    expect(() => foldOf(stepStarted(0))).toThrow(JournalFault);
    expect(() => foldOf(stepQueued(0))).toThrow(
      "Cannot read the journal as it contradicts itself: entry 0 comes before the start.",
    );
  });
});

describe("case 192: an entry of a type that this engine does not know", () => {
  // The cast: a newer engine wrote it.
  const unknown = (type: string) => ({ type, at: AT }) as unknown as Entry;

  it("makes the state unreadable by the first of them, and changes nothing else", () => {
    const before = stateAfter(stepStarted(0));
    const state = stateAfter(stepStarted(0), unknown("from-the-future"), unknown("from-later"));
    expect(state).toEqual({ ...before, entries: 4, unreadable: "from-the-future" });
  });

  it("hides what comes after it, but for the end of the execution", () => {
    const after = [stepCompleted(0), attemptStarted(7, 2), sleepSet(1, AT), paused(), signalReceived()];
    const state = stateAfter(stepStarted(0), unknown("from-the-future"), ...after);
    expect(state).toEqual({ ...stateAfter(stepStarted(0), unknown("from-the-future")), entries: 8 });
    for (const end of [completed(), failed(), cancelled()]) {
      expect(stateAfter(unknown("from-the-future"), end)).toMatchObject({ end, unreadable: "from-the-future" });
    }
  });

  it("leaves a newer format as the reason", () => {
    expect(foldOf(started({ format: 1_000 }), unknown("from-the-future")).unreadable).toBe("format 1000");
  });
});

describe("a step", () => {
  it("lives under the terms of the start, unless its first entry has others", () => {
    expect(stateAfter(stepStarted(0)).operations).toMatchObject([{ policy: started().policy, timeoutMs: 60_000 }]);
    const terms = { policy: POLICY, timeoutMs: 5_000 };
    expect(stateAfter(stepStarted(0, terms), stepQueued(1, terms)).operations).toMatchObject([terms, terms]);
  });

  it("S13 counts an attempt when it starts", () => {
    const first = stateAfter(stepStarted(0, { at: AT }));
    expect(stepAt(first, 0)).toMatchObject({ phase: "running", attempts: 1, uncharged: 0, firstStartedAt: AT });
    const queued = stateAfter(stepQueued(0));
    expect(stepAt(queued, 0)).toMatchObject({ phase: "queued", attempts: 0 });
    fold(queued, attemptStarted(0, 1, AT));
    expect(stepAt(queued, 0)).toMatchObject({ phase: "running", attempts: 1, firstStartedAt: AT });
  });

  it("waits for its retry, and keeps the time of its first attempt", () => {
    const retry = attemptRetried(0, { retryAt: AT, because: "retry-after" });
    const state = stateAfter(stepStarted(0), retry);
    expect(stepAt(state, 0)).toMatchObject({ phase: "waiting", retryAt: AT, because: "retry-after" });
    expect(stepAt(state, 0).lastFailure).toEqual(retry.failure);
    expect(state.settlements).toEqual([]);
    fold(state, attemptStarted(0, 2, AT));
    expect(stepAt(state, 0)).toMatchObject({ phase: "running", attempts: 2, firstStartedAt: START_AT });
  });

  it("settles with its value", () => {
    const state = stateAfter(stepStarted(0), stepCompleted(0, { value: ["p-7"], at: AT }));
    expect(stepAt(state, 0).phase).toBe("completed");
    expect(state.settlements).toEqual([{ kind: "value", op: 0, at: AT, value: ["p-7"] }]);
    expect(state.open.size).toBe(0);
  });

  it.each([
    ["terminal", "failed"],
    ["attempts", "exhausted"],
    ["duration", "exhausted"],
    ["refused", "exhausted"],
  ] as const)("whose budget is spent (%s) settles with its error and is %s", (spent, phase) => {
    const state = stateAfter(stepStarted(0), stepSpent(0, { spent, error: ["sorry"], at: AT }));
    expect(stepAt(state, 0).phase).toBe(phase);
    expect(state.settlements).toEqual([{ kind: "error", op: 0, at: AT, error: ["sorry"] }]);
    expect(state.open.size).toBe(0);
  });

  it("stands as before an attempt that was withdrawn, as it was never called", () => {
    const withdrawn: Entry = { type: "attempts-withdrawn", ops: [0, 1], at: AT };
    const second = [stepStarted(1), attemptRetried(1), attemptStarted(1, 2)];
    const state = stateAfter(stepStarted(0), ...second, withdrawn);
    expect([stepAt(state, 0), stepAt(state, 1)]).toMatchObject([
      { phase: "queued", attempts: 0, uncharged: 0 },
      { phase: "queued", attempts: 1, uncharged: 0 },
    ]);
    for (const entry of [attemptStarted(0, 1, AT), attemptStarted(1, 2, AT)]) fold(state, entry);
    expect([stepAt(state, 0), stepAt(state, 1)]).toMatchObject([
      { phase: "running", attempts: 1, firstStartedAt: AT },
      { phase: "running", attempts: 2, firstStartedAt: START_AT },
    ]);
  });

  it("starts again without a charge after several attempts were lost together", () => {
    const state = stateAfter(stepStarted(0), stepStarted(1), { type: "object-lost", ops: [0, 1], at: AT });
    expect(state.losses).toBe(1);
    for (const op of [0, 1]) {
      expect(stepAt(state, op)).toMatchObject({ phase: "interrupted", attempts: 1, uncharged: 1, deaths: 1 });
    }
  });
});

describe("a wait", () => {
  it("of a sleep settles when its timer has fired", () => {
    const state = stateAfter(sleepSet(0, AT), sleepFired(0));
    expect(state.operations).toMatchObject([{ kind: "sleep", dueAt: AT, phase: "settled" }]);
    expect(state.settlements).toEqual([{ kind: "elapsed", op: 0, at: AT }]);
  });

  it("for a signal settles with its value, or without one", () => {
    const state = stateAfter(
      signalReceived({ value: ["yes"] }),
      signalAwaited(0),
      signalTaken(0, 1),
      signalAwaited(1, { dueAt: AT }),
      { type: "signal-timed-out", op: 1, at: AT },
    );
    expect(state.operations).toMatchObject([{ phase: "settled" }, { phase: "settled", dueAt: AT }]);
    expect(state.settlements).toEqual([
      { kind: "signal", op: 0, at: AT, value: ["yes"] },
      { kind: "not-received", op: 1, at: AT },
    ]);
  });
});

describe("unread signals", () => {
  const three = [signalReceived(), signalReceived({ bytes: 10, key: "click-1" }), signalReceived({ name: "stop" })];

  it("S53 are kept by name, in the order of their arrival, until they are taken", () => {
    const state = stateAfter(...three);
    expect(state.unread.get("approval")).toMatchObject([{ entry: 1 }, { entry: 2, bytes: 10 }]);
    expect(state).toMatchObject({ unreadSignals: 3, unreadBytes: 22 });
    for (const entry of [signalAwaited(0), signalTaken(0, 1)]) fold(state, entry);
    expect(state.unread.get("approval")).toMatchObject([{ entry: 2 }]);
    expect(state).toMatchObject({ unreadSignals: 2, unreadBytes: 16 });
    for (const entry of [signalAwaited(1), signalTaken(1, 2)]) fold(state, entry);
    expect([...state.unread.keys()]).toEqual(["stop"]);
    expect(state.signalKeys).toEqual(new Set(["click-1"]));
  });

  it.each([1, 2, 3])("have one again in its old place that nobody listened to (%d)", (received) => {
    const arrived = [signalReceived(), signalReceived(), signalReceived()];
    const state = stateAfter(...arrived, signalAwaited(0), signalTaken(0, received), signalReturned(0, received));
    expect(state.unread.get("approval")).toMatchObject([{ entry: 1 }, { entry: 2 }, { entry: 3 }]);
    expect(state).toMatchObject({ unreadSignals: 3, unreadBytes: 18 });
    expect(state.operations).toMatchObject([{ phase: "settled", taken: undefined }]);
  });

  it("have the only one again, which another wait can take", () => {
    const returned = [signalReceived(), signalAwaited(0), signalTaken(0, 1), signalReturned(0, 1)];
    const state = stateAfter(...returned, signalAwaited(1), signalTaken(1, 1));
    expect(state.settlements).toMatchObject([{ op: 0 }, { kind: "signal", op: 1 }]);
    expect(state.unreadSignals).toBe(0);
  });
});

describe("a cancellation", () => {
  it("keeps the time and the reason of the first request", () => {
    const state = stateAfter(cancelRequested(AT, "not wanted"), cancelRequested(AT + 1, "again"));
    expect(state).toMatchObject({ cancelRequestedAt: AT, cancelReason: "not wanted", cancelDelivered: false });
  });

  it("reaches the operations that are open, in the order of their numbers", () => {
    const ops = [
      { op: 0, kind: "step", name: "step-0" },
      { op: 1, kind: "sleep", name: "sleep-1" },
    ] as const;
    const state = stateAfter(stepStarted(0), sleepSet(1, AT), cancelRequested(AT, "not wanted"), {
      type: "cancel-delivered",
      ops,
      at: AT,
    });
    expect(state.cancelDelivered).toBe(true);
    expect(state.open.size).toBe(0);
    expect(state.operations).toMatchObject([{ phase: "cancelled" }, { phase: "cancelled" }]);
    expect(state.settlements).toEqual([0, 1].map((op) => ({ kind: "cancelled", op, at: AT, reason: "not wanted" })));
  });
});

describe("runs, pauses and deaths", () => {
  const failure = { name: "Error", message: "no" };
  const runFailed: Entry = { type: "run-failed", attempt: 2, failure, retryAt: AT, at: START_AT };
  const lost: Entry = { type: "object-lost", ops: [], at: START_AT };

  it("keep the retry of a failed run until that has started", () => {
    expect(stateAfter(runFailed)).toMatchObject({ runFailures: 2, runFailure: runFailed });
    const again = stateAfter(runFailed, { type: "run-started", attempt: 3, at: AT });
    expect(again).toMatchObject({ runFailures: 2, runFailure: undefined });
  });

  it("begin anew with a resume", () => {
    const pause = paused({ by: "fault", at: START_AT + 100 });
    expect(stateAfter(runFailed, lost, pause)).toMatchObject({ pause, pausedMs: 0, losses: 1 });
    expect(stateAfter(runFailed, lost, pause, resumed(AT))).toMatchObject({
      pause: undefined,
      pausedMs: 400,
      runFailures: 0,
      runFailure: undefined,
      losses: 0,
    });
  });

  it("count deaths until the first clean wait", () => {
    expect(stateAfter(lost, lost).losses).toBe(2);
    expect(stateAfter(lost, lost, { type: "recovered", at: AT }).losses).toBe(0);
  });
});

describe("progress", () => {
  it("is the last that was set, with how often it was", () => {
    const progress = (value: string): Entry => ({ type: "progress", value: [value], at: AT });
    expect(stateAfter(progress("charged"), progress("shipped"))).toMatchObject({
      progress: ["shipped"],
      progressEntries: 2,
    });
  });
});

describe("the end", () => {
  it.each([completed(), failed(), cancelled()])("is $type, and nothing is retried or paused after it", (end) => {
    const failure = { name: "Error", message: "no" };
    const runFailed: Entry = { type: "run-failed", attempt: 1, failure, retryAt: AT, at: START_AT };
    expect(stateAfter(runFailed, paused(), end)).toMatchObject({ end, pause: undefined, runFailure: undefined });
  });

  it("abandons what was open, which settles with nothing", () => {
    const ops = [{ op: 0, kind: "signal", name: "approval-0" }] as const;
    const state = stateAfter(signalAwaited(0), { type: "abandoned", ops, at: AT }, completed());
    expect(state.operations).toMatchObject([{ phase: "abandoned" }]);
    expect(state.settlements).toEqual([]);
    expect(state.open.size).toBe(0);
  });
});
