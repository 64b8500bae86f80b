import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { deathOfObject, nextUnderWatch, watchMs } from "../../src/journal/recovery.ts";
import type { State, StepOperation } from "../../src/journal/state.ts";
import {
  attemptRetried,
  attemptStarted,
  encode,
  foldOf,
  START_AT,
  started,
  stateAfter,
  stepAt,
  stepCompleted,
  stepQueued,
  stepStarted,
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

describe("the death of an object in the watch of a step", () => {
  const lost = [stepStarted(0), stepStarted(1), objectLost(0, 1)];
  const inWatch = [...lost, watched(0, 2), outlived(0), watched(1, 2)];

  it("is charged to that step alone where the others are spared", () => {
    const others = [stepStarted(0), stepQueued(1), watched(1, 1)];
    expect(die(stateAfter(...others))).toEqual([
      expect.objectContaining({ type: "attempt-failed", op: 1 }),
      { type: "object-lost", ops: [0], blamed: 1, at: AT },
    ]);
  });

  it("is charged to others too that were spared before, and never counts towards a crash loop", () => {
    const state = foldOf(started(), ...lostTimes(8), ...inWatch);
    expect(die(state).map(({ type }) => type)).toEqual(["attempt-failed", "attempt-failed"]);
    const blamed: Entry = { type: "object-lost", ops: [], blamed: 1, at: START_AT };
    expect(foldOf(started(), ...lostTimes(3), blamed).losses).toBe(3);
  });

  it("leaves it to blame, until an attempt of it ends by itself", () => {
    const state = stateAfter(...inWatch, ...die(stateAfter(...inWatch)));
    expect([stepAt(state, 0).blamed, stepAt(state, 1).blamed]).toEqual([false, true]);
    fold(state, attemptStarted(1, 3));
    expect(stepAt(state, 1).blamed).toBe(true);
    fold(state, attemptRetried(1, { attempt: 3 }));
    expect(stepAt(state, 1)).toMatchObject({ blamed: false, deaths: 0, watch: "none" });
  });

  it("does not blame whoever was alone in flight by chance", () => {
    const state = stateAfter(stepStarted(0), interrupted);
    expect(stepAt(state, 0)).toMatchObject({ blamed: false, deaths: 1 });
  });
});

describe("the watch after a death", () => {
  const died = (deaths: number): StepOperation => ({ ...stepAt(stateAfter(stepStarted(0)), 0), deaths });

  it("lasts for a turn, or the longer the oftener the step has died, as long as an attempt at most", () => {
    expect([0, 1, 2, 3, 4, 5, 40].map((deaths) => watchMs(died(deaths)))).toEqual([
      0, 1_000, 8_000, 64_000, 512_000, 600_000, 600_000,
    ]);
  });

  it("is over with the attempt", () => {
    const on = [stepQueued(0), watched(0, 1)];
    expect(stepAt(stateAfter(...on), 0).watch).toBe("on");
    for (const entry of [attemptRetried(0), stepCompleted(0)]) {
      expect(stateAfter(...on, entry).open.get(0)).not.toMatchObject({ watch: "on" });
    }
    const withdrawn: Entry = { type: "attempts-withdrawn", ops: [0], at: START_AT };
    expect(stepAt(stateAfter(...on, withdrawn), 0).watch).toBe("none");
    expect(stepAt(stateAfter(...on, objectLost(0)), 0).watch).toBe("none");
    expect(stepAt(stateAfter(...on, outlived(0)), 0).watch).toBe("over");
  });
});

describe("the step that starts next after a death", () => {
  const { operations } = stateAfter(stepQueued(0), stepQueued(1));
  const [first, second] = operations.filter((operation) => operation.kind === "step");

  it("is the one that is due first, however many are in flight", () => {
    expect(nextUnderWatch([], 0)).toBeUndefined();
    if (first === undefined || second === undefined) throw new Error("There are two.");
    expect(nextUnderWatch([first, second], 7)).toBe(first);
  });

  it("is the one to blame, as soon as nothing else is in flight", () => {
    if (first === undefined || second === undefined) throw new Error("There are two.");
    const blamed = { ...second, blamed: true };
    expect(nextUnderWatch([first, blamed], 0)).toBe(blamed);
    expect(nextUnderWatch([first, blamed], 1)).toBeUndefined();
  });
});
