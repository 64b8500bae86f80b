import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import {
  currentRollback,
  dueRollback,
  endAfterRollbacks,
  rollbacksNotRun,
  stepsToRollBack,
} from "../../src/journal/rollback.ts";
import { runningAttempts, type State } from "../../src/journal/state.ts";
import {
  cancelled,
  ending,
  failed,
  foldOf,
  paused,
  resumed,
  rollbackAt,
  rollbackCompleted,
  rollbackNotRun,
  rollbackRetried,
  rollbackSpent,
  rollbackStarted,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepCompleted,
  stepSpent,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const AT = START_AT + 500;
const opsOf = (list: readonly { readonly op: number }[]) => list.map(({ op }) => op);

describe("the steps to roll back", () => {
  it("are those that completed and have a rollback, the one completed last first", () => {
    const state = stateAfter(
      stepStarted(0, { rollback: true }),
      stepStarted(1, { rollback: true }),
      stepStarted(2),
      stepStarted(3, { rollback: true }),
      stepStarted(4, { rollback: true }),
      sleepSet(5, AT),
      stepCompleted(1),
      stepCompleted(2),
      stepSpent(3),
      stepCompleted(0),
    );
    expect(opsOf(stepsToRollBack(state))).toEqual([0, 1]);
    expect(stepsToRollBack(state)[0]?.undo).toEqual({ entry: 10, value: ["value-0"] });
  });

  it("are none where no step has a rollback", () => {
    expect(stepsToRollBack(stateAfter(stepStarted(0), stepCompleted(0)))).toEqual([]);
  });
});

describe("an end with rollbacks", () => {
  const saga = [...undoable(0, { timeoutMs: 5_000 }), ...undoable(1)];

  it("plans them with the terms of their steps and what these completed with", () => {
    const state = stateAfter(...saga, ending());
    expect(state.ending).toEqual(failed());
    expect([...state.rollbacks.keys()]).toEqual([1, 0]);
    expect(rollbackAt(state, 0)).toMatchObject({
      kind: "rollback",
      name: "step-0",
      policy: started().policy,
      timeoutMs: 5_000,
      value: ["value-0"],
      phase: "pending",
      attempts: 0,
    });
    expect(state.end).toBeUndefined();
  });

  it("has them run one after the other", () => {
    const state = (...entries: readonly Entry[]) => stateAfter(...saga, ending(), ...entries);
    expect(currentRollback(stateAfter(...saga))).toBeUndefined();
    expect(dueRollback(stateAfter(...saga), AT)).toBeUndefined();
    expect(dueRollback(state(), AT)?.op).toBe(1);
    expect(dueRollback(state(rollbackStarted(1)), AT)).toBeUndefined();
    expect(opsOf(runningAttempts(state(rollbackStarted(1))))).toEqual([1]);
    expect(dueRollback(state(rollbackStarted(1), rollbackCompleted(1)), AT)?.op).toBe(0);
    expect(dueRollback(state(rollbackStarted(1), rollbackSpent(1)), AT)?.op).toBe(0);
    expect(dueRollback(state(rollbackNotRun(1)), AT)?.op).toBe(0);
  });

  it("holds one that has failed until its retry", () => {
    const state = stateAfter(...saga, ending(), rollbackStarted(1), rollbackRetried(1, { retryAt: AT }));
    expect(dueRollback(state, AT - 1)).toBeUndefined();
    expect(dueRollback(state, AT)?.op).toBe(1);
  });

  it("comes when each of them has its outcome, with the time at which it comes", () => {
    const state = (...entries: readonly Entry[]) => stateAfter(...saga, ending(), ...entries);
    expect(endAfterRollbacks(stateAfter(...saga), AT)).toBeUndefined();
    expect(endAfterRollbacks(state(rollbackNotRun(1), rollbackStarted(0)), AT)).toBeUndefined();
    expect(endAfterRollbacks(state(rollbackNotRun(1), rollbackStarted(0), rollbackSpent(0)), AT)).toEqual(
      failed({ at: AT }),
    );
  });

  it("is that of a cancellation, too", () => {
    const state = stateAfter(...undoable(0), ending({ outcome: cancelled() }), rollbackNotRun(0));
    expect(endAfterRollbacks(state, AT)).toEqual(cancelled({ at: AT }));
  });
});

describe("an attempt of a rollback", () => {
  const ended = (...entries: readonly Entry[]): State =>
    stateAfter(...undoable(0), paused(), resumed(START_AT + 300), ending(), ...entries);

  it("counts when it starts, and only the first tells when the rollback began", () => {
    const state = ended(rollbackStarted(0, 1, AT), rollbackRetried(0), rollbackStarted(0, 2, AT + 2_000));
    expect(rollbackAt(state, 0)).toMatchObject({
      phase: "running",
      attempts: 2,
      firstStartedAt: AT,
      pausedBeforeMs: 300,
    });
  });

  it("that failed leaves its failure, and when it is tried again", () => {
    const retried = rollbackRetried(0, { retryAt: AT, because: "retry-after" });
    expect(rollbackAt(ended(rollbackStarted(0), retried), 0)).toMatchObject({
      phase: "waiting",
      retryAt: AT,
      because: "retry-after",
      lastFailure: retried.failure,
      deaths: 0,
    });
    const failure = { name: "StepInterrupted", message: "lost" };
    expect(rollbackAt(ended(rollbackStarted(0), rollbackRetried(0, { failure })), 0).deaths).toBe(1);
  });

  it.each([
    [rollbackCompleted(0), "completed"],
    [rollbackSpent(0), "exhausted"],
    [rollbackSpent(0, { spent: "duration" }), "exhausted"],
    [rollbackSpent(0, { spent: "terminal" }), "failed"],
    [rollbackNotRun(0), "not-run"],
  ] as const)("closes its rollback by %o as %s", (entry, phase) => {
    const state = ended(rollbackStarted(0), entry);
    expect(rollbackAt(state, 0).phase).toBe(phase);
    expect(state.openRollbacks.size).toBe(0);
  });

  it("that a pause kept from being called counts for nothing, and its turn is still to come", () => {
    const withdrawn = { type: "attempts-withdrawn", ops: [0], at: AT } as const;
    const first = ended(rollbackStarted(0), paused(), withdrawn);
    expect(rollbackAt(first, 0)).toMatchObject({ phase: "pending", attempts: 0, uncharged: 0, deaths: 0 });
    const second = ended(rollbackStarted(0), rollbackRetried(0), rollbackStarted(0, 2), paused(), withdrawn);
    expect(rollbackAt(second, 0)).toMatchObject({ phase: "pending", attempts: 1 });
    expect(dueRollback(second, START_AT)?.op).toBe(0);
  });
});

describe("the rollbacks that an end leaves undone", () => {
  const notRun = (op: number, reason = "TERMINATED") => ({ type: "rollback-not-run", op, reason, at: AT });
  const saga = [...undoable(0), ...undoable(1), ...undoable(2)];

  it("are all of them where the end came before any", () => {
    const left = rollbacksNotRun(stateAfter(...saga), "TERMINATED", AT);
    expect(left).toEqual([notRun(2), notRun(1), notRun(0)]);
    const state = stateAfter(...saga, ...left);
    expect([...state.rollbacks.values()].map(({ phase }) => phase)).toEqual(["not-run", "not-run", "not-run"]);
    expect(state.openRollbacks.size).toBe(0);
  });

  it("are those without an outcome where they had begun", () => {
    const state = stateAfter(...saga, ending(), rollbackStarted(2), rollbackCompleted(2), rollbackStarted(1));
    expect(rollbacksNotRun(state, "TERMINATED", AT)).toEqual([notRun(1), notRun(0)]);
  });

  it("are none where there is nothing to undo", () => {
    expect(rollbacksNotRun(foldOf(started(), stepStarted(0), stepCompleted(0)), "TERMINATED", AT)).toEqual([]);
  });

  it("have a reason that is cut between characters where it is too long", () => {
    const long = "\u{1F981}".repeat(200);
    expect(rollbacksNotRun(stateAfter(...undoable(0)), long, AT)).toEqual([notRun(0, "\u{1F981}".repeat(64))]);
  });
});
