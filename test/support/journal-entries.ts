import type { ChildAwaited, ChildEnded, ChildRequested, ChildStarted } from "../../src/journal/child-entry.ts";
import type { DeliveryFailed, MessageRequested } from "../../src/journal/message-entry.ts";
import type { Cancelled, Completed, Encoded, Entry, Failed, Paused, Started } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import type { ForkedFrom } from "../../src/journal/fork-entry.ts";
import type { Ending, RollbackRetried, RollbackSpent } from "../../src/journal/rollback-entry.ts";
import { emptyState, type Operation, type Rollback, type State, type StepOperation } from "../../src/journal/state.ts";
import type {
  AttemptRetried,
  AttemptStarted,
  FirstAttemptStarted,
  Queued,
  StepCompleted,
  StepSpent,
} from "../../src/journal/step-entry.ts";
import type { CallbackAnswered, CallbackAwaited, CallbackCreated } from "../../src/journal/callback-entry.ts";
import type { SignalAwaited, SignalReceived, TimerSet } from "../../src/journal/wait-entry.ts";
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

/** The start of the child `child-OP`, of the workflow `part`. */
export function childRequested(op: number, given: Given<ChildRequested> = {}): ChildRequested {
  const child = { workflow: "part", id: `child-${op}`, input: ["lamp"], onParentEnd: "cancel" } as const;
  return { type: "child-requested", op, kind: "child", name: `part-${op}`, ...child, at: START_AT, ...given };
}

export function childStarted(op: number, given: Given<ChildStarted> = {}): ChildStarted {
  return { type: "child-started", op, at: START_AT, ...given };
}

/** A wait for the child `other` of the workflow `part`, without a timeout. */
export function childAwaited(op: number, given: Given<ChildAwaited> = {}): ChildAwaited {
  const id = given.id ?? "other";
  const asked = { op, kind: "execution", name: `part/${id}-${op}`, workflow: "part", id } as const;
  return { type: "child-awaited", ...asked, at: START_AT, ...given };
}

export function childEnded(id = "other", given: Given<ChildEnded> = {}): ChildEnded {
  return { type: "child-ended", workflow: "part", id, outcome: { kind: "cancelled" }, at: START_AT, ...given };
}

/** A signal to the execution `other` of the workflow `part`. */
export function messageRequested(op: number, given: Given<MessageRequested> = {}): MessageRequested {
  const to = { workflow: "part", id: "other", message: { kind: "signal", signal: "go", value: [1] } } as const;
  return { type: "message-requested", op, kind: "message", name: `signal go-${op}`, ...to, at: START_AT, ...given };
}

/** The first failed delivery of a start, tried again after a second. */
export function deliveryFailed(op: number, given: Given<DeliveryFailed> = {}): DeliveryFailed {
  const failure = { name: "Error", message: "Network connection lost." };
  const start = { what: "start", op, workflow: "part", id: `child-${op}`, attempt: 1, failure } as const;
  return { type: "delivery-failed", ...start, retryAt: START_AT + 1_000, at: START_AT, ...given };
}

/** A callback without a timeout and a schema, unless they are given; its id is `c-` and its number. */
export function callbackCreated(op: number, given: Given<CallbackCreated> = {}): CallbackCreated {
  return {
    type: "callback-created",
    op,
    kind: "callback",
    name: `link-${op}`,
    callback: `c-${op}`,
    at: START_AT,
    ...given,
  };
}

export function callbackAnswered(op: number, given: Given<CallbackAnswered> = {}): CallbackAnswered {
  return { type: "callback-answered", callback: `c-${op}`, value: [true], at: START_AT, ...given };
}

/** A wait for the answer to the callback that has the number `created`. */
export function callbackAwaited(op: number, created: number, given: Given<CallbackAwaited> = {}): CallbackAwaited {
  const kind = "callback-result";
  return {
    type: "callback-awaited",
    op,
    kind,
    name: `link-${created}-${op}`,
    callback: `c-${created}`,
    at: START_AT,
    ...given,
  };
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

/** A step that has completed and has a rollback. */
export function undoable(op: number, given: Given<FirstAttemptStarted> = {}): readonly Entry[] {
  return [stepStarted(op, { rollback: true, ...given }), stepCompleted(op)];
}

/** The end that is to come, `failed` unless another is given. */
export function ending(given: Given<Ending> = {}): Ending {
  return { type: "ending", outcome: failed(), at: START_AT, ...given };
}

export function rollbackStarted(op: number, attempt = 1, at = START_AT): Entry {
  return { type: "rollback-started", op, attempt, at };
}

export function rollbackCompleted(op: number, at = START_AT): Entry {
  return { type: "rollback-completed", op, at };
}

/** The failure of an attempt that is followed by another, a second later unless another time is given. */
export function rollbackRetried(op: number, given: Given<RollbackRetried> = {}): RollbackRetried {
  const failure = { name: "Error", message: "the service is down" };
  const retry = { retryAt: START_AT + 1_000, because: "backoff" } as const;
  return { type: "rollback-failed", op, attempt: 1, failure, ...retry, at: START_AT, ...given };
}

export function rollbackSpent(op: number, given: Given<RollbackSpent> = {}): RollbackSpent {
  const failure = { name: "Error", message: "the service is down" };
  return { type: "rollback-failed", op, attempt: 1, failure, spent: "attempts", at: START_AT, ...given };
}

export function rollbackNotRun(op: number, at = START_AT): Entry {
  return { type: "rollback-not-run", op, reason: "TERMINATED", at };
}

/** The end of what was copied from another execution. */
export function forkedFrom(given: Given<ForkedFrom> = {}): ForkedFrom {
  return { type: "forked-from", id: "order-0", entry: 1, cutAt: START_AT, at: START_AT, ...given };
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

export function rollbackAt(state: State, op: number): Rollback {
  const rollback = state.rollbacks.get(op);
  if (rollback === undefined) throw new Error(`There is no rollback ${op}.`);
  return rollback;
}
