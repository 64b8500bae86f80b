/** What both entries of the package export: everything but `stepwell`, which depends on the platform. */
export type { Client, ExecutionHandle, ExecutionView } from "./client/types.ts";
export type { EventListener, SpanListener } from "./execution/deployment.ts";
export { executionRef, type ExecutionRef, type NameOf } from "./execution/execution-ref.ts";
export type { Failure, Outcome, StartArguments } from "./execution/outcome-types.ts";
export type { ExecutionState, RollbackCounts, StepCounts, WaitView } from "./execution/wire.ts";
export { defineWorkflow, staticSchema } from "./execution/workflow.ts";
export type {
  AnyWorkflow,
  ContextOf,
  InputOf,
  OutputOf,
  TypesOf,
  Workflow,
  WorkflowOptions,
} from "./execution/workflow.ts";
export { defineWorkflowSpec, type WorkflowSpec } from "./execution/workflow-spec.ts";
export type {
  Callback,
  DeclaredContext,
  ErrorFactories,
  FetchResult,
  Log,
  Schemas,
  SignalOutcome,
  Step,
  StepContext,
  WorkflowContext,
  WorkflowTypes,
} from "./execution/workflow-context.ts";
export type { Attributes } from "./journal/attributes.ts";
export type { Budget } from "./journal/budget.ts";
export type { Entry } from "./journal/entry.ts";
export type { ExecutionSpan } from "./journal/span.ts";
export type { Duration } from "./steps/duration.ts";
export {
  CancelledError,
  cancelled,
  DeclaredError,
  exhausted,
  HttpRefusal,
  NonRetryableError,
  OperationRefused,
  RetryableError,
  StepExhausted,
  StepInterrupted,
  StepTimeout,
} from "./steps/errors.ts";
export type {
  NonRetryableErrorOptions,
  Refusal,
  RetryableErrorOptions,
  RetryDelay,
  StepExhaustedOptions,
} from "./steps/errors.ts";
export { ExecutionCancelled, ExecutionFailed } from "./steps/outcome-errors.ts";
export { retryAfter } from "./steps/retry-after.ts";
export type { RetryPolicy } from "./steps/retry-policy.ts";
export type { StepOptions } from "./steps/step-options.ts";
export type { ScheduleOptions as Schedule } from "./execution/schedules.ts";
export type {
  App,
  Authenticate,
  DirectoryClass,
  ExecutionClass,
  Role,
  SchedulerClass,
  StepwellOptions,
} from "./worker/app.ts";
