export { createClient, type ClientOptions, type Fetcher } from "./create-client.ts";
export { type ProblemDocument, type RequestIssue, RequestRefused, ResultTimeout } from "./errors.ts";
export type {
  Client,
  ExecutionHandle,
  ExecutionSummary,
  ExecutionView,
  ForkOptions,
  JournalEntry,
  JournalOptions,
  ListFilter,
  RequestOptions,
  ResultOptions,
  SignalOptions,
  StartOptions,
} from "./types.ts";
export { ExecutionCancelled, ExecutionFailed } from "../steps/outcome-errors.ts";
