import {
  JOURNAL_FORMAT,
  type Asked,
  type AttemptRetried,
  type AttemptStarted,
  type Ended,
  type Entry,
  type FirstAttemptStarted,
  type Queued,
  type SignalReceived,
  type SignalTaken,
  type StepSpent,
} from "./entry.ts";
import { JournalFault } from "./journal-fault.ts";
import { ROLLBACK_FOLD, withdrawRollback } from "./rollback-fold.ts";
import { pausedUntil, type Operation, type Settlement, type State, type StepOperation } from "./state.ts";

type Fold = {
  readonly [Type in Entry["type"]]: (state: State, entry: Extract<Entry, { readonly type: Type }>) => void;
};

/** Takes one entry into the state. An entry of an unknown type makes the state unreadable and changes nothing else. */
export function fold(state: State, entry: Entry): void {
  // What comes after something unknown may speak of what it brought about. Only an end can be told by itself.
  const isTold = state.unreadable === undefined || isEnd(entry);
  // The cast: which function fits which entry is what the table's type has already checked.
  const apply = FOLD[entry.type] as ((state: State, entry: Entry) => void) | undefined;
  if (apply === undefined) state.unreadable ??= entry.type;
  else if (isTold) apply(state, entry);
  state.entries += 1;
}

const FOLD: Fold = {
  started(state, entry) {
    state.started = entry;
    state.startAt = entry.startAt;
    state.attributes = entry.attributes ?? {};
    if (entry.format > JOURNAL_FORMAT) state.unreadable = `format ${entry.format}`;
  },
  queued(state, entry) {
    askStep(state, entry, "queued");
  },
  "attempt-started"(state, entry) {
    startAttempt(state, entry);
  },
  "attempt-failed"(state, entry) {
    failAttempt(state, entry);
  },
  "step-completed"(state, entry) {
    const step = closeStep(state, entry.op, "completed");
    if (step.hasRollback) step.undo = { entry: state.entries, value: entry.value };
    settle(state, { kind: "value", op: entry.op, at: entry.at, value: entry.value });
  },
  "timer-set"(state, entry) {
    ask(state, { kind: "sleep", op: entry.op, name: entry.name, dueAt: entry.dueAt, phase: "open" });
  },
  "timer-fired"(state, entry) {
    closeWait(state, entry.op);
    settle(state, { kind: "elapsed", op: entry.op, at: entry.at });
  },
  "signal-received"(state, entry) {
    receiveSignal(state, entry);
  },
  "signal-awaited"(state, entry) {
    const { op, name, signal, dueAt } = entry;
    ask(state, { kind: "signal", op, name, signal, dueAt, phase: "open", taken: undefined });
  },
  "signal-taken"(state, entry) {
    takeSignal(state, entry);
  },
  "signal-returned"(state, entry) {
    returnSignal(state, entry.op);
  },
  "signal-timed-out"(state, entry) {
    closeWait(state, entry.op);
    settle(state, { kind: "no-signal", op: entry.op, at: entry.at });
  },
  "cancel-requested"(state, entry) {
    state.cancelRequestedAt ??= entry.at;
    state.cancelReason ??= entry.reason;
    state.cancelBy ??= entry.by ?? "request";
  },
  "cancel-delivered"(state, entry) {
    state.cancelDelivered = true;
    close(state, entry.ops, "cancelled");
    for (const { op } of entry.ops) settle(state, { kind: "cancelled", op, at: entry.at, reason: state.cancelReason });
  },
  "run-failed"(state, entry) {
    state.runFailures = entry.attempt;
    state.runRetryAt = entry.retryAt;
  },
  "run-started"(state) {
    state.startAt = undefined;
    state.runRetryAt = undefined;
  },
  paused(state, entry) {
    state.pause = entry;
  },
  resumed(state, entry) {
    state.pausedMs = pausedUntil(state, entry.at);
    state.pause = undefined;
    state.runFailures = 0;
    state.runRetryAt = undefined;
    state.losses = 0;
  },
  "attempts-withdrawn"(state, entry) {
    for (const op of entry.ops) {
      // Steps first, rollbacks once it is ending: never both.
      if (state.ending !== undefined) withdrawRollback(state, op);
      else withdrawStep(stepAt(state, op));
    }
  },
  "object-lost"(state, entry) {
    state.losses += 1;
    for (const op of entry.ops) {
      const step = stepAt(state, op);
      step.phase = "interrupted";
      step.uncharged += 1;
      step.died = true;
    }
  },
  recovered(state) {
    state.losses = 0;
  },
  progress(state, entry) {
    state.progress = entry.value;
    state.progressEntries += 1;
  },
  attributes(state, entry) {
    state.attributes = { ...state.attributes, ...entry.values };
    state.attributeEntries += 1;
  },
  patched(state, entry) {
    state.patches.add(entry.id);
  },
  abandoned(state, entry) {
    close(state, entry.ops, "abandoned");
  },
  ...ROLLBACK_FOLD,
  completed: end,
  failed: end,
  cancelled: end,
};

function isEnd(entry: Entry): boolean {
  return entry.type === "completed" || entry.type === "failed" || entry.type === "cancelled";
}

function end(state: State, entry: Ended): void {
  state.end = entry;
  state.pause = undefined;
  state.startAt = undefined;
  state.runRetryAt = undefined;
}

function ask(state: State, operation: Operation): void {
  state.operations[operation.op] = operation;
  state.open.set(operation.op, operation);
}

function askStep(state: State, entry: Queued | FirstAttemptStarted, phase: "queued" | "running"): void {
  const { started } = state;
  if (started === undefined) throw new JournalFault(`entry ${state.entries} comes before the start`);
  ask(state, {
    kind: "step",
    op: entry.op,
    name: entry.name,
    policy: entry.policy ?? started.policy,
    timeoutMs: entry.timeoutMs ?? started.timeoutMs,
    phase,
    attempts: 0,
    uncharged: 0,
    firstStartedAt: 0,
    pausedBeforeMs: 0,
    retryAt: 0,
    because: "backoff",
    lastFailure: undefined,
    spent: undefined,
    died: false,
    hasRollback: entry.rollback === true,
    undo: undefined,
  });
}

function startAttempt(state: State, entry: FirstAttemptStarted | AttemptStarted): void {
  if (entry.kind === "step") askStep(state, entry, "running");
  const step = stepAt(state, entry.op);
  if (step.attempts === 0) {
    step.firstStartedAt = entry.at;
    step.pausedBeforeMs = pausedUntil(state, entry.at);
  }
  step.attempts = entry.attempt;
  step.phase = "running";
}

function withdrawStep(step: StepOperation): void {
  step.phase = "queued";
  step.attempts -= 1;
}

function failAttempt(state: State, entry: AttemptRetried | StepSpent): void {
  const step = stepAt(state, entry.op);
  step.lastFailure = entry.failure;
  step.died = entry.failure.name === "StepInterrupted";
  if (entry.spent === undefined) {
    step.phase = "waiting";
    step.retryAt = entry.retryAt;
    step.because = entry.because;
    return;
  }
  step.spent = entry.spent;
  closeStep(state, entry.op, entry.spent === "terminal" ? "failed" : "exhausted");
  settle(state, { kind: "error", op: entry.op, at: entry.at, error: entry.error });
}

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

function settle(state: State, settlement: Settlement): void {
  state.settlements.push(settlement);
}

function stepAt(state: State, op: number): StepOperation {
  const operation = state.operations[op];
  if (operation?.kind !== "step") throw new JournalFault(`entry ${state.entries} speaks of step ${op}`);
  return operation;
}

function closeStep(state: State, op: number, phase: "completed" | "exhausted" | "failed"): StepOperation {
  const step = stepAt(state, op);
  step.phase = phase;
  state.open.delete(op);
  return step;
}

function closeWait(state: State, op: number): void {
  const operation = state.operations[op];
  if (operation === undefined || operation.kind === "step") {
    throw new JournalFault(`entry ${state.entries} settles wait ${op}`);
  }
  operation.phase = "settled";
  state.open.delete(op);
}

function close(state: State, asked: readonly Asked[], phase: "cancelled" | "abandoned"): void {
  for (const { op } of asked) {
    const operation = state.operations[op];
    if (operation !== undefined) operation.phase = phase;
    state.open.delete(op);
  }
}
