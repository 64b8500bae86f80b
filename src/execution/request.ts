import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Asked, Entry, OperationKind } from "../journal/entry.ts";
import type { Operation } from "../journal/state.ts";
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
  /** Of a callback: what its answer has to fit. */
  readonly schema?: StandardSchemaV1;
  /** False where the recorded operation is another one although its kind and name are the same. */
  readonly meets?: (recorded: Operation) => boolean;
  /** Makes of the journaled value what the code sees, live and on replay. Default: the value itself. */
  readonly read?: ReadValue;
}

/** Whether what the code asks for is what the journal holds at that position. */
export function isRecorded(recorded: Operation | undefined, asked: Asked, { meets }: Request): boolean {
  if (recorded?.kind !== asked.kind || recorded.name !== asked.name) return false;
  return meets === undefined || meets(recorded);
}
