import type { ChildWaitEnded, ChildWaitTimedOut } from "./child-entry.ts";
import { horizonOf } from "./deadline.ts";
import type { CallbackTaken, CallbackTimedOut } from "./callback-entry.ts";
import { dueTime } from "./due-time.ts";
import { nameText } from "./execution-name.ts";
import type { LastingOperation, ReceivedEnd, SignalOperation, State, UnreadSignal } from "./state.ts";
import type { SignalTaken, SignalTimedOut, TimerFired } from "./wait-entry.ts";

/**
 * Whether somebody still waits for the outcome of a signal wait. A wait that lost a race takes nothing; one of which
 * that cannot be ruled out (`likely`) comes after those of which it can, the youngest first.
 */
export interface Listener {
  readonly interest: "none" | "likely" | "certain";
  /** The turn in which the workflow asked. */
  readonly turn: number;
}

export type ListenerOf = (op: number) => Listener;

type Settled =
  | TimerFired
  | SignalTimedOut
  | SignalTaken
  | CallbackTimedOut
  | CallbackTaken
  | ChildWaitTimedOut
  | ChildWaitEnded;

interface Event {
  readonly time: number;
  readonly entry: Settled;
}

/**
 * What settles at `now` by time or by what came from outside, in the order of the due times. A wait that was due at *t*
 * takes only what was received before *t*; at the same time the clock comes first. Signals of one name are taken in the
 * order of their arrival, by the oldest wait that somebody still listens to; the answer to a callback and the end of
 * another execution are for every wait. Where the execution's deadline has passed, nothing settles that was due or came
 * after it.
 */
export function decideSettled(state: State, now: number, listenerOf: ListenerOf): Settled[] {
  const taken = new Map([...decideTaken(state, now, listenerOf), ...answersFor(state, now), ...endsFor(state, now)]);
  const due: Event[] = [];
  const horizon = horizonOf(state, now);
  for (const operation of state.open.values()) {
    const time = operation.kind === "step" ? undefined : dueTime(operation);
    if (time === undefined || time > horizon || taken.has(operation.op)) continue;
    due.push({ time, entry: timeUp(operation, now) });
  }
  // The sort is stable: clock before messages, then by operation number or arrival.
  return [...due, ...taken.values()].sort((a, b) => a.time - b.time).map((event) => event.entry);
}

function timeUp({ kind, op }: LastingOperation, at: number): Settled {
  if (kind === "sleep") return { type: "timer-fired", op, at };
  if (kind === "signal") return { type: "signal-timed-out", op, at };
  return { type: kind === "callback-result" ? "callback-timed-out" : "child-wait-timed-out", op, at };
}

/** Answers are not used up: whoever lost a race with one takes it from nobody. */
function answersFor(state: State, now: number): Map<number, Event> {
  const answers = new Map<number, Event>();
  if (state.callbacks.size === 0) return answers;
  const horizon = horizonOf(state, now);
  for (const wait of state.open.values()) {
    if (wait.kind !== "callback-result") continue;
    const answer = state.callbacks.get(wait.callback)?.answer;
    if (answer === undefined || isTooLate(answer.at, { horizon, now })) continue;
    answers.set(wait.op, { time: answer.at, entry: { type: "callback-taken", op: wait.op, at: now } });
  }
  return answers;
}

/** Ends in the order in which they came, each for the waits for it that it came in time for. */
function endsFor(state: State, now: number): Map<number, Event> {
  if (state.ends.size === 0) return new Map();
  const ended: { readonly op: number; readonly end: ReceivedEnd }[] = [];
  const horizon = horizonOf(state, now);
  for (const operation of state.open.values()) {
    if (operation.kind !== "execution") continue;
    const end = state.ends.get(nameText(operation));
    if (end === undefined || !inTime(operation, end) || isTooLate(end.at, { horizon, now })) continue;
    ended.push({ op: operation.op, end });
  }
  ended.sort((a, b) => a.end.entry - b.end.entry);
  return new Map(
    ended.map(({ op, end }) => {
      return [op, { time: end.at, entry: { type: "child-wait-ended", op, ended: end.entry, at: now } }];
    }),
  );
}

/** It came when the deadline had passed, which the code has not been told yet. */
function isTooLate(receivedAt: number, { horizon, now }: { readonly horizon: number; readonly now: number }): boolean {
  return horizon < now && receivedAt >= horizon;
}

function decideTaken(state: State, now: number, listenerOf: ListenerOf): Map<number, Event> {
  const taken = new Map<number, Event>();
  if (state.unreadSignals === 0) return taken;
  const next = new Map<string, number>();
  const horizon = horizonOf(state, now);
  for (const wait of takers(state, listenerOf)) {
    const index = next.get(wait.signal) ?? 0;
    const signal = state.unread.get(wait.signal)?.[index];
    if (signal === undefined || !inTime(wait, signal) || isTooLate(signal.at, { horizon, now })) continue;
    next.set(wait.signal, index + 1);
    taken.set(wait.op, {
      time: signal.at,
      entry: { type: "signal-taken", op: wait.op, received: signal.entry, at: now },
    });
  }
  return taken;
}

/** The waits that may take a signal, in the order in which they do. */
function takers(state: State, listenerOf: ListenerOf): SignalOperation[] {
  const certain: SignalOperation[] = [];
  const likely: { readonly wait: SignalOperation; readonly turn: number }[] = [];
  for (const wait of state.open.values()) {
    if (wait.kind !== "signal") continue;
    const { interest, turn } = listenerOf(wait.op);
    if (interest === "certain") certain.push(wait);
    else if (interest === "likely") likely.push({ wait, turn });
  }
  likely.sort((a, b) => b.turn - a.turn);
  return [...certain, ...likely.map(({ wait }) => wait)];
}

function inTime({ dueAt }: { readonly dueAt: number | undefined }, { at }: Pick<UnreadSignal, "at">): boolean {
  return dueAt === undefined || at < dueAt;
}
