import type {
  CallbackAnswered,
  CallbackAwaited,
  CallbackCreated,
  CallbackTaken,
  CallbackTimedOut,
} from "./callback-entry.ts";
import { JournalFault } from "./journal-fault.ts";
import { ask, checkPosition, closeWait, settle } from "./operation-fold.ts";
import type { CallbackOperation, CallbackResultOperation } from "./callback-operations.ts";
import type { State } from "./state.ts";

/** The part of the fold that is about callbacks. */
export const CALLBACK_FOLD = {
  "callback-created"(state: State, entry: CallbackCreated): void {
    const { op, name, callback, dueAt, schema, at } = entry;
    checkPosition(state, op);
    const created: CallbackOperation = {
      kind: "callback",
      op,
      name,
      callback,
      dueAt,
      hasSchema: schema === true,
      phase: "settled",
      answer: undefined,
      isExpired: false,
    };
    state.operations[op] = created;
    state.callbacks.set(callback, created);
    settle(state, { kind: "value", op, at, value: [callback] });
  },
  "callback-answered"(state: State, entry: CallbackAnswered): void {
    const { value, key, at } = entry;
    const created = callbackAt(state, entry.callback);
    if (created.answer !== undefined) throw new JournalFault(`entry ${state.entries} answers ${entry.callback} again`);
    created.answer = { value, key, at };
  },
  "callback-awaited"(state: State, entry: CallbackAwaited): void {
    const { op, name, callback } = entry;
    const { dueAt } = callbackAt(state, callback);
    ask(state, { kind: "callback-result", op, name, callback, dueAt, phase: "open" });
  },
  "callback-taken"(state: State, { op, at }: CallbackTaken): void {
    const { callback } = waitAt(state, op);
    const { answer } = callbackAt(state, callback);
    if (answer === undefined) throw new JournalFault(`entry ${state.entries} takes an answer that ${callback} has not`);
    closeWait(state, op);
    settle(state, { kind: "received", op, at, value: answer.value });
  },
  "callback-timed-out"(state: State, { op, at }: CallbackTimedOut): void {
    callbackAt(state, waitAt(state, op).callback).isExpired = true;
    closeWait(state, op);
    settle(state, { kind: "not-received", op, at });
  },
};

function callbackAt(state: State, callback: string): CallbackOperation {
  const created = state.callbacks.get(callback);
  if (created === undefined) throw new JournalFault(`entry ${state.entries} speaks of callback ${callback}`);
  return created;
}

function waitAt(state: State, op: number): CallbackResultOperation {
  const wait = state.operations[op];
  if (wait?.kind !== "callback-result")
    throw new JournalFault(`entry ${state.entries} speaks of callback result ${op}`);
  return wait;
}
