import { describe, expect, it } from "vitest";
import type { Asked, Entry } from "../../src/journal/entry.ts";
import { JournalFault } from "../../src/journal/journal-fault.ts";
import {
  attemptRetried,
  attemptStarted,
  callbackAnswered,
  callbackAwaited,
  callbackCreated,
  completed,
  ending,
  rollbackNotRun,
  rollbackRetried,
  rollbackStarted,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepCompleted,
  stepSpent,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const sleepFired = (op: number): Entry => ({ type: "timer-fired", op, at: START_AT });
const timedOut = (op: number): Entry => ({ type: "signal-timed-out", op, at: START_AT });
const taken = (op: number, received: number): Entry => ({ type: "signal-taken", op, received, at: START_AT });
const returned = (op: number, received: number): Entry => ({ type: "signal-returned", op, received, at: START_AT });

const delivered = (...ops: readonly Asked[]): Entry => ({ type: "cancel-delivered", ops, at: START_AT });
const abandoned = (...ops: readonly Asked[]): Entry => ({ type: "abandoned", ops, at: START_AT });
const stepNamed = (op: number): Asked => ({ op, kind: "step", name: `step-${op}` });
const closed = (entry: number) => `entry ${entry} speaks of step 0, which is closed`;

describe("a journal that contradicts itself", () => {
  const cases: readonly (readonly [string, readonly Entry[], string])[] = [
    ["an attempt of no step", [attemptStarted(0, 1)], "entry 1 speaks of step 0"],
    ["an attempt of a sleep", [sleepSet(0, START_AT), attemptStarted(0, 1)], "entry 2 speaks of step 0"],
    ["a failure of no step", [attemptRetried(3)], "entry 1 speaks of step 3"],
    ["the end of no step", [stepSpent(3)], "entry 1 speaks of step 3"],
    ["the value of a wait", [signalAwaited(0), stepCompleted(0)], "entry 2 speaks of step 0"],
    ["the loss of no step", [{ type: "object-lost", ops: [2], at: START_AT }], "entry 1 speaks of step 2"],
    ["the withdrawal of no step", [{ type: "attempts-withdrawn", ops: [2], at: START_AT }], "entry 1 speaks of step 2"],
    ["a timer of nothing", [sleepFired(0)], "entry 1 settles wait 0"],
    ["a timer of a step", [stepStarted(0), sleepFired(0)], "entry 2 settles wait 0"],
    ["a timeout of nothing", [timedOut(7)], "entry 1 settles wait 7"],
    ["a signal for nobody", [signalReceived(), taken(0, 1)], "entry 2 takes a signal for operation 0"],
    ["a signal for a sleep", [sleepSet(0, START_AT), taken(0, 1)], "entry 2 takes a signal for operation 0"],
    ["a signal that never came", [signalAwaited(0), taken(0, 1)], "entry 2 takes the signal of entry 1"],
    [
      "a signal of another name",
      [signalReceived({ name: "stop" }), signalAwaited(0), taken(0, 1)],
      "entry 3 takes the signal of entry 1",
    ],
    [
      "a signal taken twice",
      [signalReceived(), signalReceived(), signalAwaited(0), taken(0, 1), signalAwaited(1), taken(1, 1)],
      "entry 6 takes the signal of entry 1",
    ],
    [
      "the return of a signal that was not taken",
      [signalReceived(), signalAwaited(0), returned(0, 1)],
      "entry 3 returns a signal that operation 0 did not take",
    ],
    [
      "the return of a signal twice",
      [signalReceived(), signalAwaited(0), taken(0, 1), returned(0, 1), returned(0, 1)],
      "entry 5 returns a signal that operation 0 did not take",
    ],
    ["a step with two outcomes", [stepStarted(0), stepCompleted(0), stepCompleted(0)], closed(3)],
    ["a step that is spent after its value", [stepStarted(0), stepCompleted(0), stepSpent(0)], closed(3)],
    ["a step that fails after its end", [stepStarted(0), stepSpent(0), attemptRetried(0)], closed(3)],
    ["a step that starts after its end", [stepStarted(0), stepCompleted(0), attemptStarted(0, 2)], closed(3)],
    ["the value of a step that was cancelled", [stepStarted(0), delivered(stepNamed(0)), stepCompleted(0)], closed(3)],
    [
      "the loss of a step that has its outcome",
      [stepStarted(0), stepCompleted(0), { type: "object-lost", ops: [0], at: START_AT }],
      closed(3),
    ],
    [
      "the withdrawal of a step that has its outcome",
      [stepStarted(0), stepCompleted(0), { type: "attempts-withdrawn", ops: [0], at: START_AT }],
      closed(3),
    ],
    ["the watch of no step", [{ type: "attempt-outlived", op: 0, at: START_AT }], "entry 1 speaks of step 0"],
    ["a sleep that is over twice", [sleepSet(0, START_AT), sleepFired(0), sleepFired(0)], "entry 3 settles wait 0"],
    [
      "a timeout after a signal",
      [signalReceived(), signalAwaited(0), taken(0, 1), timedOut(0)],
      "entry 4 settles wait 0",
    ],
    [
      "a signal after a timeout",
      [signalReceived(), signalAwaited(0), timedOut(0), taken(0, 1)],
      "entry 4 settles wait 0",
    ],
    ["the cancellation of nothing", [delivered(stepNamed(0))], "entry 1 closes step step-0 as operation 0"],
    [
      "the cancellation of what has its outcome",
      [stepStarted(0), stepCompleted(0), delivered(stepNamed(0))],
      "entry 3 closes step step-0 as operation 0",
    ],
    [
      "the cancellation of something else",
      [sleepSet(0, START_AT), delivered(stepNamed(0))],
      "entry 2 closes step step-0 as operation 0",
    ],
    [
      "a cancellation under another name",
      [stepStarted(0), delivered({ ...stepNamed(0), name: "ship" })],
      "entry 2 closes step ship as operation 0",
    ],
    [
      "what is abandoned and was never asked for",
      [abandoned(stepNamed(4))],
      "entry 1 closes step step-4 as operation 4",
    ],
    [
      "what is abandoned twice",
      [stepStarted(0), abandoned(stepNamed(0)), abandoned(stepNamed(0))],
      "entry 3 closes step step-0 as operation 0",
    ],
    ["a hole among the operations", [stepStarted(1)], "entry 1 asks for operation 1"],
    ["an operation that is asked for twice", [stepStarted(0), sleepSet(0, START_AT)], "entry 2 asks for operation 0"],
    ["a second start", [started()], "entry 1 starts it again"],
    ["a second end", [completed(), completed()], "entry 2 ends it again"],
    ["the answer to no callback", [callbackAnswered(0)], "entry 1 speaks of callback c-0"],
    ["a wait for no callback", [callbackAwaited(0, 7)], "entry 1 speaks of callback c-7"],
    [
      "a second answer to a callback",
      [callbackCreated(0), callbackAnswered(0), callbackAnswered(0)],
      "entry 3 answers c-0 again",
    ],
    [
      "an answer that is taken and was not given",
      [callbackCreated(0), callbackAwaited(1, 0), { type: "callback-taken", op: 1, at: START_AT }],
      "entry 3 takes an answer that c-0 has not",
    ],
    [
      "an answer that a sleep takes",
      [sleepSet(0, START_AT), { type: "callback-taken", op: 0, at: START_AT }],
      "entry 2 speaks of callback result 0",
    ],
    ["a callback that is due by itself", [callbackCreated(0), sleepFired(0)], "entry 2 settles wait 0"],
    [
      "a callback that is cancelled, as it is never open",
      [callbackCreated(0), delivered(callbackCreated(0))],
      "entry 2 closes callback link-0 as operation 0",
    ],
    ["a hole before a callback", [callbackCreated(1)], "entry 1 asks for operation 1"],
    ["the rollback of no step", [rollbackStarted(0)], "entry 1 speaks of rollback 0"],
    ["a rollback before the end", [...undoable(0), rollbackRetried(0)], "entry 3 speaks of rollback 0"],
    [
      "the outcome of a rollback that has one",
      [...undoable(0), ending(), rollbackNotRun(0), rollbackRetried(0)],
      "entry 5 speaks of rollback 0",
    ],
    [
      "a rollback that is not run and never was to be",
      [stepStarted(0), stepCompleted(0), rollbackNotRun(0)],
      "entry 3 rolls back step 0",
    ],
    [
      "a rollback of a sleep that is not run",
      [sleepSet(0, START_AT), rollbackNotRun(0)],
      "entry 2 speaks of rollback 0",
    ],
    [
      "the withdrawal of no rollback",
      [...undoable(0), ending(), { type: "attempts-withdrawn", ops: [2], at: START_AT }],
      "entry 4 speaks of rollback 2",
    ],
    [
      "the return of a signal by a sleep",
      [sleepSet(0, START_AT), returned(0, 1)],
      "entry 2 returns a signal that operation 0 did not take",
    ],
  ];

  it.each(cases)("is refused: %s", (_, entries, detail) => {
    const read = () => stateAfter(...entries);
    expect(read).toThrow(JournalFault);
    expect(read).toThrow(`Cannot read the journal as it contradicts itself: ${detail}.`);
  });
});
