import type { Failure } from "../steps/failure.ts";
import type { Asked } from "./entry.ts";
import { nameText } from "./execution-name.ts";
import { JournalFault } from "./journal-fault.ts";
import { deliveryKey } from "./outbox.ts";
import type { ExecutionOperation } from "./execution-operations.ts";
import type { Closed, LastingOperation, Settlement, State, StepOperation } from "./state.ts";

/** Positions have no holes, and none is taken twice. */
export function checkPosition(state: State, op: number): void {
  if (op !== state.operations.length) throw new JournalFault(`entry ${state.entries} asks for operation ${op}`);
}

/** The workflow's code has asked for it. */
export function ask(state: State, operation: LastingOperation): void {
  checkPosition(state, operation.op);
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

/** A step that has no outcome yet. */
export function openStep(state: State, op: number): StepOperation {
  const step = stepAt(state, op);
  if (!state.open.has(op)) throw new JournalFault(`entry ${state.entries} speaks of step ${op}, which is closed`);
  return step;
}

/** The attempt that failed so died with its object. */
export function diedIn({ name }: Failure): boolean {
  return name === "StepInterrupted";
}

/** A wait got its outcome. */
export function closeWait(state: State, op: number): void {
  const operation = state.open.get(op);
  if (operation === undefined || operation.kind === "step") {
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

/** The end or a cancellation reached it. */
export function closeAsked(state: State, { op, kind, name }: Asked, phase: Closed): void {
  const operation = state.open.get(op);
  if (operation?.kind !== kind || operation.name !== name) {
    throw new JournalFault(`entry ${state.entries} closes ${kind} ${name} as operation ${op}`);
  }
  operation.phase = phase;
  leaveOpen(state, operation);
}
