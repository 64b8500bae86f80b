import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { EXECUTION_STATES } from "../../src/journal/execution-state.ts";
import {
  cancelReasonOf,
  countRollbacks,
  countSteps,
  executionState,
  reasonOf,
  waitsOf,
} from "../../src/journal/view.ts";
import { DEFAULT_RETRY_POLICY } from "../../src/steps/retry-policy.ts";
import {
  attemptRetried,
  attemptStarted,
  cancelled,
  completed,
  ending,
  failed,
  foldOf,
  paused,
  resumed,
  rollbackCompleted,
  rollbackNotRun,
  rollbackRetried,
  rollbackSpent,
  rollbackStarted,
  signalAwaited,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepCompleted,
  stepQueued,
  stepSpent,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const newerFormat = () => foldOf(started({ format: 1_000 }));

function runFailed(retryAt: number): Entry {
  return { type: "run-failed", attempt: 3, failure: { name: "Error", message: "no" }, retryAt, at: START_AT };
}

describe("S49 the state that callers see", () => {
  const stateOf = (...entries: readonly Entry[]) => executionState(stateAfter(...entries), false);

  it("is waiting where only time or a message can move the execution", () => {
    expect(stateOf()).toBe("waiting");
    expect(stateOf(sleepSet(0, START_AT + 1), signalAwaited(1), stepStarted(2), attemptRetried(2))).toBe("waiting");
  });

  it("is running where an attempt is in flight or about to start", () => {
    expect(stateOf(sleepSet(0, START_AT + 1), stepStarted(1))).toBe("running");
    expect(stateOf(stepQueued(0))).toBe("running");
    expect(stateOf(stepStarted(0), { type: "object-lost", ops: [0], at: START_AT })).toBe("running");
    expect(stateOf(stepStarted(0), stepCompleted(0))).toBe("waiting");
  });

  it("is running where work is in memory that the journal does not show", () => {
    expect(executionState(stateAfter(), true)).toBe("running");
    expect(executionState(stateAfter(sleepSet(0, START_AT + 1)), true)).toBe("running");
  });

  it("is paused whatever is in flight, and by whomever", () => {
    expect(stateOf(stepStarted(0), paused())).toBe("paused");
    expect(executionState(stateAfter(paused({ by: "fault" })), true)).toBe("paused");
    expect(stateOf(paused(), resumed())).toBe("waiting");
  });

  it("is any of those that lists can be asked for, and no other", () => {
    const journals = [[], [stepStarted(0)], [paused()], [completed()], [failed()], [cancelled()]];
    const seen = journals.map((entries) => stateOf(...entries));
    expect(seen.toSorted()).toEqual([...EXECUTION_STATES].toSorted());
  });

  it("is paused where this engine cannot read the journal", () => {
    expect(executionState(newerFormat(), true)).toBe("paused");
  });

  it.each([completed(), failed(), cancelled()])("is $type after the end, whatever came before", (end) => {
    expect(stateOf(stepStarted(0), end)).toBe(end.type);
    expect(executionState(stateAfter(paused(), end), true)).toBe(end.type);
  });
});

describe("the reason that callers see", () => {
  it("is none for an execution that goes on, completed or was cancelled", () => {
    for (const entries of [[], [sleepSet(0, START_AT + 1)], [completed()], [cancelled()], [paused(), resumed()]]) {
      expect(reasonOf(stateAfter(...entries))).toBeUndefined();
    }
  });

  it("is code and message of a pause or of a failure, and nothing else of them", () => {
    const fault = { code: "RUN_FAILED", message: "Run 3 of 3 failed." };
    const failure = { name: "Error", message: "no" };
    expect(reasonOf(stateAfter(paused({ by: "fault", ...fault, failure })))).toEqual(fault);
    expect(reasonOf(stateAfter(failed({ code: "OUT_OF_STOCK", message: "No lamp." })))).toEqual({
      code: "OUT_OF_STOCK",
      message: "No lamp.",
    });
  });

  it("is what the code threw, before it runs again, and no more of it once it does", () => {
    const reason = { code: "RUN_FAILED", message: "Run 3 failed outside every step (Error: no). It is tried again." };
    const failedRun = runFailed(START_AT + 4_000);
    expect(reasonOf(stateAfter(failedRun))).toEqual(reason);
    expect(reasonOf(stateAfter({ ...failedRun, code: "STALLED" } as Entry))).toMatchObject({ code: "STALLED" });
    expect(reasonOf(stateAfter(failedRun, { type: "run-started", attempt: 4, at: START_AT }))).toBeUndefined();
    // On the way back to a journaled end the run may fail, too.
    expect(reasonOf(stateAfter(...undoable(0), ending(), failedRun))).toEqual(reason);
    expect(reasonOf(stateAfter(failedRun, paused()))).toMatchObject({ code: "PAUSED" });
  });

  it("never holds what an attempt of a step threw", () => {
    expect(reasonOf(stateAfter(stepStarted(0), attemptRetried(0)))).toBeUndefined();
    const waits = JSON.stringify(waitsOf(stateAfter(stepStarted(0), attemptRetried(0))));
    expect(waits).not.toContain("the service is down");
  });

  it("is that of the end, not of a pause before it", () => {
    expect(reasonOf(stateAfter(paused(), cancelled({ by: "terminated" })))).toBeUndefined();
  });

  it("case 192: names what this engine cannot read, also while paused", () => {
    const reason = {
      code: "JOURNAL_UNREADABLE",
      message: "This engine cannot read the journal as it holds what a newer one wrote: format 1000.",
    };
    expect(reasonOf(newerFormat())).toEqual(reason);
    expect(reasonOf({ ...newerFormat(), pause: paused() })).toEqual(reason);
  });
});

describe("the reason of a cancellation", () => {
  const requested: Entry = { type: "cancel-requested", reason: "not wanted", at: START_AT };

  it("is what was said at the cancel, also after the end", () => {
    expect(cancelReasonOf(stateAfter(requested))).toBe("not wanted");
    expect(cancelReasonOf(stateAfter(requested, cancelled()))).toBe("not wanted");
    expect(cancelReasonOf(stateAfter({ type: "cancel-requested", at: START_AT }))).toBeUndefined();
  });

  it("is what was said at the termination, whatever was said before", () => {
    const terminated = cancelled({ by: "terminated", reason: "by hand" });
    expect(cancelReasonOf(stateAfter(terminated))).toBe("by hand");
    expect(cancelReasonOf(stateAfter(requested, terminated))).toBe("by hand");
    expect(cancelReasonOf(stateAfter(requested, cancelled({ by: "terminated" })))).toBe("not wanted");
    expect(cancelReasonOf(stateAfter(completed()))).toBeUndefined();
  });
});

describe("the waits that callers see", () => {
  const waits = (...entries: readonly Entry[]) => waitsOf(stateAfter(...entries));

  it("are sleeps and signals, with the time and the rule that set it", () => {
    expect(waits(sleepSet(0, START_AT + 1_000))).toEqual([
      { kind: "sleep", name: "sleep-0", until: START_AT + 1_000, because: "sleep" },
    ]);
    expect(waits(signalAwaited(0, { dueAt: START_AT + 1_000 }))).toEqual([
      { kind: "signal", name: "approval-0", until: START_AT + 1_000, because: "timeout" },
    ]);
    expect(waits(signalAwaited(0))).toEqual([{ kind: "signal", name: "approval-0", because: "no timeout" }]);
  });

  it("are retries, with the rule, the attempt and the limit where there is one", () => {
    const { maximumAttempts: _, ...policy } = DEFAULT_RETRY_POLICY;
    expect(waits(stepStarted(0), attemptRetried(0))).toEqual([
      { kind: "retry", name: "step-0", until: START_AT + 1_000, because: "backoff after attempt 1 of 20" },
    ]);
    const second = [attemptStarted(0, 2), attemptRetried(0, { attempt: 2, because: "retry-after" })];
    expect(waits(stepStarted(0, { policy }), attemptRetried(0), ...second)).toMatchObject([
      { because: "Retry-After after attempt 2" },
    ]);
  });

  it("are the retry of a run that failed", () => {
    expect(waits(runFailed(START_AT + 4_000))).toEqual([
      { kind: "run", until: START_AT + 4_000, because: "failure of run 3 (Error)" },
    ]);
  });

  it("are no steps in flight, nothing that has settled, and nothing after the end", () => {
    expect(waits(stepStarted(0), stepQueued(1))).toEqual([]);
    expect(waits(sleepSet(0, START_AT), { type: "timer-fired", op: 0, at: START_AT })).toEqual([]);
    expect(waits(sleepSet(0, START_AT), completed())).toEqual([]);
  });

  it("come the soonest first, those for messages last", () => {
    const times = fc.array(fc.option(fc.nat()), { maxLength: 20 });
    fc.assert(
      fc.property(times, fc.nat(), (afterMs, runMs) => {
        const asked = afterMs.map((ms, op) => signalAwaited(op, ms === null ? {} : { dueAt: START_AT + ms }));
        const untils = waits(...asked, runFailed(START_AT + runMs)).map(({ until }) => until);
        const timed = [...afterMs.filter((ms) => ms !== null), runMs].sort((a, b) => a - b);
        const messages = afterMs.filter((ms) => ms === null).map(() => undefined);
        expect(untils).toEqual([...timed.map((ms) => START_AT + ms), ...messages]);
      }),
    );
  });
});

describe("the counts of steps that callers see", () => {
  const none = { running: 0, waiting: 0, completed: 0, exhausted: 0, failed: 0, cancelled: 0, abandoned: 0 };

  it("are all 0 where there is no step", () => {
    expect(countSteps(stateAfter(sleepSet(0, START_AT), signalAwaited(1)))).toEqual(none);
  });

  it("count those that are queued or start again as running", () => {
    const lost: Entry = { type: "object-lost", ops: [1], at: START_AT };
    expect(countSteps(stateAfter(stepQueued(0), stepStarted(1), stepStarted(2), lost))).toEqual({
      ...none,
      running: 3,
    });
  });

  it("count each step once, by how it stands or ended", () => {
    const state = stateAfter(
      stepStarted(0),
      attemptRetried(0),
      stepStarted(1),
      stepCompleted(1),
      stepStarted(2),
      stepSpent(2, { spent: "attempts" }),
      stepStarted(3),
      stepSpent(3, { spent: "terminal" }),
      stepStarted(4),
      { type: "cancel-delivered", ops: [{ op: 4, kind: "step", name: "step-4" }], at: START_AT },
      stepStarted(5),
      { type: "abandoned", ops: [{ op: 5, kind: "step", name: "step-5" }], at: START_AT },
    );
    expect(countSteps(state)).toEqual({
      ...none,
      waiting: 1,
      completed: 1,
      exhausted: 1,
      failed: 1,
      cancelled: 1,
      abandoned: 1,
    });
  });
});

describe("an execution that rolls back, as callers see it", () => {
  const saga = [...undoable(0), ...undoable(1)];
  const waiting = [rollbackStarted(1), rollbackRetried(1)];

  it("is running while a rollback is in flight or about to start, and waiting for a retry", () => {
    const stateOf = (...entries: readonly Entry[]) => executionState(stateAfter(...saga, ending(), ...entries), false);
    expect(stateOf()).toBe("running");
    expect(stateOf(rollbackStarted(1))).toBe("running");
    expect(stateOf(...waiting)).toBe("waiting");
    expect(stateOf(...waiting, paused())).toBe("paused");
  });

  it("waits for the retry of the rollback, and nothing where none waits", () => {
    expect(waitsOf(stateAfter(...saga, ending(), rollbackStarted(1)))).toEqual([]);
    expect(waitsOf(stateAfter(...saga, ending(), ...waiting))).toEqual([
      { kind: "rollback", name: "step-1", until: START_AT + 1_000, because: "backoff after attempt 1 of 20" },
    ]);
  });

  it("says how it is going to end, unless it is paused", () => {
    const fails = ending({ outcome: failed({ code: "OUT_OF_STOCK", message: "No lamp." }) });
    expect(reasonOf(stateAfter(...saga, fails))).toEqual({ code: "OUT_OF_STOCK", message: "No lamp." });
    expect(reasonOf(stateAfter(...saga, fails, paused()))?.code).toBe("PAUSED");
    const cancels = ending({ outcome: cancelled() });
    expect(reasonOf(stateAfter(...saga, cancels))).toEqual({
      code: "CANCELLED",
      message: "The execution was cancelled.",
    });
    const requested: Entry = { type: "cancel-requested", reason: "not wanted", at: START_AT };
    expect(reasonOf(stateAfter(...saga, requested, cancels))).toEqual({ code: "CANCELLED", message: "not wanted" });
  });

  it("counts each rollback once, by how it stands or ended, and nothing where none is due", () => {
    expect(countRollbacks(stateAfter(...saga))).toBeUndefined();
    const many = Array.from({ length: 7 }, (_, op) => undoable(op)).flat();
    const closed = [rollbackCompleted(6), rollbackSpent(5), rollbackSpent(4, { spent: "terminal" }), rollbackNotRun(3)];
    const state = stateAfter(...many, ending(), ...closed, rollbackStarted(2), rollbackStarted(1), rollbackRetried(1));
    expect(countRollbacks(state)).toEqual({
      pending: 1,
      running: 1,
      waiting: 1,
      rolledBack: 1,
      exhausted: 1,
      failed: 1,
      notRun: 1,
    });
  });
});
