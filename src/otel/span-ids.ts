import type { SpanPlace } from "../journal/span.ts";

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** The place of the span that is being made, where it is one of an execution: making one is synchronous. */
let place: Pick<SpanPlace, "traceId" | "spanId"> | undefined;

/** Whatever is made by `make` gets these ids, if its provider asks {@link SpanIds} for them. */
export function withIds<T>(ids: Pick<SpanPlace, "traceId" | "spanId">, make: () => T): T {
  place = ids;
  try {
    return make();
  } finally {
    place = undefined;
  }
}

/**
 * The ids of spans: those of executions follow from the executions, so that a trace is one tree although each of its
 * spans is made when it is over, perhaps by another object than the ones around it. All others are drawn.
 *
 * @example
 * ```ts
 * const provider = new BasicTracerProvider({ idGenerator: new SpanIds(), spanProcessors });
 * ```
 */
export class SpanIds {
  readonly generateTraceId = (): string => place?.traceId ?? draw(TRACE_BYTES);
  readonly generateSpanId = (): string => place?.spanId ?? draw(SPAN_BYTES);
}

function draw(bytes: number): string {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  // Ids of zeros alone are invalid.
  drawn[0] = (drawn[0] ?? 0) | 1;
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
