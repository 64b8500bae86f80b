import {
  createTraceState,
  ROOT_CONTEXT,
  type Context,
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import type { ExecutionSpan, SpanPlace } from "../journal/span.ts";
import { withIds } from "./span-ids.ts";

const SECOND_MS = 1_000;
const MS_NANOS = 1_000_000;

export interface RecordOptions {
  /** @default `trace.getTracer("stepwell")`, of whichever provider is registered when a span is over */
  readonly tracer?: Tracer | undefined;
}

/**
 * Makes the `onSpan` of an app that records every span by the OpenTelemetry API. The provider must have {@link SpanIds}
 * for its `idGenerator`. Where no provider is registered nothing is recorded.
 *
 * @example
 * ```ts
 * trace.setGlobalTracerProvider(new BasicTracerProvider({ idGenerator: new SpanIds(), spanProcessors }));
 * const app = stepwell({ workflows: [order], onSpan: recordSpans() });
 * ```
 */
export function recordSpans({ tracer }: RecordOptions = {}): (span: ExecutionSpan) => void {
  return (span) => record(tracer ?? trace.getTracer("stepwell"), span);
}

/** @throws Error where the provider draws ids of its own, as the spans would then hang together with nothing. */
function record(tracer: Tracer, span: ExecutionSpan): void {
  const { kind, name, startedAt, endedAt, attributes, error, links } = span;
  const options = {
    kind: SpanKind.INTERNAL,
    startTime: hrTime(startedAt),
    attributes,
    links: links.map((link) => ({ context: contextOf({ ...span, ...link }) })),
  };
  const made = withIds(span, () => tracer.startSpan(`${kind} ${name}`, options, parentOf(span)));
  const { spanId } = made.spanContext();
  if (made.isRecording() && spanId !== span.spanId) {
    throw new Error(
      "Cannot record spans of executions as the tracer provider must have new SpanIds() of stepwell/otel as its " +
        `idGenerator: current value gave ${spanId} instead of ${span.spanId}`,
    );
  }
  if (error !== undefined) {
    made.setStatus({ code: SpanStatusCode.ERROR, message: `${error.name}: ${error.message}` });
    made.setAttribute("error.type", error.name);
  }
  made.end(hrTime(endedAt));
}

/** Numbers are taken for times since the process began where they are smaller than that, as those before an eviction. */
function hrTime(at: number): HrTime {
  return [Math.floor(at / SECOND_MS), Math.round((at % SECOND_MS) * MS_NANOS)];
}

function parentOf(span: ExecutionSpan): Context {
  const { parentSpanId } = span;
  if (parentSpanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, contextOf({ ...span, spanId: parentSpanId }));
}

function contextOf({ traceId, spanId, isSampled, tracestate }: SpanPlace): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
}
