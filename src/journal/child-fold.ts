import type {
  ChildAwaited,
  ChildEnded,
  ChildRefused,
  ChildRequested,
  ChildrenCancelled,
  ChildStarted,
  ChildWaitEnded,
  ChildWaitRefused,
  ChildWaitTimedOut,
  ChildWatched,
} from "./child-entry.ts";
import { nameText } from "./execution-name.ts";
import { JournalFault } from "./journal-fault.ts";
import { ask, closeWait, settle } from "./operation-fold.ts";
import { askAgainAt, deliveryKey, putOut } from "./outbox.ts";
import type { ChildOperation, ExecutionOperation } from "./execution-operations.ts";
import type { State } from "./state.ts";

/** The part of the fold that is about executions that are started and awaited. */
export const CHILD_FOLD = {
  "child-requested"(state: State, entry: ChildRequested): void {
    const { op, name, workflow, id, input, onParentEnd } = entry;
    const child = { kind: "child" as const, op, name, workflow, id, input, onParentEnd };
    ask(state, { ...child, phase: "open", start: "unacknowledged", cancel: "none" });
    putOut(state, { what: "start", op, to: { workflow, id } }, entry.at);
  },
  "child-started"(state: State, entry: ChildStarted): void {
    const child = acknowledge(state, entry.op, entry.adopted === true ? "adopted" : "started");
    const { op, workflow, id } = child;
    // Another one of the same name may have ended before.
    if (entry.ended === true) state.knownEnded.add(nameText(child));
    else state.knownEnded.delete(nameText(child));
    if (entry.adopted === true) child.cancel = "none";
    else if (entry.cancelled === true || entry.ended === true) child.cancel = "done";
    else if (child.cancel === "due") putOut(state, { what: "cancel", op, to: { workflow, id } }, entry.at);
    if (child.phase !== "open") return;
    closeWait(state, op);
    settle(state, { kind: "started", op, at: entry.at, execution: { workflow, id } });
  },
  "child-refused"(state: State, entry: ChildRefused): void {
    const { op, code, message, at } = entry;
    const child = acknowledge(state, op, "refused");
    child.cancel = "none";
    if (child.phase !== "open") return;
    closeWait(state, op);
    settle(state, { kind: "refused", op, at, code, message });
  },
  "child-awaited"(state: State, entry: ChildAwaited): void {
    const { op, name, workflow, id, dueAt, at } = entry;
    ask(state, { kind: "execution", op, name, workflow, id, dueAt, phase: "open" });
    const text = nameText(entry);
    const others = state.waits.get(text);
    if (others === undefined) state.waits.set(text, new Set([op]));
    else others.add(op);
    putOut(state, { what: "watch", op, to: { workflow, id } }, askAgainAt(0, at));
  },
  "child-watched"(state: State, entry: ChildWatched): void {
    const wait = waitAt(state, entry.op);
    const message = state.outbox.get(deliveryKey({ what: "watch", op: wait.op, to: wait }));
    if (message === undefined) throw new JournalFault(`entry ${state.entries} asks for closed wait ${entry.op}`);
    message.asks += 1;
    message.failures = 0;
    message.dueAt = entry.askAt;
  },
  "child-ended"(state: State, entry: ChildEnded): void {
    const name = nameText(entry);
    if (!state.waits.has(name)) throw new JournalFault(`entry ${state.entries} ends ${name}, which nobody awaits`);
    state.ends.set(name, { entry: state.entries, at: entry.at, outcome: entry.outcome });
    state.knownEnded.add(name);
  },
  "child-wait-ended"(state: State, entry: ChildWaitEnded): void {
    const wait = waitAt(state, entry.op);
    const end = state.ends.get(nameText(wait));
    if (end?.entry !== entry.ended)
      throw new JournalFault(`entry ${state.entries} takes the end of entry ${entry.ended}`);
    closeWait(state, entry.op);
    settle(state, { kind: "ended", op: entry.op, at: entry.at, outcome: end.outcome });
  },
  "child-wait-timed-out"(state: State, entry: ChildWaitTimedOut): void {
    closeWait(state, waitAt(state, entry.op).op);
    settle(state, { kind: "timeout", op: entry.op, at: entry.at });
  },
  "child-wait-refused"(state: State, entry: ChildWaitRefused): void {
    const { op, code, message, at } = entry;
    closeWait(state, waitAt(state, op).op);
    settle(state, { kind: "refused", op, at, code, message });
  },
  "children-cancelled"(state: State, entry: ChildrenCancelled): void {
    for (const op of entry.ops) {
      const child = childAt(state, op);
      child.cancel = "done";
      state.outbox.delete(deliveryKey({ what: "cancel", op, to: child }));
    }
  },
};

/** Its children are cancelled with the execution: those that it started itself, unless they are to go on. */
export function cancelChildren(state: State, dueAt: number): void {
  for (const child of state.operations) {
    if (child.kind !== "child" || child.onParentEnd === "continue" || child.cancel !== "none") continue;
    const { start, op, workflow, id } = child;
    if (start === "adopted" || start === "refused" || state.knownEnded.has(nameText(child))) continue;
    child.cancel = "due";
    // One whose start is under way is cancelled with it, or after it.
    if (start === "started") putOut(state, { what: "cancel", op, to: { workflow, id } }, dueAt);
  }
}

function acknowledge(state: State, op: number, start: ChildOperation["start"]): ChildOperation {
  const child = childAt(state, op);
  if (child.start !== "unacknowledged") throw new JournalFault(`entry ${state.entries} starts child ${op} again`);
  child.start = start;
  child.input = undefined;
  state.outbox.delete(deliveryKey({ what: "start", op, to: child }));
  return child;
}

function childAt(state: State, op: number): ChildOperation {
  const operation = state.operations[op];
  if (operation?.kind !== "child") throw new JournalFault(`entry ${state.entries} speaks of child ${op}`);
  return operation;
}

function waitAt(state: State, op: number): ExecutionOperation {
  const operation = state.operations[op];
  if (operation?.kind !== "execution") throw new JournalFault(`entry ${state.entries} speaks of execution ${op}`);
  return operation;
}
