import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { deathOfObject, factsOfRest, mayKillAgain } from "../../src/journal/recovery.ts";
import type { State } from "../../src/journal/state.ts";
import { LIMITS } from "../../src/limits.ts";
import { DEFAULT_RETRY_POLICY } from "../../src/steps/retry-policy.ts";
import {
  attemptRetried,
  attemptStarted,
  completed,
  encode,
  ending,
  foldOf,
  paused,
  resumed,
  rollbackAt,
  rollbackCompleted,
  rollbackRetried,
  rollbackStarted,
  signalAwaited,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepAt,
  stepCompleted,
  stepQueued,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const AT = START_AT + 2_000;
const TERMS = { now: AT, maximumRetryAfterMs: 3_600_000, maximumValueBytes: 1_024, encode };

const die = (state: State) => deathOfObject(state, TERMS);

function objectLost(...ops: readonly number[]): Entry {
  return { type: "object-lost", ops, at: START_AT };
}

const lostTimes = (count: number) => Array.from({ length: count }, () => objectLost());

const watched = (op: number, attempt: number): Entry => ({
  type: "attempt-started",
  op,
  attempt,
  watched: true,
  at: START_AT,
});
const outlived = (op: number): Entry => ({ type: "attempt-outlived", op, at: START_AT });

const interrupted = attemptRetried(0, { failure: { name: "StepInterrupted", message: "lost" } });

describe("the death of an object with one attempt in flight", () => {
  it("S13 is a failed attempt of that step, which is tried again", () => {
    const state = stateAfter(stepStarted(0, { name: "render" }), sleepSet(1, AT + 9_000), signalAwaited(2));
    expect(die(state)).toEqual([
      {
        type: "attempt-failed",
        op: 0,
        attempt: 1,
        failure: { name: "StepInterrupted", message: "Attempt 1 of render was lost with its object." },
        retryAt: AT + 1_000,
        because: "backoff",
        at: AT,
      },
    ]);
  });

  it("case 16: spends the step where it was the last attempt", () => {
    const policy = { ...DEFAULT_RETRY_POLICY, maximumAttempts: 2 };
    const state = stateAfter(stepStarted(0, { policy }), interrupted, attemptStarted(0, 2));
    expect(die(state)).toMatchObject([
      {
        attempt: 2,
        spent: "attempts",
        failure: { name: "StepInterrupted", message: "Attempt 2 of step-0 was lost with its object." },
        error: [{ name: "StepExhausted", attempts: 2 }],
      },
    ]);
  });

  it("is charged to that step, and never counts towards a crash loop", () => {
    const state = foldOf(started(), ...lostTimes(LIMITS.crashesInARow - 1), stepStarted(0));
    expect(die(state).map(({ type }) => type)).toEqual(["attempt-failed"]);
  });
});

describe("the death of an object that nobody can be blamed for", () => {
  it("names the attempts that were in flight", () => {
    const state = stateAfter(stepStarted(0), stepStarted(1), stepCompleted(1), stepStarted(2));
    expect(die(state)).toEqual([{ type: "object-lost", ops: [0, 2], at: AT }]);
    expect(die(stateAfter(sleepSet(0, AT)))).toEqual([{ type: "object-lost", ops: [], at: AT }]);
  });

  it("lets those attempts start again without a charge, once", () => {
    const policy = { ...DEFAULT_RETRY_POLICY, maximumAttempts: 1 };
    const inFlight = [stepStarted(0, { policy }), stepStarted(1)];
    const state = stateAfter(...inFlight, ...die(stateAfter(...inFlight)), attemptStarted(0, 2));
    expect(die(state)).toMatchObject([{ attempt: 2, spent: "attempts" }]);
    expect(state.operations[1]).toMatchObject({ phase: "interrupted", attempts: 1, uncharged: 1 });
    const again = stateAfter(...inFlight, objectLost(0, 1), attemptStarted(0, 2), attemptStarted(1, 2), stepStarted(2));
    expect(die(again)).toMatchObject([
      { type: "attempt-failed", op: 0, spent: "attempts" },
      { type: "attempt-failed", op: 1, retryAt: AT + 2_000 },
      { type: "object-lost", ops: [2] },
    ]);
  });

  it("charges attempts that were started under watch and outlived it", () => {
    const careful = [stepQueued(0), stepQueued(1), watched(0, 1), outlived(0), watched(1, 1), outlived(1)];
    expect(die(stateAfter(...careful))).toMatchObject([
      { type: "attempt-failed", op: 0 },
      { type: "attempt-failed", op: 1 },
      { type: "object-lost", ops: [] },
    ]);
  });

  it("pauses the execution the tenth time in a row", () => {
    expect(die(foldOf(started(), ...lostTimes(8)))).toHaveLength(1);
    expect(die(foldOf(started(), ...lostTimes(9)))).toEqual([
      { type: "object-lost", ops: [], at: AT },
      {
        type: "paused",
        by: "fault",
        code: "CRASH_LOOP",
        message:
          "The execution's object died 10 times in a row before it came to rest. A loop without an end, or more " +
          "memory than an isolate has, does that. Deploy corrected code and resume.",
        at: AT,
      },
    ]);
  });

  it("ends an execution instead that is to be cancelled and was not told so", () => {
    const cancel: Entry = { type: "cancel-requested", at: START_AT };
    expect(die(foldOf(started(), sleepSet(0, AT), ...lostTimes(9), cancel)).map(({ type }) => type)).toEqual([
      "object-lost",
      "abandoned",
      "cancelled",
    ]);
  });

  it("is counted anew after a clean wait, and after a resume", () => {
    const recovered: Entry = { type: "recovered", at: START_AT };
    for (const entry of [recovered, resumed()]) {
      expect(die(foldOf(started(), ...lostTimes(9), entry, ...lostTimes(8)))).toHaveLength(1);
      expect(die(foldOf(started(), ...lostTimes(9), entry, ...lostTimes(9)))).toHaveLength(2);
    }
  });

  it("pauses nothing that is paused or has ended", () => {
    for (const halt of [paused(), completed()]) {
      expect(die(foldOf(started(), ...lostTimes(9), halt)).map(({ type }) => type)).toEqual(["object-lost"]);
    }
  });
});

describe("an object that comes to rest", () => {
  const recovered = [{ type: "recovered", at: AT }];

  it("has recovered at the first clean wait after deaths that nobody was charged for", () => {
    expect(factsOfRest(stateAfter(), AT)).toEqual([]);
    expect(factsOfRest(stateAfter(objectLost()), AT)).toEqual(recovered);
    expect(factsOfRest(stateAfter(objectLost(), ...factsOfRest(stateAfter(objectLost()), AT)), AT)).toEqual([]);
  });

  it("has not recovered while a step that died is still to be tried again", () => {
    const lost = [stepStarted(0), stepStarted(1), objectLost(0, 1)];
    expect(factsOfRest(stateAfter(...lost), AT)).toEqual([]);
    const again = [attemptStarted(0, 2), attemptStarted(1, 2), stepCompleted(0)];
    expect(factsOfRest(stateAfter(...lost, ...again), AT)).toEqual([]);
    expect(factsOfRest(stateAfter(...lost, ...again, stepCompleted(1)), AT)).toEqual(recovered);
  });

  it("has not recovered while the execution is halted", () => {
    expect(factsOfRest(stateAfter(objectLost(), paused()), AT)).toEqual([]);
    expect(factsOfRest(stateAfter(objectLost(), completed()), AT)).toEqual([]);
  });

  it("withdraws the attempts that a pause kept from being called, and they count for nothing", () => {
    const state = stateAfter(stepStarted(0), stepCompleted(0), stepStarted(1), sleepSet(2, AT), paused());
    const facts = factsOfRest(state, AT);
    expect(facts).toEqual([{ type: "attempts-withdrawn", ops: [1], at: AT }]);
    for (const entry of facts) fold(state, entry);
    expect(stepAt(state, 1)).toMatchObject({ phase: "queued", attempts: 0, uncharged: 0, deaths: 0 });
    expect(factsOfRest(state, AT)).toEqual([]);
  });
});

describe("a step that may kill again", () => {
  it("is one whose last attempt died with its object, alone or with others", () => {
    expect(mayKillAgain(stateAfter(stepStarted(0), sleepSet(1, AT), signalAwaited(2)))).toBe(false);
    expect(mayKillAgain(stateAfter(stepStarted(0), interrupted))).toBe(true);
    expect(mayKillAgain(stateAfter(sleepSet(0, AT), stepStarted(1), stepStarted(2), objectLost(1, 2)))).toBe(true);
  });

  it("stays one while it is tried again, until an attempt ends by itself", () => {
    const again = [stepStarted(0), interrupted, attemptStarted(0, 2)];
    expect(mayKillAgain(stateAfter(...again))).toBe(true);
    expect(mayKillAgain(stateAfter(...again, attemptRetried(0, { attempt: 2 })))).toBe(false);
    expect(mayKillAgain(stateAfter(...again, stepCompleted(0)))).toBe(false);
  });

  it("is none that is not open any more", () => {
    const ops = [{ op: 0, kind: "step", name: "step-0" }] as const;
    expect(mayKillAgain(stateAfter(stepStarted(0), interrupted, { type: "abandoned", ops, at: AT }))).toBe(false);
  });
});

describe("a rollback and the death of its object", () => {
  const saga = [...undoable(0, { name: "book" }), ...undoable(1), ending(), rollbackStarted(1), rollbackCompleted(1)];
  const lost = rollbackRetried(0, { failure: { name: "StepInterrupted", message: "lost" } });

  it("is charged with it, as the one attempt in flight", () => {
    expect(die(foldOf(started(), ...lostTimes(9), ...saga, rollbackStarted(0)))).toEqual([
      {
        type: "rollback-failed",
        op: 0,
        attempt: 1,
        failure: { name: "StepInterrupted", message: "Attempt 1 of the rollback of book was lost with its object." },
        retryAt: AT + 1_000,
        because: "backoff",
        at: AT,
      },
    ]);
  });

  it("is not charged where it was not in flight; such deaths in a row pause the execution, cancelled or not", () => {
    const cancel: Entry = { type: "cancel-requested", at: START_AT };
    expect(die(stateAfter(...saga))).toEqual([{ type: "object-lost", ops: [], at: AT }]);
    expect(die(foldOf(started(), cancel, ...lostTimes(9), ...saga)).map(({ type }) => type)).toEqual([
      "object-lost",
      "paused",
    ]);
  });

  it("may kill again until an attempt ends by itself", () => {
    expect(mayKillAgain(stateAfter(...saga))).toBe(false);
    expect(mayKillAgain(stateAfter(...saga, rollbackStarted(0), lost))).toBe(true);
    expect(mayKillAgain(stateAfter(...saga, rollbackStarted(0), lost, rollbackStarted(0, 2)))).toBe(true);
    const again = [rollbackStarted(0, 2), rollbackRetried(0, { attempt: 2 })];
    expect(mayKillAgain(stateAfter(...saga, rollbackStarted(0), lost, ...again))).toBe(false);
  });

  it("is withdrawn where a pause kept it from being called", () => {
    const state = stateAfter(...saga, rollbackStarted(0), paused());
    const facts = factsOfRest(state, AT);
    expect(facts).toEqual([{ type: "attempts-withdrawn", ops: [0], at: AT }]);
    for (const entry of facts) fold(state, entry);
    expect(rollbackAt(state, 0)).toMatchObject({ phase: "pending", attempts: 0 });
    expect(factsOfRest(state, AT)).toEqual([]);
  });
});
