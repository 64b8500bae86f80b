export { createClient, type ClientOptions, type Fetcher } from "./create-client.ts";
export { type ProblemDocument, type RequestIssue, RequestRefused, ResultTimeout } from "./errors.ts";
export type {
  Client,
  DeployedWorkflow,
  ExecutionCounts,
  ExecutionHandle,
  ExecutionSummary,
  ExecutionView,
  ForkOptions,
  JournalEntry,
  JournalOptions,
  ListFilter,
  RequestOptions,
  ResultOptions,
  ScheduledStart,
  Schedules,
  ScheduleView,
  SignalOptions,
  StartOptions,
  StateCounts,
  TriggerOptions,
} from "./types.ts";
export { ExecutionCancelled, ExecutionFailed } from "../steps/outcome-errors.ts";
