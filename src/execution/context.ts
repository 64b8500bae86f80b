import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Started } from "../journal/entry.ts";
import { drawUnit, drawUuid } from "../journal/draw.ts";
import { executionRef } from "./execution-ref.ts";
import { cancelled, DeclaredError, exhausted } from "../steps/errors.ts";
import { retryAfter } from "../steps/retry-after.ts";
import { callbackRequest, type CallbackTerms } from "./callback-operations.ts";
import {
  awaitRequest,
  cancelMessage,
  childRequest,
  runRequest,
  signalMessage,
  type ExecutionTerms,
} from "./execution-requests.ts";
import { silent } from "./operation-promise.ts";
import type { Outcome } from "./outcome-types.ts";
import { valueOf } from "./outcome.ts";
import type { LogLevel } from "./ports.ts";
import { signalRequest, sleepRequest, sleepUntilRequest, stepRequest, type StepDefaults } from "./operations.ts";
import type { Notes } from "./notes.ts";
import type { Run } from "./run.ts";
import { fetchRequest, type FetchTerms } from "./step-fetch.ts";
import type { AnyWorkflow, WorkflowDefinition } from "./workflow.ts";
import type { DeclaredContext, Log, WorkflowContext, WorkflowTypes } from "./workflow-context.ts";

/** What the context of a run is made from. */
export interface ContextSource {
  readonly run: Run;
  readonly definition: WorkflowDefinition;
  readonly started: Started;
  readonly input: unknown;
  readonly env: unknown;
  readonly defaults: StepDefaults;
  readonly http: FetchTerms;
  readonly executions: ExecutionTerms;
  readonly callbacks: CallbackTerms;
  readonly notes: Notes;
  readonly log: (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** The one object that a workflow's function is called with. Nothing in it needs `this`. */
export function contextOf(source: ContextSource): DeclaredContext<WorkflowTypes> {
  const { run, notes, definition, started } = source;
  const { id, workflow, seed } = started;
  const context = {
    input: freeze(source.input),
    env: source.env,
    execution: executionOf(started, notes),
    step: Object.freeze({
      run: (...args: unknown[]) => run.ask(() => stepRequest(args, source.defaults)),
      fetch: (...args: unknown[]) => run.ask(() => fetchRequest(args, source.defaults, source.http)),
    }),
    sleep: (duration: unknown) => run.ask(() => sleepRequest(duration)),
    sleepUntil: (date: unknown) => run.ask(() => sleepUntilRequest(date, run.seenAt)),
    awaitSignal: (name: unknown, options?: unknown) => run.ask(() => signalRequest(name, options, definition.signals)),
    ...executionsOf(source),
    createCallback: (options?: unknown) => run.ask(() => callbackRequest(options, source.callbacks)),
    errors: errorFactories(definition),
    retryAfter,
    cancelled,
    exhausted,
    now: () => run.now(),
    random: () => drawUnit(seed, run.nextDraw("random")),
    uuid: () => drawUuid(seed, run.nextDraw("uuid")),
    setProgress: (value: unknown) => notes.setProgress(value),
    setAttributes: (values: unknown) => notes.setAttributes(values),
    patched: (patch: unknown) => notes.patched(patch),
    log: logOf((level, message, fields) => {
      if (!run.replaying) source.log(level, message, { workflow, execution: id, ...fields });
    }),
  };
  // The cast: the values have the types that the schemas promise, which only the author's compiler knows.
  return Object.freeze(context) as unknown as DeclaredContext<WorkflowTypes>;
}

/** What the code does with other executions. */
function executionsOf({ run, executions: terms }: ContextSource): object {
  const awaitExecution = (ref: unknown, options?: unknown) => run.ask(() => awaitRequest(ref, options, terms));
  return {
    startExecution: (...args: unknown[]) => run.ask(() => childRequest(args, terms)),
    awaitExecution,
    runExecution: (...args: unknown[]) =>
      silent(
        run
          .ask(() => runRequest(args, terms))
          .then((ref) => awaitExecution(ref))
          // The cast: it is what such a wait settles with.
          .then((outcome) => valueOf(outcome as Outcome<AnyWorkflow>)),
      ),
    signalExecution: (...args: unknown[]) => run.ask(() => signalMessage(args, terms)),
    cancelExecution: (ref: unknown, reason?: unknown) => run.ask(() => cancelMessage(ref, reason)),
  };
}

function executionOf({ id, workflow, version, at, parent }: Started, notes: Notes): WorkflowContext["execution"] {
  return Object.freeze({
    id,
    workflow,
    ...(version !== undefined && { version }),
    startedAt: at,
    ...(parent !== undefined && { parent: executionRef(parent.workflow, parent.id) }),
    get attributes() {
      return notes.attributes;
    },
  });
}

export function logOf(write: (level: LogLevel, message: string, fields?: Record<string, unknown>) => void): Log {
  return Object.freeze({
    debug: (message: string, fields?: Record<string, unknown>) => write("debug", message, fields),
    info: (message: string, fields?: Record<string, unknown>) => write("info", message, fields),
    warn: (message: string, fields?: Record<string, unknown>) => write("warn", message, fields),
    error: (message: string, fields?: Record<string, unknown>) => write("error", message, fields),
  });
}

function errorFactories({ name, errors }: WorkflowDefinition): object {
  const factories: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [code, schema] of Object.entries(errors)) {
    const make = (details: unknown, message?: string) => {
      return new DeclaredError(code, detailsOf(schema, details, `${name} ${code}`), message);
    };
    const is = (error: unknown) => DeclaredError.is(error) && error.code === code;
    factories[code] = Object.freeze(Object.assign(make, { is }));
  }
  return Object.freeze(factories);
}

function detailsOf(schema: StandardSchemaV1, details: unknown, what: string): unknown {
  const result = schema["~standard"].validate(details);
  if (result instanceof Promise) {
    throw new TypeError(`Cannot make error ${what} as the schema of its details must validate synchronously.`);
  }
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map((issue) => `${pathOf(issue.path)}: ${issue.message}`).join("; ");
  throw new TypeError(`Cannot make error ${what} as its details do not fit its schema: ${issues}`);
}

/** The path of an issue as text: `.a.0`, empty for the value itself. */
export function pathOf(path: StandardSchemaV1.Issue["path"]): string {
  return (path ?? []).map((part) => `.${String(typeof part === "object" ? part.key : part)}`).join("");
}

/** Read-only as deep as plain objects and arrays go; the contents of a Map, a Set or a Date cannot be frozen. */
function freeze(value: unknown): unknown {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || ArrayBuffer.isView(next) || Object.isFrozen(next)) continue;
    Object.freeze(next);
    open.push(...(Object.values(next) as unknown[]));
  }
  return value;
}
