import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import type { SignalAwaited, SignalReceived, TimerSet } from "../../src/journal/wait-entry.ts";
import { decideSettled, type Listener, type ListenerOf } from "../../src/journal/settle.ts";
import type { State } from "../../src/journal/state.ts";
import {
  attemptRetried,
  foldOf,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stateAfter,
  stepStarted,
} from "../support/journal-entries.ts";

const NOW = START_AT + 60_000;
const CERTAIN: Listener = { interest: "certain", turn: 0 };

/** Everybody listens, but for those named here. */
function listeners(listenersByOperation: Readonly<Record<number, Listener>> = {}): ListenerOf {
  return (op) => listenersByOperation[op] ?? CERTAIN;
}

const settled = (state: State, listenerOf: ListenerOf = listeners()) => decideSettled(state, NOW, listenerOf);

const received = (afterMs: number, name = "approval") => signalReceived({ name, at: START_AT + afterMs });
const wait = (op: number, afterMs?: number) =>
  signalAwaited(op, afterMs === undefined ? {} : { dueAt: START_AT + afterMs });
const sleep = (op: number, afterMs: number) => sleepSet(op, START_AT + afterMs);

describe("what is due", () => {
  it("case 47: settles in the order of the due times, not of the numbers", () => {
    expect(settled(stateAfter(wait(0, 15_000), sleep(1, 10_000), sleep(2, 20_000)))).toEqual([
      { type: "timer-fired", op: 1, at: NOW },
      { type: "signal-timed-out", op: 0, at: NOW },
      { type: "timer-fired", op: 2, at: NOW },
    ]);
  });

  it("settles by the numbers where the times are equal", () => {
    const state = stateAfter(sleep(0, 5_000), wait(1, 5_000), sleep(2, 5_000));
    expect(settled(state).map(({ op }) => op)).toEqual([0, 1, 2]);
  });

  it("case 23: settles at its time, and not a millisecond before", () => {
    const state = stateAfter(sleep(0, 60_000), sleep(1, 60_001), wait(2, 60_000), wait(3, 60_001));
    expect(settled(state).map(({ op }) => op)).toEqual([0, 2]);
  });

  it("is no step, and nothing that has settled", () => {
    const retry = [stepStarted(0), attemptRetried(0, { retryAt: START_AT })];
    const fired: Entry = { type: "timer-fired", op: 1, at: START_AT };
    expect(settled(stateAfter(...retry, sleep(1, 0), fired))).toEqual([]);
  });
});

describe("a signal", () => {
  it("S53 is taken by a wait that was asked for later", () => {
    expect(settled(stateAfter(received(1_000), wait(0)))).toEqual([
      { type: "signal-taken", op: 0, received: 1, at: NOW },
    ]);
  });

  it("is taken in the very millisecond in which it came", () => {
    expect(settled(stateAfter(wait(0), received(60_000)))).toMatchObject([{ type: "signal-taken", op: 0 }]);
  });

  it("case 123: is taken once, the first by the first wait", () => {
    const state = stateAfter(wait(0), wait(1), wait(2), received(1_000), received(1_000));
    expect(settled(state)).toMatchObject([
      { type: "signal-taken", op: 0, received: 4 },
      { type: "signal-taken", op: 1, received: 5 },
    ]);
  });

  it("is taken only by a wait for its own name", () => {
    const state = stateAfter(signalAwaited(0, { signal: "other" }), wait(1), received(1_000));
    expect(settled(state)).toMatchObject([{ type: "signal-taken", op: 1 }]);
    expect(settled(stateAfter(signalAwaited(0, { signal: "other" }), received(1_000)))).toEqual([]);
  });

  it("case 47: is taken by a wait with a timeout only if it came before that", () => {
    expect(settled(stateAfter(wait(0, 5_000), received(4_999)))).toMatchObject([{ type: "signal-taken" }]);
    expect(settled(stateAfter(wait(0, 5_000), received(5_000)))).toMatchObject([{ type: "signal-timed-out" }]);
  });

  it("case 121: that came too late for one wait is left for the next", () => {
    const state = stateAfter(wait(0, 5_000), wait(1), received(5_000));
    expect(settled(state)).toMatchObject([
      { type: "signal-timed-out", op: 0 },
      { type: "signal-taken", op: 1 },
    ]);
  });

  it("is told of after what the clock settles in the same millisecond, and before what is due later", () => {
    const state = stateAfter(wait(0), sleep(1, 5_000), sleep(2, 5_001), received(5_000));
    expect(settled(state).map(({ op }) => op)).toEqual([1, 0, 2]);
  });
});

describe("case 26: what is late for a deadline that has passed, and that the code has not been told of", () => {
  const deadlineAt = START_AT + 10_000;
  const overdue: Entry = { type: "cancel-requested", by: "deadline", at: START_AT + 50_000 };
  const delivered: Entry = { type: "cancel-delivered", ops: [], at: START_AT + 50_000 };
  const late = (...entries: readonly Entry[]) => settled(foldOf(started({ deadlineAt }), ...entries));

  it("is what fell due after it, however late the alarm rings", () => {
    expect(late(sleep(0, 10_000), sleep(1, 10_001), wait(2, 10_000), wait(3, 10_001), overdue)).toMatchObject([
      { type: "timer-fired", op: 0 },
      { type: "signal-timed-out", op: 2 },
    ]);
  });

  it("is a signal that came with it or later", () => {
    expect(late(wait(0), received(9_999), overdue)).toMatchObject([{ type: "signal-taken", op: 0 }]);
    expect(late(wait(0), received(10_000), overdue)).toEqual([]);
  });

  it("is nothing any more when the code has been told", () => {
    expect(late(overdue, delivered, sleep(0, 10_001), wait(1), received(10_000))).toMatchObject([
      { type: "signal-taken", op: 1 },
      { type: "timer-fired", op: 0 },
    ]);
  });
});

describe("who takes a signal", () => {
  it("case 121: is nobody who has lost a race; such a wait still times out", () => {
    const lost = listeners({ 0: { interest: "none", turn: 5 }, 1: { interest: "none", turn: 6 } });
    const state = stateAfter(wait(0), wait(1, 30_000), received(1_000));
    expect(settled(state, lost)).toMatchObject([{ type: "signal-timed-out", op: 1 }]);
    expect(settled(stateAfter(wait(0), wait(1), wait(2), received(1_000)), lost)).toMatchObject([
      { type: "signal-taken", op: 2 },
    ]);
  });

  it("is a wait that somebody listens to for certain, before older ones of which that is only likely", () => {
    const likely = listeners({ 0: { interest: "likely", turn: 9 }, 1: { interest: "likely", turn: 8 } });
    const state = stateAfter(wait(0), wait(1), wait(2), wait(3), received(1_000), received(2_000), received(3_000));
    expect(settled(state, likely)).toMatchObject([
      { op: 2, received: 5 },
      { op: 3, received: 6 },
      { op: 0, received: 7 },
    ]);
  });

  it("is the youngest turn's wait among those that are only likely, and the oldest within the turn", () => {
    const state = stateAfter(wait(0), wait(1), wait(2), received(1_000), received(2_000));
    const likely = listeners({
      0: { interest: "likely", turn: 1 },
      1: { interest: "likely", turn: 4 },
      2: { interest: "likely", turn: 4 },
    });
    expect(settled(state, likely)).toMatchObject([
      { op: 1, received: 4 },
      { op: 2, received: 5 },
    ]);
  });
});

describe("any waits, sleeps and signals", () => {
  const ms = fc.integer({ min: 0, max: 90_000 });
  const name = fc.constantFrom("approval", "stop");
  const interest = fc.constantFrom("none", "likely", "certain");
  const asked = fc.record({
    name,
    dueMs: fc.option(ms),
    kind: fc.constantFrom("sleep", "wait"),
    listener: fc.record({ interest, turn: fc.nat({ max: 5 }) }),
  });
  const signals = fc.array(fc.record({ name, afterMs: fc.integer({ min: 0, max: 60_000 }) }), { maxLength: 10 });

  /** Some operations and signals, of which nothing has settled, and what is decided about them. */
  const scenes = fc.record({ asked: fc.array(asked, { maxLength: 15 }), signals }).map((scene) => {
    const operations: (TimerSet | SignalAwaited)[] = scene.asked.map(({ kind, dueMs, ...of }, op) => {
      if (kind === "sleep") return sleepSet(op, START_AT + (dueMs ?? 0));
      return signalAwaited(op, { signal: of.name, ...(dueMs !== null && { dueAt: START_AT + dueMs }) });
    });
    const arrivals: SignalReceived[] = [...scene.signals]
      .sort((a, b) => a.afterMs - b.afterMs)
      .map((signal) => received(signal.afterMs, signal.name));
    const entries: readonly Entry[] = [...operations, ...arrivals];
    const interestOf = (op: number): Listener => scene.asked[op]?.listener ?? CERTAIN;
    const signalAt = (entry: number) => {
      const signal = arrivals[entry - 1 - operations.length];
      if (signal === undefined) throw new Error(`Entry ${entry} is no signal.`);
      return signal;
    };
    const decided = decideSettled(stateAfter(...entries), NOW, interestOf);
    return { operations, entries, interestOf, signalAt, decided };
  });

  it("settle once each, in the order of their times", () => {
    fc.assert(
      fc.property(scenes, ({ operations, signalAt, decided }) => {
        const times = decided.map((entry) =>
          entry.type === "signal-taken" ? signalAt(entry.received).at : operations[entry.op]?.dueAt,
        );
        expect(times).toEqual([...times].sort((a, b) => Number(a) - Number(b)));
        expect(Math.max(0, ...times.map(Number))).toBeLessThanOrEqual(NOW);
        expect(new Set(decided.map(({ op }) => op)).size).toBe(decided.length);
      }),
    );
  });

  it("leave nothing that is due, and nothing to decide a second time", () => {
    fc.assert(
      fc.property(scenes, ({ entries, interestOf, decided }) => {
        const state = stateAfter(...entries, ...decided);
        const dueTimes = [...state.open.values()].map((open) => ("dueAt" in open ? open.dueAt : undefined));
        expect(dueTimes.filter((dueAt) => dueAt !== undefined && dueAt <= NOW)).toEqual([]);
        expect(decideSettled(state, NOW, interestOf)).toEqual([]);
      }),
    );
  });

  it("give a signal to one wait that asked for its name, in time, and listens; the first signal first", () => {
    fc.assert(
      fc.property(scenes, ({ operations, interestOf, signalAt, decided }) => {
        const lastTaken = new Map<string, number>();
        for (const entry of decided) {
          if (entry.type !== "signal-taken") continue;
          const taker = operations[entry.op];
          const signal = signalAt(entry.received);
          expect(taker).toMatchObject({ kind: "signal", signal: signal.name });
          expect(signal.at).toBeLessThan(taker?.dueAt ?? Number.POSITIVE_INFINITY);
          expect(interestOf(entry.op).interest).not.toBe("none");
          expect(entry.received).toBeGreaterThan(lastTaken.get(signal.name) ?? 0);
          lastTaken.set(signal.name, entry.received);
        }
      }),
    );
  });

  it("let no wait that is only likely have a signal that one for certain could have had", () => {
    fc.assert(
      fc.property(scenes, ({ operations, interestOf, signalAt, decided }) => {
        const taken = decided.filter((entry) => entry.type === "signal-taken");
        const takers = new Set(taken.map(({ op }) => op));
        for (const { op, received: entry } of taken.filter((one) => interestOf(one.op).interest === "likely")) {
          const signal = signalAt(entry);
          const passedOver = operations.filter(
            (other) =>
              other.kind === "signal" &&
              other.signal === signal.name &&
              signal.at < (other.dueAt ?? Number.POSITIVE_INFINITY) &&
              interestOf(other.op).interest === "certain" &&
              !takers.has(other.op),
          );
          expect({ op, passedOver }).toEqual({ op, passedOver: [] });
        }
      }),
    );
  });
});
