import type {
  AttemptRetried,
  AttemptStarted,
  Cancelled,
  Completed,
  Encoded,
  Entry,
  Failed,
  FirstAttemptStarted,
  Paused,
  Queued,
  SignalAwaited,
  SignalReceived,
  Started,
  StepCompleted,
  StepSpent,
  TimerSet,
} from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { emptyState, type Operation, type State, type StepOperation } from "../../src/journal/state.ts";
import { DEFAULT_RETRY_POLICY } from "../../src/steps/retry-policy.ts";

/** When the executions of these tests start: every entry has this time unless it is given another. */
export const START_AT = Date.UTC(2026, 5, 15, 12);

export const RETENTION_MS = 86_400_000;

/** Stands for the value codec: the value itself, in an array. */
export const encode = (value: unknown): Encoded => [value];

export function decode(encoded: Encoded): unknown {
  if (!Array.isArray(encoded)) throw new Error("This is no value of these tests.");
  return encoded[0];
}

type Given<Of> = Partial<Omit<Of, "type">>;

export function started(given: Given<Started> = {}): Started {
  return {
    type: "started",
    format: 1,
    workflow: "order",
    id: "order-1",
    seed: "seed",
    input: ["lamp"],
    inputHash: "hash",
    policy: DEFAULT_RETRY_POLICY,
    timeoutMs: 60_000,
    retentionMs: RETENTION_MS,
    at: START_AT,
    ...given,
  };
}

/** A step's first entry, which is also its first attempt. */
export function stepStarted(op: number, given: Given<FirstAttemptStarted> = {}): FirstAttemptStarted {
  return { type: "attempt-started", op, kind: "step", name: `step-${op}`, attempt: 1, at: START_AT, ...given };
}

export function stepQueued(op: number, given: Given<Queued> = {}): Queued {
  return { type: "queued", op, kind: "step", name: `step-${op}`, at: START_AT, ...given };
}

export function attemptStarted(op: number, attempt: number, at = START_AT): AttemptStarted {
  return { type: "attempt-started", op, attempt, at };
}

/** The failure of an attempt that is followed by another, a second later unless another time is given. */
export function attemptRetried(op: number, given: Given<AttemptRetried> = {}): AttemptRetried {
  const failure = { name: "Error", message: "the service is down" };
  const retry = { retryAt: START_AT + 1_000, because: "backoff" } as const;
  return { type: "attempt-failed", op, attempt: 1, failure, ...retry, at: START_AT, ...given };
}

export function stepSpent(op: number, given: Given<StepSpent> = {}): StepSpent {
  const failure = { name: "Error", message: "the service is down" };
  const end = { spent: "attempts", error: ["exhausted"] } as const;
  return { type: "attempt-failed", op, attempt: 1, failure, ...end, at: START_AT, ...given };
}

export function stepCompleted(op: number, given: Given<StepCompleted> = {}): StepCompleted {
  return { type: "step-completed", op, value: [`value-${op}`], at: START_AT, ...given };
}

export function sleepSet(op: number, dueAt: number, given: Given<TimerSet> = {}): TimerSet {
  return { type: "timer-set", op, kind: "sleep", name: `sleep-${op}`, dueAt, at: START_AT, ...given };
}

/** A wait for the signal `approval` without a timeout, unless others are given. */
export function signalAwaited(op: number, given: Given<SignalAwaited> = {}): SignalAwaited {
  const signal = given.signal ?? "approval";
  return { type: "signal-awaited", op, kind: "signal", name: `${signal}-${op}`, signal, at: START_AT, ...given };
}

export function signalReceived(given: Given<SignalReceived> = {}): SignalReceived {
  return { type: "signal-received", name: "approval", value: [true], bytes: 6, at: START_AT, ...given };
}

export function paused(given: Given<Paused> = {}): Paused {
  return { type: "paused", by: "request", code: "PAUSED", message: "By hand.", at: START_AT, ...given };
}

export function resumed(at = START_AT): Entry {
  return { type: "resumed", at };
}

export function completed(given: Given<Completed> = {}): Completed {
  return { type: "completed", value: ["done"], at: START_AT, ...given };
}

export function failed(given: Given<Failed> = {}): Failed {
  const error = { declared: true, code: "OUT_OF_STOCK", message: "No lamp is left.", details: ["lamp"] };
  return { type: "failed", ...error, at: START_AT, ...given };
}

export function cancelled(given: Given<Cancelled> = {}): Cancelled {
  return { type: "cancelled", by: "workflow", at: START_AT, ...given };
}

/** The fold of these entries alone. */
export function foldOf(...entries: readonly Entry[]): State {
  const state = emptyState();
  for (const entry of entries) fold(state, entry);
  return state;
}

/** The fold of these entries after an ordinary start. */
export function stateAfter(...entries: readonly Entry[]): State {
  return foldOf(started(), ...entries);
}

export function operationAt(state: State, op: number): Operation {
  const operation = state.operations[op];
  if (operation === undefined) throw new Error(`There is no operation ${op}.`);
  return operation;
}

export function stepAt(state: State, op: number): StepOperation {
  const operation = operationAt(state, op);
  if (operation.kind !== "step") throw new Error(`Operation ${op} is a ${operation.kind}.`);
  return operation;
}

/**
 * A journal that the engine could have written, told by the choices among what may come next. It ends where the
 * execution does, or with the choices.
 */
export function legalJournal(choices: readonly number[]): readonly Entry[] {
  const journal: Entry[] = [started()];
  const state = foldOf(...journal);
  for (const [index, choice] of choices.entries()) {
    const moves = legalMoves(state, START_AT + index);
    for (const entry of moves[choice % moves.length] ?? []) {
      journal.push(entry);
      fold(state, entry);
    }
  }
  return journal;
}

/** Each move is the entries that are written together. */
function legalMoves(state: State, at: number): (readonly Entry[])[] {
  if (state.end !== undefined) return [];
  const moves: (readonly Entry[])[] = [[signalReceived({ at })], [signalReceived({ name: "stop", bytes: 9, at })]];
  for (const operation of state.open.values()) moves.push(...movesOf(state, operation, at));
  if (state.pause !== undefined) return [...moves, [resumed(at)]];
  const op = state.operations.length;
  const open = [...state.open.values()].map(({ op: number, kind, name }) => ({ op: number, kind, name }));
  const ending: readonly Entry[] = open.length === 0 ? [] : [{ type: "abandoned", ops: open, at }];
  moves.push([stepStarted(op, { at })], [stepQueued(op, { at })], [sleepSet(op, at + 9, { at })]);
  moves.push([signalAwaited(op, { at })], [signalAwaited(op, { signal: "stop", dueAt: at + 9, at })]);
  moves.push([paused({ at })], [{ type: "progress", value: [op], at }]);
  // Not sooner, as most journals would be short.
  if (op >= 3) moves.push([...ending, completed({ at })]);
  if (state.cancelRequestedAt === undefined) moves.push([{ type: "cancel-requested", at }]);
  else if (!state.cancelDelivered) moves.push([{ type: "cancel-delivered", ops: open, at }]);
  return moves;
}

function movesOf(state: State, operation: Operation, at: number): (readonly Entry[])[] {
  const { op } = operation;
  switch (operation.kind) {
    case "sleep":
      return state.pause === undefined ? [[{ type: "timer-fired", op, at }]] : [];
    case "signal": {
      const [first] = state.unread.get(operation.signal) ?? [];
      if (state.pause !== undefined) return [];
      if (first === undefined) return operation.dueAt === undefined ? [] : [[{ type: "signal-timed-out", op, at }]];
      const taken: Entry = { type: "signal-taken", op, received: first.entry, at };
      return [[taken], [taken, { type: "signal-returned", op, received: first.entry, at }]];
    }
    case "step": {
      const attempt = operation.attempts;
      if (operation.phase !== "running")
        return state.pause === undefined ? [[attemptStarted(op, attempt + 1, at)]] : [];
      return [
        [stepCompleted(op, { at })],
        [attemptRetried(op, { attempt, at })],
        [stepSpent(op, { attempt, at })],
        [stepSpent(op, { attempt, spent: "terminal", at })],
        [{ type: "object-lost", ops: [op], at }],
        ...(state.pause === undefined ? [] : [[{ type: "attempts-withdrawn", ops: [op], at } as const]]),
      ];
    }
  }
}
