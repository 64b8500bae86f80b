import type { Failure } from "../steps/failure.ts";
import type { Asked } from "./entry.ts";
import { JournalFault } from "./journal-fault.ts";
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
  state.open.delete(op);
}

/** The end or a cancellation reached it. */
export function closeAsked(state: State, { op, kind, name }: Asked, phase: Closed): void {
  const operation = state.open.get(op);
  if (operation?.kind !== kind || operation.name !== name) {
    throw new JournalFault(`entry ${state.entries} closes ${kind} ${name} as operation ${op}`);
  }
  operation.phase = phase;
  state.open.delete(op);
}
