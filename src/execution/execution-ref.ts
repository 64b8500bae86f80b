import { checkExecutionId, checkWorkflowName } from "../steps/names.ts";
import type { AnyWorkflow } from "./workflow.ts";

/** An execution by its name: plain data, which may be sent, journaled and kept. */
export interface ExecutionRef<W extends AnyWorkflow = AnyWorkflow> {
  readonly workflow: string;
  readonly id: string;
  /** Carries the type, never a value. */
  readonly "~types"?: W;
}

/** The name in place of a workflow that is only imported as a type. */
export type NameOf<W> = W extends AnyWorkflow ? string : never;

/**
 * A reference to an execution whose id is known; that it exists nothing says.
 *
 * @param workflow the workflow, its spec, or its name with the type as a type argument
 * @throws {TypeError} for what is no workflow or id
 * @throws {RangeError} for a name or id of another form
 * @example
 * ```ts
 * executionRef(order, "order-42");
 * executionRef<typeof order>("order", "order-42");
 * ```
 */
export function executionRef<W extends AnyWorkflow>(workflow: W | NameOf<W>, id: string): ExecutionRef<W> {
  const name: unknown = typeof workflow === "object" ? workflow?.name : workflow;
  return Object.freeze({ workflow: checkWorkflowName(name), id: checkExecutionId(id) });
}
