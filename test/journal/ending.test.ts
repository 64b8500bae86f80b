import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  abandoned,
  cancelDelivered,
  cancelUntold,
  endOf,
  isCancelPending,
  pausedByFault,
} from "../../src/journal/ending.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { LIMITS } from "../../src/limits.ts";
import {
  CancelledError,
  DeclaredError,
  HttpRefusal,
  NonRetryableError,
  OperationRefused,
  RetryableError,
  StepExhausted,
  StepTimeout,
} from "../../src/steps/errors.ts";
import {
  encode,
  ending,
  foldOf,
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

const AT = START_AT + 500;
const ROW_BYTES = 1_024 * 1_024;

const end = (thrown: unknown, state = stateAfter()) => endOf(thrown, { state, at: AT, encode });

describe("the end that an error means", () => {
  it("case 153: is cancelled where the workflow lets the cancellation through", () => {
    expect(end(new CancelledError("cancelled"))).toEqual({ type: "cancelled", by: "workflow", at: AT });
  });

  it("is the declared failure, with the details of the workflow's own", () => {
    const error = new DeclaredError("OUT_OF_STOCK", { sku: "lamp" }, "No lamp is left.");
    expect(end(error)).toEqual({
      type: "failed",
      declared: true,
      code: "OUT_OF_STOCK",
      message: "No lamp is left.",
      details: [{ sku: "lamp" }],
      at: AT,
    });
  });

  it("S40 is STEP_EXHAUSTED with step and attempts, and never what the last attempt threw", () => {
    expect(end(new StepExhausted({ step: "ship", attempts: 3, cause: new Error("secret") }))).toEqual({
      type: "failed",
      declared: false,
      code: "STEP_EXHAUSTED",
      message: "Workflow Step ship exhausted its retries.",
      details: [{ step: "ship", attempts: 3 }],
      at: AT,
    });
  });

  it("S39 S40 carries the refusal of the called service by its codes", () => {
    const refusal = { status: 503, code: "BUSY" };
    expect(end(new StepExhausted({ step: "ship", attempts: 3, refusal }))).toMatchObject({
      details: [{ step: "ship", attempts: 3, refusal }],
    });
  });

  it("S43 tells a declared error of that code from an exhausted step", () => {
    expect(end(new DeclaredError("STEP_EXHAUSTED", { mine: true }))).toMatchObject({
      declared: true,
      code: "STEP_EXHAUSTED",
      details: [{ mine: true }],
    });
  });

  it("is HTTP_REFUSAL with the service's codes, and without its body", () => {
    const failed = { type: "failed", declared: false, code: "HTTP_REFUSAL", at: AT };
    expect(end(new HttpRefusal(402, { card: "secret" }, "DECLINED"))).toEqual({
      ...failed,
      message: "The service answered 402 DECLINED.",
      details: [{ status: 402, code: "DECLINED" }],
    });
    expect(end(new HttpRefusal(410, undefined))).toEqual({
      ...failed,
      message: "The service answered 410.",
      details: [{ status: 410 }],
    });
  });

  it("is the code and the details of an error that is not worth a retry", () => {
    const error = new NonRetryableError("No such card.", { code: "NO_CARD", details: { last: "1234" } });
    expect(end(error)).toEqual({
      type: "failed",
      declared: false,
      code: "NO_CARD",
      message: "No such card.",
      details: [{ last: "1234" }],
      at: AT,
    });
    expect(end(new NonRetryableError(""))).toMatchObject({ code: "NON_RETRYABLE", message: "", details: [undefined] });
  });

  it.each([
    ["declared", (code: string, message: string) => new DeclaredError(code, undefined, message)],
    ["not worth a retry", (code: string, message: string) => new NonRetryableError(message, { code })],
  ])("case 98: keeps as much of the author's words as an entry may carry: %s", (_, throwIt) => {
    const lions = "\u{1F981}".repeat(10_000);
    expect(end(throwIt(lions, lions))).toMatchObject({
      code: lions.slice(0, LIMITS.failureCodeBytes / 2),
      message: lions.slice(0, LIMITS.failureMessageBytes / 2),
    });
  });

  it("has a code and a message where the error's were set to something else", () => {
    const error = Object.assign(new NonRetryableError("No such card."), { code: 7, message: { not: "text" } });
    expect(end(error)).toMatchObject({ type: "failed", code: "NON_RETRYABLE", message: "" });
  });

  it.each([
    new TypeError("total is undefined"),
    new RetryableError("later"),
    new StepTimeout("too late"),
    new OperationRefused("OPERATION_LIMIT", "too many"),
    { name: "CancelledError", message: "by its name alone" },
    "text",
    undefined,
  ])("S47 is none for %o, which is a failure of the run", (thrown) => {
    expect(end(thrown)).toBeUndefined();
  });

  it("encodes nothing of a failure of the run", () => {
    const refuse = () => {
      throw new Error("This value is not kept.");
    };
    const terms = { state: stateAfter(), at: AT, encode: refuse };
    expect(endOf(new Error("no"), terms)).toBeUndefined();
    expect(endOf(new CancelledError("cancelled"), terms)).toMatchObject({ type: "cancelled" });
  });
});

describe.each([
  ["abandoned", abandoned],
  ["cancel-delivered", cancelDelivered],
] as const)("the entries of type %s", (type, entriesFor) => {
  it("name every operation that is open, by its number", () => {
    const state = stateAfter(
      stepStarted(0),
      sleepSet(1, START_AT + 1_000),
      signalAwaited(2),
      stepQueued(3),
      stepCompleted(0),
    );
    const ops = [
      { op: 1, kind: "sleep", name: "sleep-1" },
      { op: 2, kind: "signal", name: "approval-2" },
      { op: 3, kind: "step", name: "step-3" },
    ];
    expect(entriesFor(state, AT)).toEqual([{ type, ops, at: AT }]);
  });

  it("are none where nothing is open", () => {
    expect(entriesFor(stateAfter(), AT)).toEqual([]);
    expect(entriesFor(stateAfter(stepStarted(0), stepCompleted(0)), AT)).toEqual([]);
  });

  it("fit a row each, name each operation once and in order, and leave nothing open", () => {
    const name = "x".repeat(128);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (count) => {
        const asked = Array.from({ length: count }, (_, op) => stepQueued(op, { name }));
        const state = foldOf(started(), ...asked);
        const entries = entriesFor(state, AT);
        const ops = entries.flatMap((entry) => entry.ops.map(({ op }) => op));
        expect(ops).toEqual(asked.map(({ op }) => op));
        expect(Math.max(...entries.map((entry) => JSON.stringify(entry).length))).toBeLessThan(ROW_BYTES / 4);
        expect(entries.length).toBeLessThanOrEqual(Math.ceil(count / 100));
        expect(foldOf(started(), ...asked, ...(entries satisfies readonly Entry[])).open.size).toBe(0);
      }),
      { numRuns: 20, examples: [[500], [501], [1_000]] },
    );
  });
});

describe("the end that a deadline means", () => {
  const deadlineAt = START_AT + 400;
  const overdue: Entry = { type: "cancel-requested", by: "deadline", at: deadlineAt };
  const delivered: Entry = { type: "cancel-delivered", ops: [], at: deadlineAt };
  const exceeded = { type: "failed", declared: false, code: "DEADLINE_EXCEEDED", at: AT };
  const untold = {
    ...exceeded,
    message: "The execution did not end before its deadline.",
    details: [{ deadlineAt: 1 }, deadlineAt],
  };

  it("is DEADLINE_EXCEEDED where the workflow lets its cancellation through", () => {
    const state = foldOf(started({ deadlineAt }), overdue, delivered);
    expect(end(new CancelledError("cancelled"), state)).toEqual(untold);
    expect(end(new DeclaredError("TOO_LATE", undefined), state)).toMatchObject({ declared: true, code: "TOO_LATE" });
  });

  it("is a cancellation's where somebody asked before the deadline", () => {
    const state = foldOf(started({ deadlineAt }), { type: "cancel-requested", at: START_AT }, overdue, delivered);
    expect(end(new CancelledError("cancelled"), state)).toMatchObject({ type: "cancelled" });
  });

  it("is DEADLINE_EXCEEDED for the step whose next attempt would come too late, and for no other", () => {
    const spent = [stepStarted(1), stepSpent(1, { spent: "deadline" }), stepStarted(2), stepSpent(2)];
    const state = foldOf(started({ deadlineAt }), sleepSet(0, AT), ...spent);
    const exhausted = (step: string) => new StepExhausted({ step, attempts: 1, cause: new Error("secret") });
    expect(end(exhausted("step-1"), state)).toEqual({
      ...exceeded,
      message:
        "The execution cannot end before its deadline as another attempt of step step-1 could only start after it.",
      details: [{ deadlineAt: 1, step: 2, attempts: 3 }, deadlineAt, "step-1", 1],
    });
    expect(end(exhausted("step-2"), state)).toMatchObject({ code: "STEP_EXHAUSTED" });
  });

  it("is the same where the code cannot be told, be it by a fault", () => {
    const ops = [{ op: 0, kind: "sleep", name: "sleep-0" }];
    const expected = [{ type: "abandoned", ops, at: AT }, untold];
    const state = foldOf(started({ deadlineAt }), sleepSet(0, AT), overdue);
    expect(cancelUntold(state, "why", AT)).toEqual(expected);
    expect(pausedByFault(state, { code: "STALLED", message: "It waits for nothing.", at: AT })).toEqual(expected);
  });
});

describe("a cancellation", () => {
  const requested: Entry = { type: "cancel-requested", at: START_AT };
  const delivered: Entry = { type: "cancel-delivered", ops: [], at: START_AT };
  const fault = { code: "STALLED", message: "It waits for nothing.", at: AT };
  const untold = [
    { type: "abandoned", ops: [{ op: 0, kind: "sleep", name: "sleep-0" }], at: AT },
    { type: "cancelled", by: "workflow", at: AT },
  ];

  it("is pending from its request until the code is told", () => {
    expect(isCancelPending(stateAfter())).toBe(false);
    expect(isCancelPending(stateAfter(requested))).toBe(true);
    expect(isCancelPending(stateAfter(requested, delivered))).toBe(false);
  });

  it("ends the execution where the code cannot be told", () => {
    expect(cancelUntold(stateAfter(sleepSet(0, AT), requested), "CRASH_LOOP", AT)).toEqual(untold);
    expect(cancelUntold(stateAfter(requested), "CRASH_LOOP", AT)).toEqual([
      { type: "cancelled", by: "workflow", at: AT },
    ]);
  });

  it("that is pending makes an end of a fault, which pauses any other execution", () => {
    const pause = [{ type: "paused", by: "fault", ...fault }];
    expect(pausedByFault(stateAfter(sleepSet(0, AT)), fault)).toEqual(pause);
    expect(pausedByFault(stateAfter(sleepSet(0, AT), requested, delivered), fault)).toEqual(pause);
    expect(pausedByFault(stateAfter(sleepSet(0, AT), requested), fault)).toEqual(untold);
  });

  it("that cannot be told leaves what its steps did, and says why", () => {
    const state = stateAfter(...undoable(0), sleepSet(1, AT), requested);
    const leaves = (reason: string) => [
      { type: "abandoned", ops: [{ op: 1, kind: "sleep", name: "sleep-1" }], at: AT },
      { type: "rollback-not-run", op: 0, reason, at: AT },
      { type: "cancelled", by: "workflow", at: AT },
    ];
    expect(pausedByFault(state, fault)).toEqual(leaves("STALLED: It waits for nothing."));
    expect(pausedByFault(state, fault, "its own words")).toEqual(leaves("its own words"));
  });

  it("is not pending once the end is journaled: a fault then pauses the rollbacks", () => {
    const state = stateAfter(...undoable(0), requested, ending());
    expect(isCancelPending(state)).toBe(false);
    expect(pausedByFault(state, fault)).toEqual([{ type: "paused", by: "fault", ...fault }]);
  });
});
