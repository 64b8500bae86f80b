import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveSpan } from "../../src/journal/draw.ts";
import { childTraceparent, readTraceContext } from "../../src/journal/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const VALID = `00-${TRACE}-${PARENT}-01`;
const SPAN = "b7ad6b7169203331";

describe("the trace context of a request", () => {
  it("is its traceparent, and its tracestate as it is", () => {
    expect(readTraceContext(VALID, null)).toEqual({ traceparent: VALID });
    const tracestate = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";
    expect(readTraceContext(VALID, tracestate)).toEqual({ traceparent: VALID, tracestate });
  });

  it.each([
    null,
    "",
    VALID.toUpperCase(),
    `ff-${TRACE}-${PARENT}-01`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${PARENT}-1`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE}-${PARENT}-01-`,
    `01-${TRACE}-${PARENT}-01more`,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE.slice(1)}-${PARENT}-01`,
    `00-${TRACE}g-${PARENT}-01`,
    ` ${VALID}`,
    `${VALID}, ${VALID}`,
  ])("is none where the traceparent is %j, whatever the tracestate", (traceparent) => {
    expect(readTraceContext(traceparent, "a=1")).toBeUndefined();
  });

  it("of a later version is read as far as it is understood", () => {
    expect(readTraceContext(`01-${TRACE}-${PARENT}-01-more`, null)?.traceparent).toBe(`01-${TRACE}-${PARENT}-01`);
    expect(readTraceContext(`cc-${TRACE}-${PARENT}-00`, null)?.traceparent).toBe(`cc-${TRACE}-${PARENT}-00`);
  });

  it("has a tracestate of at most 512 characters, from which whole members are left out at the end", () => {
    const members = Array.from({ length: 32 }, (_, index) => `vendor${index}=${"x".repeat(20)}`);
    const { tracestate = "" } = readTraceContext(VALID, members.join(",")) ?? {};
    expect(tracestate.length).toBeLessThanOrEqual(512);
    expect(tracestate).toBe(members.slice(0, tracestate.split(",").length).join(","));
    expect(`${tracestate},${members[tracestate.split(",").length]}`.length).toBeGreaterThan(512);
    expect(readTraceContext(VALID, "x".repeat(600))).toEqual({ traceparent: VALID });
    expect(readTraceContext(VALID, "  ")).toEqual({ traceparent: VALID });
  });
});

describe("the traceparent of what is sent on", () => {
  it("is in the same trace, with a parent of its own and the flags that are known", () => {
    const of = (flags: string, version = "00") =>
      childTraceparent({ traceparent: `${version}-${TRACE}-${PARENT}-${flags}` }, SPAN);
    expect(of("01")).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(of("00")).toBe(`00-${TRACE}-${SPAN}-00`);
    expect(of("ff", "cc")).toBe(`00-${TRACE}-${SPAN}-03`);
  });

  it("has a span that is the same for the same label, and is valid", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (seed, label) => {
        const span = deriveSpan(seed, label);
        expect(deriveSpan(seed, label)).toBe(span);
        expect(readTraceContext(childTraceparent({ traceparent: VALID }, span), null)).toBeDefined();
      }),
    );
    expect(deriveSpan("a", "1")).not.toBe(deriveSpan("a", "2"));
  });
});
