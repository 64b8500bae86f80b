import type { Asked, Entry, OperationKind } from "../journal/entry.ts";
import type { RollbackFunction, StepFunction } from "./attempts.ts";
import type { ReadValue } from "./settle-operation.ts";

/** What the workflow's code asks of the engine. */
export interface Request {
  readonly kind: OperationKind;
  /** Without its occurrence. */
  readonly name: string;
  /** The first entry of a new operation. Throws where the request is refused: it then takes no number. */
  entry(asked: Asked, at: number): Entry;
  /** Of a step. */
  readonly fn?: StepFunction;
  readonly rollback?: RollbackFunction;
  /** Makes of the journaled value what the code sees, live and on replay. Default: the value itself. */
  readonly read?: ReadValue;
}
