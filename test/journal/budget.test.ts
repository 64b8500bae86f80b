import { describe, expect, it } from "vitest";
import {
  attemptsSpent,
  budgetExceeded,
  checkBudget,
  isBudgetBinding,
  raisedBudget,
  startBudget,
  type Usage,
} from "../../src/journal/budget.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { LIMITS } from "../../src/limits.ts";
import {
  attemptRetried,
  attemptStarted,
  callbackAnswered,
  callbackCreated,
  completed,
  ending,
  failed,
  foldOf,
  paused,
  rollbackStarted,
  START_AT,
  started,
  stateAfter,
  stepCompleted,
  stepQueued,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const USAGE: Usage = { rowsWritten: 10, attempts: 5, bytes: 1_000 };

describe("a budget", () => {
  it("is checked, copied and frozen; an explicit undefined is an absent field", () => {
    const given = { rowsWritten: 1, attempts: undefined, bytes: Number.MAX_SAFE_INTEGER };
    const checked = checkBudget(given);
    expect(checked).toEqual({ rowsWritten: 1, bytes: Number.MAX_SAFE_INTEGER });
    expect("attempts" in checked).toBe(false);
    expect(Object.isFrozen(checked)).toBe(true);
    expect(checkBudget({})).toEqual({});
  });

  it.each([
    [{ rowsWritten: 0 }, RangeError, "budget.rowsWritten"],
    [{ attempts: 1.5 }, RangeError, "budget.attempts"],
    [{ bytes: Infinity }, RangeError, "budget.bytes"],
    [{ bytes: "1" }, TypeError, "budget.bytes"],
    [{ attempts: null }, TypeError, "budget.attempts"],
    [{ rows: 5 }, TypeError, "budget.rows"],
    [5, TypeError, "budget"],
    [null, TypeError, "budget"],
  ])("refuses %j", (given, errorClass, field) => {
    const check = () => checkBudget(given);
    expect(check).toThrow(errorClass);
    expect(check).toThrow(`Cannot use ${field} as `);
  });

  it("of a start comes before that of the workflow, field by field", () => {
    const ofWorkflow = { attempts: 9, bytes: 7 };
    expect(startBudget({ attempts: 3 }, ofWorkflow)).toEqual({
      budget: { attempts: 3, bytes: 7 },
      budgetOfWorkflow: ofWorkflow,
    });
    expect(startBudget({ rowsWritten: 2 })).toEqual({ budget: { rowsWritten: 2 }, budgetOfWorkflow: {} });
    expect(startBudget(undefined, { rowsWritten: 2 })).toEqual({ budget: { rowsWritten: 2 } });
    expect(startBudget()).toEqual({});
    expect(startBudget({}, {})).toEqual({});
  });

  it("is raised by the present code, never lowered, and binds in no field that it did not have", () => {
    const budget = { attempts: 3, bytes: 7 };
    expect(raisedBudget({ budget }, { attempts: 9, bytes: 1, rowsWritten: 1 })).toEqual({ attempts: 9, bytes: 7 });
    expect(raisedBudget({ budget })).toEqual(budget);
    expect(raisedBudget({}, { attempts: 9 })).toEqual({});
  });

  it("of a start that has less than its workflow is raised by what is more than the workflow had", () => {
    const journaled = startBudget({ attempts: 3, bytes: 50 }, { attempts: 9 });
    const attempts = (present: number) => raisedBudget(journaled, { attempts: present }).attempts;
    expect([1, 9, 10].map(attempts)).toEqual([3, 3, 10]);
    expect(raisedBudget(journaled, { bytes: 40 }).bytes).toBe(50);
    expect(raisedBudget(journaled, { bytes: 60 }).bytes).toBe(60);
  });

  it("is exceeded beyond its amount, not at it, and says which and how much", () => {
    expect(budgetExceeded({ rowsWritten: 10, bytes: 1_000, attempts: 1 }, USAGE)).toBeUndefined();
    expect(budgetExceeded({}, USAGE)).toBeUndefined();
    expect(budgetExceeded({ rowsWritten: 9 }, USAGE)).toBe(
      "The execution has used 10 of its budget of 9 rows written. " +
        "Deploy its workflow with a higher budget.rowsWritten and resume the execution, or cancel it.",
    );
    expect(budgetExceeded({ bytes: 999 }, USAGE)).toMatch(/^The execution has used 1000 of its budget of 999 bytes\. /);
    expect(attemptsSpent("ship", 5, 5)).toMatch(
      /^Another attempt is due, of step ship\. The execution has used 5 of its budget of 5 attempts\. /,
    );
  });

  it("does not bind once a cancellation was asked for, it is ending, paused or has ended", () => {
    expect(isBudgetBinding(stateAfter(stepStarted(0)))).toBe(true);
    const cancel: Entry = { type: "cancel-requested", at: START_AT };
    for (const entries of [[cancel], [...undoable(0), ending()], [paused()], [completed()]]) {
      expect(isBudgetBinding(stateAfter(...entries))).toBe(false);
    }
  });
});

describe("what was used", () => {
  it("counts every attempt that was started: of steps and rollbacks, again and interrupted, and none withdrawn", () => {
    const entries: Entry[] = [
      stepQueued(0),
      attemptStarted(0, 1),
      attemptRetried(0),
      attemptStarted(0, 2),
      { type: "object-lost", ops: [0], at: START_AT },
      attemptStarted(0, 3),
      ...undoable(1),
    ];
    expect(stateAfter(...entries).attempts).toBe(4);
    const withdrawn: Entry = { type: "attempts-withdrawn", ops: [0], at: START_AT };
    expect(stateAfter(...entries, paused(), withdrawn).attempts).toBe(3);
    expect(stateAfter(...undoable(0), ending(), rollbackStarted(0)).attempts).toBe(2);
  });

  it("counts values that stand by themselves, once, and by the rows that they take", () => {
    const blob = (number: number, length: number) => ({ value: { blob: number, length } });
    const state = stateAfter(
      stepStarted(0),
      stepCompleted(0, blob(2, 100_000)),
      callbackCreated(1),
      callbackAnswered(1, blob(4, LIMITS.blobPartBytes + 1)),
    );
    expect([state.largeLength, state.largeRows]).toEqual([100_000 + LIMITS.blobPartBytes + 1, 3]);
    expect(foldOf(started({ input: { blob: 0, length: 5 } })).largeLength).toBe(5);
    expect(stateAfter(stepStarted(0), stepCompleted(0)).largeLength).toBe(0);
    const outcome = failed({ details: { blob: 3, length: 70_000 } });
    expect(stateAfter(...undoable(0), ending({ outcome }), outcome).largeLength).toBe(70_000);
  });
});
