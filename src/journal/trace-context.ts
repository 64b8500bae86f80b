/** The trace that an execution is part of, by the W3C's Trace Context: plain data, to be passed on as it is. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Version, trace, parent and flags; a version after ours may say more. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_VERSION = "ff";
const ONLY_ZEROS = /^0+$/;

/** `sampled` and `random-trace-id`: those of the flags that have a meaning, and so are passed on. */
const FLAGS = 0x03;

/** As much of a `tracestate` as has to be passed on; longer ones lose their last members. */
const STATE_LENGTH = 512;

/** Reads the two headers of a request. Invalid ones are ignored, and a `tracestate` without a valid `traceparent`. */
export function readTraceContext(traceparent: string | null, tracestate: string | null): TraceContext | undefined {
  const [, version, trace, parent, , more] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (traceparent === null || trace === undefined || parent === undefined || version === NO_VERSION) return undefined;
  if (version === "00" && more !== undefined) return undefined;
  if (ONLY_ZEROS.test(trace) || ONLY_ZEROS.test(parent)) return undefined;
  const state = boundedState(tracestate ?? "");
  // What a later version says more is not understood here, and so not passed on.
  return { traceparent: traceparent.slice(0, PARSED_LENGTH), ...(state !== "" && { tracestate: state }) };
}

const PARSED_LENGTH = 55;
const TRACE_AT = [3, 35] as const;
const FLAGS_AT = [53, 55] as const;

/** The `traceparent` of a request that belongs to the trace: with a span of its own as the parent. */
export function childTraceparent({ traceparent }: TraceContext, span: string): string {
  const trace = traceparent.slice(...TRACE_AT);
  const known = Number.parseInt(traceparent.slice(...FLAGS_AT), 16) & FLAGS;
  return `00-${trace}-${span}-${known.toString(16).padStart(2, "0")}`;
}

function boundedState(tracestate: string): string {
  const members = tracestate.split(",");
  while (members.join(",").length > STATE_LENGTH) members.pop();
  return members.join(",").trim();
}
