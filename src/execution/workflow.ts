import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkBudget, type Budget } from "../journal/budget.ts";
import { LIMITS } from "../limits.ts";
import { parseDurationWithin, type Duration } from "../steps/duration.ts";
import { checkSignalName, checkWorkflowName } from "../steps/names.ts";
import { readFields } from "../steps/read-fields.ts";
import { checkRetryPolicy, type RetryPolicy } from "../steps/retry-policy.ts";
import { showValue } from "../steps/show-value.ts";
import { checkDeadline } from "./start-terms.ts";
import { checkStepTimeout } from "../steps/step-options.ts";
import type { DeclaredContext, Schemas, WorkflowTypes } from "./workflow-context.ts";
import type { WorkflowSpec } from "./workflow-spec.ts";

/** A workflow: what `defineWorkflow` gives, to be registered with `stepwell` and named when one is started. */
export interface Workflow<out T extends WorkflowTypes = WorkflowTypes> {
  readonly name: string;
  readonly version?: string;
  /** Carries the types, never a value. */
  readonly "~types"?: T;
}

export type AnyWorkflow = Workflow<WorkflowTypes>;
export type TypesOf<W> = W extends Workflow<infer T> ? T : never;
export type InputOf<W> = TypesOf<W>["in"];
export type OutputOf<W> = TypesOf<W>["output"];
/** The exact context of one workflow. */
export type ContextOf<W extends AnyWorkflow> = DeclaredContext<TypesOf<W>>;

export interface WorkflowOptions<I, O, S, E> {
  /** Kebab-case, 1 to 64 characters. */
  readonly name: string;
  /** Executions keep the version that they started with. */
  readonly version?: string;
  /** Only a workflow spec has it. */
  readonly spec?: undefined;
  /** Standard Schemas: of the input, the return value, the signals by name, the details of declared errors by code. */
  readonly input?: I;
  readonly output?: O;
  readonly signals?: S;
  readonly errors?: E;
  /** Default of its steps; completed from the deployment's. */
  readonly retryPolicy?: RetryPolicy;
  /** Default deadline of one attempt: 1 second to 10 minutes. */
  readonly stepTimeout?: Duration;
  /** How long an execution can be read after its end: 1 hour to 365 days. */
  readonly retention?: Duration;
  /**
   * By when an execution must have ended, from its start (or its `startAt`): up to 365 days. Then it is cancelled, and
   * ends `failed` with `DEADLINE_EXCEEDED` if its code lets that through.
   */
  readonly deadline?: Duration;
  /** What one execution may use. Over it, it is paused with `BUDGET_EXCEEDED`, and a deploy with a higher one resumes it. */
  readonly budget?: Budget;
}

/** What a workflow is besides its code. */
export interface WorkflowTerms {
  readonly name: string;
  readonly version?: string;
  readonly input?: StandardSchemaV1;
  readonly output?: StandardSchemaV1;
  readonly signals: Schemas;
  readonly errors: Schemas;
  readonly retryPolicy?: RetryPolicy | undefined;
  readonly stepTimeoutMs?: number;
  readonly retentionMs?: number;
  readonly deadlineMs?: number;
  readonly budget?: Budget;
}

/** A workflow as the engine sees it. */
export interface WorkflowDefinition extends WorkflowTerms {
  readonly run: (context: DeclaredContext<WorkflowTypes>) => Promise<unknown>;
}

const DEFINITION = Symbol.for("stepwell.workflow");
const SPECIFICATION = Symbol.for("stepwell.workflow-spec");
const KEYS = [
  "name",
  "version",
  "input",
  "output",
  "signals",
  "errors",
  "retryPolicy",
  "stepTimeout",
  "retention",
  "deadline",
  "budget",
] as const satisfies readonly (keyof WorkflowOptions<never, never, never, never>)[];
const RETENTION = { minimumMs: LIMITS.retentionMinimumMs, maximumMs: LIMITS.retentionMs };

/** What stands behind a workflow, `undefined` for anything else. */
export function definitionOf(workflow: unknown): WorkflowDefinition | undefined {
  if (typeof workflow !== "object" || workflow === null) return undefined;
  // The cast: the symbol is only ever set by `defineWorkflow`, perhaps by another copy of this package.
  return (workflow as { readonly [DEFINITION]?: WorkflowDefinition })[DEFINITION];
}

/** What a workflow spec says, `undefined` for anything else. */
export function specificationOf(spec: unknown): WorkflowTerms | undefined {
  if (typeof spec !== "object" || spec === null) return undefined;
  // The cast: as in `definitionOf`.
  return (spec as { readonly [SPECIFICATION]?: WorkflowTerms })[SPECIFICATION];
}

/** Makes a workflow, or a spec of one: an object of its public fields, behind which everything else stands. */
export function frozenWorkflow(terms: WorkflowTerms | WorkflowDefinition): Workflow<never> {
  const { name, version } = terms;
  const isSpec = !("run" in terms);
  const workflow = { name, ...(version !== undefined && { version }), ...(isSpec && { spec: true }) };
  Object.defineProperty(workflow, isSpec ? SPECIFICATION : DEFINITION, { value: terms });
  return Object.freeze(workflow);
}

/**
 * Gives a workflow spec its code.
 *
 * @throws {TypeError} for code that is no function
 */
export function defineWorkflow<T extends WorkflowTypes, Returns>(
  spec: WorkflowSpec<T, Returns>,
  run: (context: DeclaredContext<T>) => Promise<NoInfer<Returns>>,
): Workflow<T>;
/** Types by hand: `defineWorkflow<Input, Output>({ name }, run)`; neither schema may be given. */
export function defineWorkflow<Input = unknown, Output = unknown, S extends Schemas = {}, E extends Schemas = {}>(
  options: WorkflowOptions<undefined, undefined, S, E>,
  run: (
    context: DeclaredContext<{ in: Input; input: Input; output: unknown; signals: S; errors: E }>,
  ) => Promise<Output>,
): Workflow<{ in: Input; input: Input; output: Output; signals: S; errors: E }>;
/**
 * Defines a workflow: its options and the function that is its code. The function must decide alike whenever it is
 * given the same outcomes; what depends on the world belongs into steps.
 *
 * @throws {TypeError} for unknown options and values of a wrong type
 * @throws {RangeError} for values outside their range
 */
// The last overload, because TypeScript reports the errors of the last one.
export function defineWorkflow<
  R extends ([O] extends [never] ? unknown : StandardSchemaV1.InferInput<O>),
  I extends StandardSchemaV1 = StandardSchemaV1<unknown>,
  O extends StandardSchemaV1 = never,
  S extends Schemas = {},
  E extends Schemas = {},
>(
  options: WorkflowOptions<I, O, S, E>,
  run: (
    context: DeclaredContext<{
      in: StandardSchemaV1.InferInput<I>;
      input: StandardSchemaV1.InferOutput<I>;
      output: unknown;
      signals: S;
      errors: E;
    }>,
  ) => Promise<R>,
): Workflow<{
  in: StandardSchemaV1.InferInput<I>;
  input: StandardSchemaV1.InferOutput<I>;
  output: [O] extends [never] ? R : StandardSchemaV1.InferOutput<O>;
  signals: S;
  errors: E;
}>;
export function defineWorkflow(options: unknown, run: unknown): Workflow<never> {
  const terms = specificationOf(options) ?? checkTerms(options);
  if (typeof run !== "function") {
    throw new TypeError(
      `Cannot define ${terms.name} as its code must be a function: current value is ${showValue(run)}`,
    );
  }
  // The cast: the context that it is called with is made from this very definition.
  return frozenWorkflow(Object.freeze({ ...terms, run: run as WorkflowDefinition["run"] }));
}

/** A schema that accepts any value and only carries a type. */
export function staticSchema<T>(): StandardSchemaV1<T, T> {
  return {
    "~standard": {
      version: 1,
      vendor: "stepwell",
      // The cast: that the value has this type is what the author says with the type argument.
      validate: (value) => ({ value: value as T }),
    },
  };
}

/**
 * Checks and copies the options of a workflow.
 *
 * @throws TypeError or RangeError that names the option, the rule and the value
 */
export function checkTerms(options: unknown): WorkflowTerms {
  const given = readFields(options, "options", KEYS);
  const { version, input, output, retryPolicy, stepTimeout, retention, deadline, budget } = given;
  return Object.freeze({
    name: checkWorkflowName(given.name),
    ...(version !== undefined && { version: checkVersion(version) }),
    ...(input !== undefined && { input: checkSchema(input, "input") }),
    ...(output !== undefined && { output: checkSchema(output, "output") }),
    signals: checkSchemas(given.signals, "signals"),
    errors: checkSchemas(given.errors, "errors"),
    ...(retryPolicy !== undefined && { retryPolicy: checkRetryPolicy(retryPolicy) }),
    ...(stepTimeout !== undefined && { stepTimeoutMs: checkStepTimeout(stepTimeout, "stepTimeout") }),
    ...(retention !== undefined && { retentionMs: checkRetention(retention) }),
    ...(deadline !== undefined && { deadlineMs: checkDeadline(deadline) }),
    ...(budget !== undefined && { budget: checkBudget(budget) }),
  });
}

/**
 * The milliseconds for which an execution can be read after its end: 1 hour to 365 days.
 *
 * @throws TypeError or RangeError that names the field.
 */
export function checkRetention(retention: unknown): number {
  return parseDurationWithin(retention, "retention", RETENTION);
}

function checkVersion(version: unknown): string {
  const rule = `it must be a string of 1 to ${LIMITS.versionLength} characters`;
  const message = `Cannot use version as ${rule}: current value is ${showValue(version)}`;
  if (typeof version !== "string") throw new TypeError(message);
  if (version.length < 1 || version.length > LIMITS.versionLength) throw new RangeError(message);
  return version;
}

function checkSchemas(schemas: unknown, field: "signals" | "errors"): Schemas {
  const checked: Record<string, StandardSchemaV1> = Object.create(null) as Record<string, StandardSchemaV1>;
  if (schemas === undefined) return Object.freeze(checked);
  if (typeof schemas !== "object" || schemas === null || Array.isArray(schemas)) {
    throw new TypeError(
      `Cannot use ${field} as it must be an object of schemas: current value is ${showValue(schemas)}`,
    );
  }
  for (const [key, schema] of Object.entries(schemas)) {
    if (field === "signals") checkSignalName(key);
    if (schema !== undefined) checked[key] = checkSchema(schema, `${field}.${key}`);
  }
  return Object.freeze(checked);
}

/**
 * What implements Standard Schema.
 *
 * @throws TypeError that names the field, the rule and the value
 */
export function checkSchema(schema: unknown, field: string): StandardSchemaV1 {
  const isObject = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  // The cast: what has this property implements the interface; it has no other mark.
  if (isObject && "~standard" in schema) return schema as StandardSchemaV1;
  throw new TypeError(
    `Cannot use ${field} as it must implement Standard Schema: current value is ${showValue(schema)}`,
  );
}
