import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEnd, type Entry } from "../../src/journal/entry.ts";
import { decideCut, startedOfFork, type Before } from "../../src/journal/fork.ts";
import { isHalted, runningAttempts } from "../../src/journal/state.ts";
import {
  attemptRetried,
  callbackAnswered,
  callbackAwaited,
  callbackCreated,
  cancelled,
  completed,
  ending,
  failed,
  foldOf,
  forkedFrom,
  paused,
  rollbackCompleted,
  rollbackNotRun,
  rollbackStarted,
  sleepSet,
  START_AT,
  started,
  stepCompleted,
  stepQueued,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";
import { legalJournal } from "../support/legal-journal.ts";

function cut(journal: readonly Entry[], before?: Before) {
  return decideCut(foldOf(...journal), journal, before);
}

/** The number of the first entry that is not copied. */
function cutAt(journal: readonly Entry[], before?: Before): number {
  const decided = cut(journal, before);
  if (decided.kind !== "cut") throw new Error(decided.message);
  return decided.entry;
}

const abandonedStep: Entry = { type: "abandoned", ops: [{ op: 1, kind: "step", name: "step-1" }], at: START_AT };

describe("the cut of a fork", () => {
  it("before a step lies at its first entry, queued or started", () => {
    const journal = [
      started(),
      stepStarted(0),
      sleepSet(1, START_AT),
      stepQueued(2),
      stepStarted(3, { name: "step-2#2" }),
    ];
    expect(cut(journal, "step-0")).toEqual({ kind: "cut", entry: 1, cutAt: START_AT });
    expect(cutAt(journal, "step-2")).toBe(3);
    expect(cutAt(journal, "step-2#2")).toBe(4);
  });

  it("tells the time of the last entry that is copied", () => {
    const journal = [started(), stepStarted(0, { at: START_AT + 5 }), stepCompleted(0, { at: START_AT + 9 })];
    expect(cut(journal, 2)).toMatchObject({ cutAt: START_AT + 5 });
    expect(cut(journal)).toMatchObject({ entry: 3, cutAt: START_AT + 9 });
  });

  it("before an unknown step is refused with the names that there are", () => {
    const journal = [started(), stepStarted(0), sleepSet(1, START_AT)];
    expect(cut(journal, "sleep-1")).toEqual({
      kind: "refused",
      code: "VALIDATION_ERROR",
      message:
        "Cannot use before as it must name a step that the execution has, and those are step-0: " +
        'current value is "sleep-1"',
    });
    expect(cut([started()], "a")).toMatchObject({ message: expect.stringContaining("those are none:") as string });
    const many = [started(), ...Array.from({ length: 22 }, (_, op) => stepStarted(op))];
    expect(cut(many, "a")).toMatchObject({ message: expect.stringContaining("step-19 and 2 more:") as string });
  });

  it("at a number lies between the first entry and the end", () => {
    const journal = [started(), stepStarted(0), stepCompleted(0)];
    expect([1, 2, 3].map((number) => cutAt(journal, number))).toEqual([1, 2, 3]);
    const ended = [...journal, completed()];
    expect(cutAt(ended, 3)).toBe(3);
    for (const number of [0, -1, 0.5, 4, Number.NaN]) {
      expect(cut(ended, number)).toEqual({
        kind: "refused",
        code: "VALIDATION_ERROR",
        message: `Cannot use before as the number of an entry must be from 1 to 3: current value is ${number}`,
      });
    }
  });

  it("without either lies before all that the end of the code wrote", () => {
    const steps = [started(), ...undoable(0), stepStarted(1)];
    expect(cutAt(steps)).toBe(4);
    expect(cutAt([...steps, abandonedStep, completed()])).toBe(4);
    expect(cutAt([...steps, abandonedStep, ending()])).toBe(4);
    expect(cutAt([...steps, abandonedStep, ending(), rollbackStarted(0), rollbackCompleted(0), failed()])).toBe(4);
    expect(cutAt([...steps, abandonedStep, rollbackNotRun(0), cancelled({ by: "terminated" })])).toBe(4);
  });

  it("lies never inside of what an end wrote at once", () => {
    const journal = [started(), ...undoable(0), stepStarted(1), abandonedStep, rollbackNotRun(0), cancelled()];
    expect([4, 5, 6].map((number) => cutAt(journal, number))).toEqual([4, 4, 4]);
    const rolling = [started(), ...undoable(0), stepStarted(1), abandonedStep, ending(), rollbackNotRun(0), failed()];
    expect([5, 6, 7].map((number) => cutAt(rolling, number))).toEqual([4, 6, 7]);
  });

  it("is refused where a newer engine wrote what would be copied", () => {
    // The cast: what this engine does not know.
    const unknown = { type: "invented", at: START_AT } as unknown as Entry;
    const journal = [started(), stepStarted(0), unknown, completed()];
    expect(cut(journal)).toEqual({
      kind: "refused",
      code: "UNSUPPORTED",
      message: "Cannot fork the execution as a newer engine wrote what would be copied: current value is invented",
    });
    expect(cutAt(journal, 2)).toBe(2);
  });

  it("takes the length of a deadline along, unless the code was told that it passed", () => {
    const deadline = started({ deadlineAt: START_AT + 900 });
    const later = started({ startAt: START_AT + 300, deadlineAt: START_AT + 900 });
    expect(cut([deadline])).toMatchObject({ deadlineMs: 900 });
    expect(cut([later])).toMatchObject({ deadlineMs: 600 });
    expect(cut([started()])).not.toHaveProperty("deadlineMs");
    const passed: Entry = { type: "cancel-requested", by: "deadline", at: START_AT + 900 };
    const told: Entry = {
      type: "cancel-delivered",
      ops: [{ op: 0, kind: "step", name: "step-0" }],
      at: START_AT + 900,
    };
    expect(cut([deadline, stepStarted(0), passed])).toMatchObject({ deadlineMs: 900 });
    expect(cut([deadline, stepStarted(0), passed, told])).not.toHaveProperty("deadlineMs");
    const asked: Entry = { type: "cancel-requested", at: START_AT };
    expect(cut([deadline, stepStarted(0), asked, told])).toMatchObject({ deadlineMs: 900 });
  });

  it("of any journal and at any entry leaves a copy that can go on", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), fc.nat(), (choices, at) => {
        const journal = legalJournal(choices);
        const ended = journal.at(-1);
        const last = journal.length - (ended !== undefined && isEnd(ended) ? 1 : 0);
        const before = 1 + (at % last);
        const decided = cut(journal, before);
        fc.pre(decided.kind === "cut");
        const { entry } = decided;
        expect(entry).toBeLessThanOrEqual(before);
        const state = foldOf(...journal.slice(0, entry), forkedFrom({ entry, at: START_AT + 1_000 }));
        expect(isHalted(state)).toBe(false);
        expect(runningAttempts(state)).toEqual([]);
        expect(
          state.operations.filter(({ phase }) => phase === "abandoned").length === 0 || state.ending !== undefined,
        ).toBe(true);
        expect(state.cancelRequestedAt === undefined || state.cancelDelivered).toBe(true);
      }),
    );
  });
});

describe("the first entry of a fork", () => {
  const original = started({ deadlineAt: START_AT + 900, seed: "seed", startAt: START_AT + 300 });

  it("is the original's with another id", () => {
    expect(startedOfFork(original, { id: "fork", at: START_AT + 5_000, deadlineMs: undefined })).toEqual({
      ...original,
      id: "fork",
    });
  });

  it("has a deadline that counts from the fork, or from the start that is still to come", () => {
    const late = startedOfFork(original, { id: "fork", at: START_AT + 5_000, deadlineMs: 600 });
    expect(late.deadlineAt).toBe(START_AT + 5_600);
    expect(startedOfFork(original, { id: "fork", at: START_AT + 1, deadlineMs: 600 }).deadlineAt).toBe(START_AT + 900);
    const plain = started({ deadlineAt: START_AT + 900 });
    expect(startedOfFork(plain, { id: "fork", at: START_AT + 1, deadlineMs: 900 }).deadlineAt).toBe(START_AT + 901);
  });
});

describe("a cut among callbacks", () => {
  const journal = [
    started(),
    callbackCreated(0, { dueAt: START_AT + 900 }),
    callbackAwaited(1, 0),
    stepStarted(2, { at: START_AT + 100 }),
    callbackAnswered(0, { at: START_AT + 200 }),
    stepStarted(3, { at: START_AT + 300 }),
  ];

  it("is refused between the creation of one and its answer", () => {
    expect([1, 5, 6].map((number) => cutAt(journal, number))).toEqual([1, 5, 6]);
    for (const number of [2, 3, 4]) {
      expect(cut(journal, number)).toEqual({
        kind: "refused",
        code: "FORK_INSIDE_CALLBACK",
        message:
          "Cannot cut the journal there as it must not lie between the creation of a callback and its answer or the " +
          'end of its time: current value lies inside of callback "link-0"',
      });
    }
  });

  it("is none inside of one whose time was up, whether the code was told so or not", () => {
    const late = stepStarted(2, { at: START_AT + 900 });
    const unasked = [started(), callbackCreated(0, { dueAt: START_AT + 900 }), sleepSet(1, START_AT + 900), late];
    expect(cutAt(unasked)).toBe(4);
    const timedOut: Entry = { type: "callback-timed-out", op: 1, at: START_AT };
    const told = [started(), callbackCreated(0, { dueAt: START_AT + 900 }), callbackAwaited(1, 0), timedOut];
    expect(cutAt(told)).toBe(4);
    expect(cut([started(), callbackCreated(0)])).toMatchObject({ code: "FORK_INSIDE_CALLBACK" });
  });
});

describe("a copy before the cut", () => {
  it("may hold a pause and a retry, which count for the numbers alone", () => {
    const journal = [started(), stepStarted(0), attemptRetried(0), paused(), stepStarted(1)];
    expect(cutAt(journal, "step-1")).toBe(4);
  });
});
