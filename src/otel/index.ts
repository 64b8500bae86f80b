/** Spans of executions through the OpenTelemetry API. `@opentelemetry/api` is an optional peer of the package. */
export { recordSpans, type RecordOptions } from "./record-spans.ts";
export { SpanIds } from "./span-ids.ts";
