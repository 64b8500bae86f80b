import { horizonOf } from "./deadline.ts";
import type { SignalOperation, State, UnreadSignal } from "./state.ts";
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

type Settled = TimerFired | SignalTimedOut | SignalTaken;

interface Event {
  readonly time: number;
  readonly entry: Settled;
}

/**
 * What settles by time or by a signal at `now`, in the order of the due times. A wait that was due at *t* takes only
 * signals received before *t*; at the same time the clock comes first. Signals of one name are taken in the order of
 * their arrival, by the oldest wait that somebody still listens to. Where the execution's deadline has passed, nothing
 * settles that was due or came after it.
 */
export function decideSettled(state: State, now: number, listenerOf: ListenerOf): Settled[] {
  const taken = decideTaken(state, now, listenerOf);
  const due: Event[] = [];
  const horizon = horizonOf(state, now);
  for (const operation of state.open.values()) {
    if (operation.kind === "step" || operation.dueAt === undefined || operation.dueAt > horizon) continue;
    const { op, dueAt } = operation;
    if (operation.kind === "sleep") due.push({ time: dueAt, entry: { type: "timer-fired", op, at: now } });
    else if (!taken.has(op)) due.push({ time: dueAt, entry: { type: "signal-timed-out", op, at: now } });
  }
  // The sort is stable: clock before signals, then by operation number.
  return [...due, ...taken.values()].sort((a, b) => a.time - b.time).map((event) => event.entry);
}

function decideTaken(state: State, now: number, listenerOf: ListenerOf): Map<number, Event> {
  const taken = new Map<number, Event>();
  if (state.unreadSignals === 0) return taken;
  const next = new Map<string, number>();
  const horizon = horizonOf(state, now);
  for (const wait of takers(state, listenerOf)) {
    const index = next.get(wait.signal) ?? 0;
    const signal = state.unread.get(wait.signal)?.[index];
    if (signal === undefined || !inTime(wait, signal) || (horizon < now && signal.at >= horizon)) continue;
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

function inTime(wait: SignalOperation, signal: UnreadSignal): boolean {
  return wait.dueAt === undefined || signal.at < wait.dueAt;
}
