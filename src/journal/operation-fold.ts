import { JournalFault } from "./journal-fault.ts";
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
  state.open.delete(op);
}
