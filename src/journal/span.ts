import { deriveKey, deriveSpan, deriveTrace } from "./draw.ts";
import type { Parent, Started } from "./entry.ts";
import type { TraceContext } from "./trace-context.ts";

/** A stretch of an execution's time, told when it is over: plain data, as tracing systems take it. */
export interface ExecutionSpan extends SpanPlace {
  readonly kind: "execution" | "step" | "rollback" | "attempt" | "child";
  /** Of the workflow, the step or the child's workflow. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Only where it failed. */
  readonly error?: { readonly name: string; readonly message: string };
  /** Spans that it belongs together with, besides its parent. */
  readonly links: readonly Pick<SpanPlace, "traceId" | "spanId">[];
}

/** Where a span is in its trace, by the identifiers of the W3C's Trace Context. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. They follow from the execution, so that other spans can name it before it is told. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** Whoever began the trace wants it recorded. */
  readonly isSampled: boolean;
  readonly tracestate?: string;
}

/** Which execution a span is of: what its keys derive from. */
export type SpanOwner = string;

/** The id of an execution's own span. */
export function executionSpanId(owner: SpanOwner): string {
  return deriveSpan(owner, "execution");
}

/** The id of the span of an operation: `step 3`, `rollback 3`. */
export function operationSpanId(owner: SpanOwner, label: string): string {
  return deriveSpan(owner, `operation ${label}`);
}

/** The id of the span of an attempt, which `step.fetch` sends along as its parent. */
export function attemptSpanId(owner: SpanOwner, label: string, attempt: number): string {
  return deriveSpan(deriveKey(owner, `${label} traceparent`), String(attempt));
}

/** The id of the span of a child's start, by the key that parent and child know. */
export function childSpanId({ key }: Pick<Parent, "key">): string {
  return deriveSpan(key, "child");
}

/** The trace of an execution whose start belongs to none. Its own span, which is the root, is the parent of others. */
export function rootTrace(owner: SpanOwner): TraceContext {
  return { traceparent: `00-${deriveTrace(owner)}-${executionSpanId(owner)}-01` };
}

const TRACE_AT = [3, 35] as const;
const CALLER_AT = [36, 52] as const;
const FLAGS_AT = [53, 55] as const;
const SAMPLED = 0x01;

/** Where the span of an execution is. That of a fork stands under its original's. */
export function executionPlace(started: Started, owner: SpanOwner, original: SpanOwner | undefined): SpanPlace {
  const { traceparent, tracestate } = started.trace ?? rootTrace(owner);
  const spanId = executionSpanId(owner);
  const parentSpanId = original === undefined ? callerOf(started, traceparent) : executionSpanId(original);
  return {
    traceId: traceparent.slice(...TRACE_AT),
    spanId,
    // The root of a trace stands in its own traceparent.
    ...(parentSpanId !== spanId && { parentSpanId }),
    isSampled: (Number.parseInt(traceparent.slice(...FLAGS_AT), 16) & SAMPLED) === SAMPLED,
    ...(tracestate !== undefined && { tracestate }),
  };
}

function callerOf({ parent }: Started, traceparent: string): string {
  return parent === undefined ? traceparent.slice(...CALLER_AT) : childSpanId(parent);
}
