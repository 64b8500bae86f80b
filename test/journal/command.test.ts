import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideCommand, decideSignal, type Command, type IncomingSignal } from "../../src/journal/command.ts";
import type { Entry } from "../../src/journal/entry.ts";
import type { State } from "../../src/journal/state.ts";
import { LIMITS } from "../../src/limits.ts";
import {
  cancelled,
  completed,
  ending,
  failed,
  foldOf,
  paused,
  rollbackStarted,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepCompleted,
  stepStarted,
  undoable,
} from "../support/journal-entries.ts";

const AT = START_AT + 500;
const COMMANDS = ["cancel", "terminate", "pause", "resume"] as const satisfies readonly Command[];

const cancelRequested: Entry = { type: "cancel-requested", at: START_AT };

function decide(state: State, command: Command, reason?: string) {
  return decideCommand(state, { command, ...(reason !== undefined && { reason }) }, AT);
}

function send(state: State, signal: Partial<IncomingSignal> = {}) {
  return decideSignal(state, { name: "approval", value: () => ["yes"], bytes: 6, ...signal }, AT);
}

describe("pause", () => {
  it("is journaled with its reason, or with words that say that there was none", () => {
    const pause = { type: "paused", by: "request", code: "PAUSED", at: AT };
    expect(decide(stateAfter(), "pause", "the service is down")).toEqual({
      kind: "entries",
      entries: [{ ...pause, message: "the service is down" }],
    });
    expect(decide(stateAfter(), "pause")).toEqual({
      kind: "entries",
      entries: [{ ...pause, message: "Somebody asked for it." }],
    });
  });

  it("changes nothing where the execution is paused already, by whomever", () => {
    expect(decide(stateAfter(paused()), "pause")).toEqual({ kind: "unchanged" });
    expect(decide(stateAfter(paused({ by: "fault", code: "CRASH_LOOP" })), "pause")).toEqual({ kind: "unchanged" });
  });
});

describe("resume", () => {
  it("S47 ends a pause, that of a fault too", () => {
    const resume = { kind: "entries", entries: [{ type: "resumed", at: AT }] };
    expect(decide(stateAfter(paused()), "resume")).toEqual(resume);
    expect(decide(stateAfter(paused({ by: "fault", code: "JOURNAL_MISMATCH" })), "resume")).toEqual(resume);
  });

  it("changes nothing where the execution is not paused", () => {
    expect(decide(stateAfter(), "resume")).toEqual({ kind: "unchanged" });
  });
});

describe("cancel", () => {
  it("is journaled, with its reason where one is given", () => {
    expect(decide(stateAfter(), "cancel")).toEqual({
      kind: "entries",
      entries: [{ type: "cancel-requested", at: AT }],
    });
    expect(decide(stateAfter(), "cancel", "not wanted")).toEqual({
      kind: "entries",
      entries: [{ type: "cancel-requested", reason: "not wanted", at: AT }],
    });
  });

  it("S47 makes a paused execution go on, to compensate", () => {
    expect(decide(stateAfter(paused()), "cancel")).toMatchObject({
      kind: "entries",
      entries: [{ type: "cancel-requested" }, { type: "resumed", at: AT }],
    });
  });

  it("case 143: changes nothing the second time", () => {
    expect(decide(stateAfter(cancelRequested), "cancel")).toEqual({ kind: "unchanged" });
  });

  it("resumes an execution that was paused before its code could be told", () => {
    expect(decide(stateAfter(cancelRequested, paused()), "cancel")).toMatchObject({
      kind: "entries",
      entries: [{ type: "resumed" }],
    });
    const told: Entry = { type: "cancel-delivered", ops: [], at: START_AT };
    expect(decide(stateAfter(cancelRequested, told, paused()), "cancel")).toEqual({ kind: "unchanged" });
  });
});

describe("terminate", () => {
  it("ends the execution and names what was open", () => {
    const state = stateAfter(stepStarted(0), stepCompleted(0), sleepSet(1, START_AT + 9_000), signalAwaited(2));
    expect(decide(state, "terminate", "by hand")).toEqual({
      kind: "entries",
      entries: [
        {
          type: "abandoned",
          ops: [
            { op: 1, kind: "sleep", name: "sleep-1" },
            { op: 2, kind: "signal", name: "approval-2" },
          ],
          at: AT,
        },
        { type: "cancelled", by: "terminated", reason: "by hand", at: AT },
      ],
    });
  });

  it.each([
    ["nothing is open", stateAfter()],
    ["it is paused", stateAfter(paused())],
    ["a cancellation was asked for", stateAfter(cancelRequested)],
  ])("ends an execution where %s", (_, state) => {
    const end = { type: "cancelled", by: "terminated", at: AT };
    expect(decide(state, "terminate")).toEqual({ kind: "entries", entries: [end] });
  });
});

describe("an execution that rolls back", () => {
  const endingAfter = (...entries: readonly Entry[]) =>
    stateAfter(...undoable(0), ...undoable(1), ending(), ...entries);

  it.each([
    ["asked for the first time", endingAfter()],
    ["paused", endingAfter(paused())],
    ["asked for before, and the code was not told", stateAfter(...undoable(0), cancelRequested, ending(), paused())],
  ])("is not cancelled, as its end is decided: %s", (_, state) => {
    expect(decide(state, "cancel")).toEqual({ kind: "unchanged" });
  });

  it("ends at once when it is terminated, and says what is left undone", () => {
    const notRun = (op: number) => ({ type: "rollback-not-run", op, reason: "TERMINATED", at: AT });
    const end = { type: "cancelled", by: "terminated", reason: "by hand", at: AT };
    expect(decide(endingAfter(rollbackStarted(1)), "terminate", "by hand")).toEqual({
      kind: "entries",
      entries: [notRun(1), notRun(0), end],
    });
    expect(decide(stateAfter(...undoable(0), stepStarted(1)), "terminate", "by hand")).toEqual({
      kind: "entries",
      entries: [{ type: "abandoned", ops: [{ op: 1, kind: "step", name: "step-1" }], at: AT }, notRun(0), end],
    });
  });

  it("is paused and resumed, and takes signals, like any other", () => {
    expect(decide(endingAfter(), "pause")).toMatchObject({ kind: "entries", entries: [{ type: "paused" }] });
    expect(decide(endingAfter(paused()), "resume")).toMatchObject({ kind: "entries", entries: [{ type: "resumed" }] });
    expect(send(endingAfter())).toMatchObject({ kind: "entries" });
  });
});

describe("the reason of a command", () => {
  const long = "\u{1F981}".repeat(LIMITS.reasonBytes);

  it.each(["pause", "cancel", "terminate"] as const)(
    "is cut between characters where it is too long: %s",
    (command) => {
      const decision = decide(stateAfter(), command, long);
      if (decision.kind !== "entries") throw new Error("The command is not taken.");
      const [entry] = decision.entries;
      const kept = entry?.type === "paused" ? entry.message : entry !== undefined && "reason" in entry && entry.reason;
      expect(kept).toBe(long.slice(0, LIMITS.reasonBytes / 2));
    },
  );
});

describe("an execution whose journal a newer engine wrote", () => {
  const refused = {
    kind: "refused",
    code: "UNSUPPORTED",
    message: "Cannot change the execution as a newer engine wrote its journal: current value is format 1000",
  };
  const newer = (...entries: readonly Entry[]) => foldOf(started({ format: 1_000 }), ...entries);

  it.each(COMMANDS)("refuses to %s", (command) => {
    expect(decide(newer(), command)).toEqual(refused);
  });

  it("refuses signals", () => {
    expect(send(newer())).toEqual(refused);
  });

  it("answers as any other after its end", () => {
    expect(decide(newer(completed()), "cancel")).toMatchObject({ code: "EXECUTION_ENDED" });
    expect(decide(newer(cancelled()), "cancel")).toEqual({ kind: "unchanged" });
    expect(send(newer(completed()))).toMatchObject({ code: "EXECUTION_ENDED" });
  });
});

describe("a command to an execution that has ended", () => {
  it.each(COMMANDS.flatMap((command) => [completed(), failed()].map((end) => ({ command, end }))))(
    "is refused: $command after $end.type",
    ({ command, end }) => {
      expect(decide(stateAfter(end), command)).toEqual({
        kind: "refused",
        code: "EXECUTION_ENDED",
        message: `Cannot change the execution as it has ended: current value is ${end.type}`,
      });
    },
  );

  it("changes nothing where it is cancelled and that was asked for", () => {
    const state = stateAfter(cancelled());
    expect(decide(state, "cancel")).toEqual({ kind: "unchanged" });
    expect(decide(state, "terminate")).toEqual({ kind: "unchanged" });
    expect(decide(state, "pause")).toMatchObject({ kind: "refused", code: "EXECUTION_ENDED" });
    expect(decide(state, "resume")).toMatchObject({ kind: "refused", code: "EXECUTION_ENDED" });
  });
});

describe("the same command twice", () => {
  it("changes nothing the second time, whatever came before", () => {
    const before: fc.Arbitrary<Entry> = fc.constantFrom(paused(), cancelRequested, sleepSet(0, AT), signalReceived());
    const histories = fc.uniqueArray(before, { selector: (entry) => entry.type });
    fc.assert(
      fc.property(histories, fc.constantFrom(...COMMANDS), (history, command) => {
        const first = decide(stateAfter(...history), command);
        const entries = first.kind === "entries" ? first.entries : [];
        expect(decide(stateAfter(...history, ...entries), command)).toEqual({ kind: "unchanged" });
      }),
    );
  });
});

describe("a signal", () => {
  it("S53 is kept as it arrives, awaited or not", () => {
    const received = { type: "signal-received", name: "approval", value: ["yes"], bytes: 6, at: AT };
    expect(send(stateAfter())).toEqual({ kind: "entries", entries: [received] });
    expect(send(stateAfter(signalAwaited(0)), { key: "click-1" })).toEqual({
      kind: "entries",
      entries: [{ ...received, key: "click-1" }],
    });
  });

  it("is kept while the execution is paused", () => {
    expect(send(stateAfter(paused()))).toMatchObject({ kind: "entries" });
  });

  it("S75 changes nothing where its key is known, also after it was taken and after the end", () => {
    const received = signalReceived({ key: "click-1" });
    const taken: Entry = { type: "signal-taken", op: 0, received: 1, at: START_AT };
    const unchanged = { kind: "unchanged" };
    expect(send(stateAfter(received), { key: "click-1" })).toEqual(unchanged);
    expect(send(stateAfter(received, signalAwaited(0), taken), { key: "click-1" })).toEqual(unchanged);
    expect(send(stateAfter(received, completed()), { key: "click-1" })).toEqual(unchanged);
    expect(send(stateAfter(received), { key: "click-2" })).toMatchObject({ kind: "entries" });
    expect(send(stateAfter(received))).toMatchObject({ kind: "entries" });
  });

  it.each([completed(), failed(), cancelled()])("case 127: is refused where the execution is $type", (end) => {
    expect(send(stateAfter(end), { key: "click-1" })).toEqual({
      kind: "refused",
      code: "EXECUTION_ENDED",
      message: `Cannot change the execution as it has ended: current value is ${end.type}`,
    });
  });
});

describe("the bound of unread signals", () => {
  const unread = (count: number, bytes: number) =>
    foldOf(started(), ...Array.from({ length: count }, () => signalReceived({ bytes })));

  it("case 138: refuses one signal more than may be unread, without encoding it", () => {
    expect(send(unread(LIMITS.bufferedSignals - 1, 6))).toMatchObject({ kind: "entries" });
    const value = () => {
      throw new Error("This value is not kept.");
    };
    expect(send(unread(LIMITS.bufferedSignals, 6), { value })).toEqual({
      kind: "refused",
      code: "SIGNAL_LIMIT",
      message:
        "Cannot take another signal as at most 10000 with 33554432 bytes may be unread: " +
        "current value is 10000 with 60000 bytes",
    });
  });

  it("counts their bytes, those of the one that comes included", () => {
    const state = unread(4, LIMITS.bufferedSignalBytes / 4 - 1);
    expect(send(state, { bytes: 4 })).toMatchObject({ kind: "entries" });
    expect(send(state, { bytes: 5 })).toMatchObject({ kind: "refused", code: "SIGNAL_LIMIT" });
  });
});
