import { describe, expect, it } from "vitest";
import type { Entry } from "../../../src/journal/entry.ts";
import { DEFAULT_RETRY_POLICY } from "../../../src/steps/retry-policy.ts";
import {
  attemptRetried,
  attemptStarted,
  childRequested,
  completed,
  paused,
  resumed,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stepCompleted,
  stepStarted,
} from "../../support/journal-entries.ts";
import { PROMISES } from "./promises.ts";
import type { Record } from "./record.ts";

const at = START_AT;
const step = { name: "r0", at };
const kept: Record = {
  journals: new Map([["root/r0", [started(), stepStarted(0, step), stepCompleted(0, { at }), completed({ at })]]]),
  rows: new Map([["root/plain", 8]]),
  hits: new Map([["r0", 1]]),
  talks: [],
  ranAgain: [],
  tooEarly: [],
  wrongAlarms: [],
  unanswered: [],
  lastAlarms: [],
  listed: new Map([["root/r0", "completed"]]),
  disturbed: 0,
};

const journaled = (...journal: readonly Entry[]): Partial<Record> => ({ journals: new Map([["root/r0", journal]]) });
const answer = (status: number, document: Record["talks"][number]["answered"]["document"] = {}) => ({
  status,
  document,
});
const broken: Entry = {
  type: "failed",
  declared: false,
  code: "RUN_FAILED",
  message: "The code is broken.",
  details: [0],
  at,
};

/** For each promise something that breaks it, and it alone. */
const BREACHES: readonly (readonly [string, Partial<Record>])[] = [
  ["a step runs until its outcome is journaled, then never again", { ranAgain: ["step r0"] }],
  [
    "a step's function is called no more often than its attempts were journaled, but for what was lost",
    { hits: new Map([["r0", 2]]) },
  ],
  [
    "each step has its own budget",
    journaled(
      started(),
      stepStarted(0, { ...step, policy: { ...DEFAULT_RETRY_POLICY, maximumAttempts: 1 } }),
      attemptRetried(0, { attempt: 1, at }),
      attemptStarted(0, 2, at + 500),
      attemptRetried(0, { attempt: 2, at }),
      attemptStarted(0, 3, at + 1_000),
      stepCompleted(0, { at }),
      completed({ at }),
    ),
  ],
  [
    "nothing happens before its time",
    journaled(started(), sleepSet(0, at + 9, { at }), { type: "timer-fired", op: 0, at: at + 8 }, completed({ at })),
  ],
  [
    "at every rest the alarm is what the journal asks for, and a touch restores one that was lost",
    { lastAlarms: ["root/r0 rings at 1, not at 2"] },
  ],
  [
    "replay decides as the first run did",
    journaled(
      started(),
      { type: "paused", by: "fault", code: "REPLAY_MISMATCH", message: "other", at },
      resumed(at),
      completed({ at }),
    ),
  ],
  ["a broken run pauses and burns no execution", journaled(started(), broken)],
  ["what the journal does not hold, other executions have not seen", { tooEarly: ["start from root/r0"] }],
  [
    "what a client was told, the journal holds",
    { talks: [{ root: "r0", what: "signal a", key: "k", answered: answer(202) }] },
  ],
  [
    "what was asked twice under one key, was done once",
    journaled(started(), signalReceived({ key: "k", at }), signalReceived({ key: "k", at }), completed({ at })),
  ],
  ["a sequential workflow costs one row for each step, but for what was lost", { rows: new Map([["root/plain", 20]]) }],
  [
    "an execution that waits says for what, and by which rule",
    { talks: [{ root: "r0", what: "view", key: "v", answered: answer(200, { state: "waiting", waitingFor: [] }) }] },
  ],
  ["every journal can be read, entry by entry", journaled(started(), stepCompleted(0, { at }), completed({ at }))],
  ["everything that was started ends, and whoever waits for it is told", journaled(started(), paused({ at }))],
  [
    "a child has one parent, and ends or goes on as it was told when that has ended",
    {
      journals: new Map<string, readonly Entry[]>([
        [
          "root/r0",
          [
            started(),
            childRequested(0, { workflow: "child", id: "c", at }),
            { type: "child-started", op: 0, at },
            completed({ at }),
          ],
        ],
        ["child/c", [started(), completed({ at })]],
      ]),
    },
  ],
  [
    "the directory lists every execution as it has ended, and none that is not there",
    { listed: new Map([["root/r0", "running"]]) },
  ],
  ["a client that insists is answered", { unanswered: ["view r0"] }],
];

describe("the promises", () => {
  it("are all kept by what keeps them", () => {
    expect(PROMISES.filter(({ broken: find }) => find(kept).length > 0).map(({ name }) => name)).toEqual([]);
  });

  it("have a breach each", () => {
    expect(BREACHES.map(([name]) => name)).toEqual(PROMISES.map(({ name }) => name));
  });

  it.each(BREACHES)("notice when it is not so that %s", (name, breach) => {
    const found = PROMISES.filter(({ broken: find }) => find({ ...kept, ...breach }).length > 0);
    expect(found.map((promise) => promise.name)).toContain(name);
  });
});
