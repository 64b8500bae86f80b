import { JournalFault } from "./journal-fault.ts";
import { ask, closeWait, settle } from "./operation-fold.ts";
import type { State } from "./state.ts";
import type {
  SignalAwaited,
  SignalReceived,
  SignalReturned,
  SignalTaken,
  SignalTimedOut,
  TimerFired,
  TimerSet,
} from "./wait-entry.ts";

/** The part of the fold that is about sleeps and signals. */
export const WAIT_FOLD = {
  "timer-set"(state: State, entry: TimerSet): void {
    ask(state, { kind: "sleep", op: entry.op, name: entry.name, dueAt: entry.dueAt, phase: "open" });
  },
  "timer-fired"(state: State, entry: TimerFired): void {
    closeWait(state, entry.op);
    settle(state, { kind: "elapsed", op: entry.op, at: entry.at });
  },
  "signal-received"(state: State, entry: SignalReceived): void {
    receiveSignal(state, entry);
  },
  "signal-awaited"(state: State, entry: SignalAwaited): void {
    const { op, name, signal, dueAt } = entry;
    ask(state, { kind: "signal", op, name, signal, dueAt, phase: "open", taken: undefined });
  },
  "signal-taken"(state: State, entry: SignalTaken): void {
    takeSignal(state, entry);
  },
  "signal-returned"(state: State, entry: SignalReturned): void {
    returnSignal(state, entry.op);
  },
  "signal-timed-out"(state: State, entry: SignalTimedOut): void {
    closeWait(state, entry.op);
    settle(state, { kind: "not-received", op: entry.op, at: entry.at });
  },
};

function receiveSignal(state: State, entry: SignalReceived): void {
  const { name, value, bytes, at, key } = entry;
  const unread = state.unread.get(name);
  const signal = { entry: state.entries, value, bytes, at };
  if (unread === undefined) state.unread.set(name, [signal]);
  else unread.push(signal);
  state.unreadSignals += 1;
  state.unreadBytes += bytes;
  if (key !== undefined) state.signalKeys.add(key);
}

function takeSignal(state: State, entry: SignalTaken): void {
  const wait = state.operations[entry.op];
  if (wait?.kind !== "signal")
    throw new JournalFault(`entry ${state.entries} takes a signal for operation ${entry.op}`);
  const unread = state.unread.get(wait.signal) ?? [];
  const index = unread.findIndex((signal) => signal.entry === entry.received);
  const [signal] = index === -1 ? [] : unread.splice(index, 1);
  if (signal === undefined)
    throw new JournalFault(`entry ${state.entries} takes the signal of entry ${entry.received}`);
  if (unread.length === 0) state.unread.delete(wait.signal);
  state.unreadSignals -= 1;
  state.unreadBytes -= signal.bytes;
  closeWait(state, entry.op);
  wait.taken = signal;
  settle(state, { kind: "signal", op: entry.op, at: entry.at, value: signal.value });
}

function returnSignal(state: State, op: number): void {
  const wait = state.operations[op];
  if (wait?.kind !== "signal" || wait.taken === undefined) {
    throw new JournalFault(`entry ${state.entries} returns a signal that operation ${op} did not take`);
  }
  const { taken: signal } = wait;
  wait.taken = undefined;
  const unread = state.unread.get(wait.signal) ?? [];
  const place = unread.findIndex((other) => other.entry > signal.entry);
  unread.splice(place === -1 ? unread.length : place, 0, signal);
  state.unread.set(wait.signal, unread);
  state.unreadSignals += 1;
  state.unreadBytes += signal.bytes;
}
