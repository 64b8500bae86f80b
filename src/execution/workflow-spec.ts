import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkTerms, frozenWorkflow, type Workflow, type WorkflowOptions } from "./workflow.ts";
import type { Schemas, WorkflowTypes } from "./workflow-context.ts";

/** A workflow without its code. */
export interface WorkflowSpec<T extends WorkflowTypes = WorkflowTypes, Returns = unknown> extends Workflow<T> {
  readonly spec: true;
  /** Carries the type of what the code returns, before the output schema; never a value. */
  readonly "~returns"?: Returns;
}

/**
 * Defines a workflow without its code: for recursion, for workflows that name each other, for other files and other
 * Workers. It stands wherever a workflow is named, and `defineWorkflow(spec, run)` gives it its code.
 *
 * @param options as those of `defineWorkflow`; `output` is needed, as no code says what it returns
 * @throws {TypeError} for unknown options, values of a wrong type and a missing `output`
 * @throws {RangeError} for values outside their range
 * @example
 * ```ts
 * const spec = defineWorkflowSpec({ name: "tree", input: z.object({ n: z.int() }), output: z.object({ sum: z.int() }) });
 * const tree = defineWorkflow(spec, async ({ input }) => ({ sum: input.n }));
 * ```
 */
export function defineWorkflowSpec<
  O extends StandardSchemaV1,
  I extends StandardSchemaV1 = StandardSchemaV1<undefined>,
  S extends Schemas = {},
  E extends Schemas = {},
>(
  options: WorkflowOptions<I, O, S, E> & { readonly output: O },
): WorkflowSpec<
  {
    in: StandardSchemaV1.InferInput<I>;
    input: StandardSchemaV1.InferOutput<I>;
    output: StandardSchemaV1.InferOutput<O>;
    signals: S;
    errors: E;
  },
  StandardSchemaV1.InferInput<O>
> {
  const terms = checkTerms(options);
  if (terms.output === undefined) {
    throw new TypeError(
      `Cannot use output as the spec of ${terms.name} must have an output schema: current value is undefined`,
    );
  }
  // The cast: what terms without code become is a spec, and its types are those of the schemas.
  return frozenWorkflow(terms) as unknown as ReturnType<typeof defineWorkflowSpec<O, I, S, E>>;
}
