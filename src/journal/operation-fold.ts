import { nameText } from "./execution-name.ts";
import { JournalFault } from "./journal-fault.ts";
import { deliveryKey } from "./outbox.ts";
import type { ExecutionOperation } from "./execution-operations.ts";
import type { LastingOperation, Settlement, State, StepOperation } from "./state.ts";

/** The workflow's code has asked for it. */
export function ask(state: State, operation: LastingOperation): void {
  state.operations[operation.op] = operation;
  state.open.set(operation.op, operation);
}

export function settle(state: State, settlement: Settlement): void {
  state.settlements.push(settlement);
}

export function stepAt(state: State, op: number): StepOperation {
  const operation = state.operations[op];
  if (operation?.kind !== "step") throw new JournalFault(`entry ${state.entries} speaks of step ${op}`);
  return operation;
}

/** A wait got its outcome. */
export function closeWait(state: State, op: number): void {
  const operation = state.operations[op];
  if (operation === undefined || operation.kind === "step" || operation.kind === "callback") {
    throw new JournalFault(`entry ${state.entries} settles wait ${op}`);
  }
  operation.phase = "settled";
  leaveOpen(state, operation);
}

/** An operation is open no longer. */
export function leaveOpen(state: State, operation: LastingOperation): void {
  state.open.delete(operation.op);
  if (operation.kind === "execution") stopWaiting(state, operation);
}

/** Nobody asks for the end of the other execution any more; what was heard of it is kept for waits alone. */
function stopWaiting({ outbox, waits, ends }: State, wait: ExecutionOperation): void {
  outbox.delete(deliveryKey({ what: "watch", op: wait.op, to: wait }));
  const name = nameText(wait);
  const others = waits.get(name);
  others?.delete(wait.op);
  if (others !== undefined && others.size > 0) return;
  waits.delete(name);
  ends.delete(name);
}
