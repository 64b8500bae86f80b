import { describe, expect, it } from "vitest";
import type { Entry, Started } from "../../src/journal/entry.ts";
import { deriveKey } from "../../src/journal/draw.ts";
import { keyOwner } from "../../src/journal/key-owner.ts";
import { attemptSpanId, childSpanId, executionSpanId, rootTrace, type ExecutionSpan } from "../../src/journal/span.ts";
import { beginSpans, foldSpans } from "../../src/journal/span-fold.ts";
import {
  attemptRetried,
  attemptStarted,
  cancelled,
  childRequested,
  childStarted,
  completed,
  failed,
  forkedFrom,
  rollbackCompleted,
  rollbackNotRun,
  rollbackRetried,
  rollbackSpent,
  rollbackStarted,
  sleepSet,
  START_AT,
  started,
  stepCompleted,
  stepQueued,
  stepSpent,
  stepStarted,
} from "../support/journal-entries.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const TRACED = { trace: { traceparent: `00-${TRACE_ID}-${CALLER}-01`, tracestate: "a=1" } };

function spansOf(first: Started, ...entries: readonly Entry[]): readonly ExecutionSpan[] {
  const fold = beginSpans(first);
  return entries.flatMap((entry) => foldSpans(fold, entry));
}

const later = (ms: number) => START_AT + ms;
const shown = (spans: readonly ExecutionSpan[]) =>
  spans.map(({ kind, name, attributes, startedAt, endedAt }) => [
    kind,
    name,
    attributes["stepwell.outcome"],
    startedAt - START_AT,
    endedAt - START_AT,
  ]);

describe("the spans of an execution", () => {
  it("are its own, one for each step, and one for each attempt", () => {
    const spans = spansOf(
      started(TRACED),
      stepStarted(0, { at: later(1) }),
      attemptRetried(0, { at: later(2) }),
      attemptStarted(0, 2, later(5)),
      stepCompleted(0, { at: later(9) }),
      completed({ at: later(10) }),
    );
    expect(shown(spans)).toEqual([
      ["attempt", "step-0", "retried", 1, 2],
      ["attempt", "step-0", "completed", 5, 9],
      ["step", "step-0", "completed", 1, 9],
      ["execution", "order", "completed", 0, 10],
    ]);
    const [first, second, step, execution] = spans;
    expect([first?.parentSpanId, second?.parentSpanId]).toEqual([step?.spanId, step?.spanId]);
    expect([step?.parentSpanId, execution?.parentSpanId]).toEqual([execution?.spanId, CALLER]);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
    for (const span of spans) expect(span).toMatchObject({ traceId: TRACE_ID, tracestate: "a=1", isSampled: true });
    expect(first).toMatchObject({ error: { name: expect.any(String) }, attributes: { "stepwell.attempt": 1 } });
    expect([second?.error, step?.error, execution?.error]).toEqual([undefined, undefined, undefined]);
    expect(step?.attributes).toEqual({
      "stepwell.workflow": "order",
      "stepwell.execution": "order-1",
      "stepwell.step": "step-0",
      "stepwell.operation": 0,
      "stepwell.attempts": 2,
      "stepwell.outcome": "completed",
    });
  });

  it("have the id of an attempt that its request sends along", () => {
    const [attempt] = spansOf(started(), stepStarted(3), stepCompleted(3));
    expect(attempt?.spanId).toBe(attemptSpanId(keyOwner(started()), "step 3", 1));
  });

  it("are the root of a trace where nobody began one, also where the start has journaled that", () => {
    const owner = keyOwner(started());
    const journaled = started({ trace: rootTrace(owner) });
    for (const first of [started(), journaled]) {
      const [span] = spansOf(first, completed());
      expect(span).toMatchObject({ spanId: executionSpanId(owner), isSampled: true });
      expect(span?.parentSpanId).toBeUndefined();
      expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it("are not sampled where whoever began the trace did not want it", () => {
    const [span] = spansOf(started({ trace: { traceparent: `00-${TRACE_ID}-${CALLER}-00` } }), completed());
    expect(span?.isSampled).toBe(false);
  });

  it("say how a step and the execution failed", () => {
    const spans = spansOf(started({ version: "2" }), stepStarted(0), stepSpent(0, { spent: "attempts" }), failed());
    expect(shown(spans).map(([kind, , outcome]) => [kind, outcome])).toEqual([
      ["attempt", "attempts"],
      ["step", "attempts"],
      ["execution", "failed"],
    ]);
    for (const span of spans) expect(span.error?.name).toBeTypeOf("string");
    expect(spans[2]?.attributes).toMatchObject({ "stepwell.version": "2" });
  });

  it("tell of rollbacks as of steps", () => {
    const spans = spansOf(
      started(),
      stepStarted(0, { rollback: true }),
      stepCompleted(0),
      rollbackStarted(0, 1, later(1)),
      rollbackRetried(0, { at: later(2) }),
      rollbackStarted(0, 2, later(3)),
      rollbackCompleted(0, later(4)),
      rollbackStarted(1, 1, later(5)),
      rollbackSpent(1, { at: later(6) }),
      rollbackStarted(2, 1, later(7)),
      rollbackNotRun(2, later(8)),
      rollbackNotRun(3, later(8)),
    );
    expect(shown(spans).slice(2)).toEqual([
      ["attempt", "step-0", "retried", 1, 2],
      ["attempt", "step-0", "completed", 3, 4],
      ["rollback", "step-0", "completed", 1, 4],
      ["attempt", "", expect.any(String), 5, 6],
      ["rollback", "", expect.any(String), 5, 6],
      ["attempt", "", "not-run", 7, 8],
      ["rollback", "", "not-run", 7, 8],
    ]);
  });

  it("stand between a parent and its child", () => {
    const spans = spansOf(
      started(),
      childRequested(0),
      childStarted(0, { at: later(3) }),
      childRequested(1),
      childStarted(1, { adopted: true }),
      childRequested(2),
      { type: "child-refused", op: 2, code: "NOT_FOUND", message: "no", at: START_AT },
    );
    expect(spans.map(({ kind, attributes }) => [kind, attributes["stepwell.outcome"]])).toEqual([
      ["child", "started"],
      ["child", "adopted"],
      ["child", "refused"],
    ]);
    const key = deriveKey(keyOwner(started()), "child 0");
    const [child] = spansOf(
      started({ id: "c", parent: { workflow: "order", id: "order-1", key }, ...TRACED }),
      completed(),
    );
    expect(child?.parentSpanId).toBe(spans[0]?.spanId);
    expect(child?.parentSpanId).toBe(childSpanId({ key }));
  });

  it("end an attempt whose object was lost, and know none that was withdrawn", () => {
    const spans = spansOf(
      started(),
      stepQueued(0),
      stepStarted(1, { at: later(1) }),
      { type: "object-lost", ops: [0, 1], at: later(2) },
      attemptStarted(1, 2, later(3)),
      { type: "attempts-withdrawn", ops: [1], at: later(4) },
      cancelled({ at: later(5) }),
    );
    expect(shown(spans)).toEqual([
      ["attempt", "step-1", "interrupted", 1, 2],
      ["step", "step-0", "abandoned", 0, 5],
      ["step", "step-1", "abandoned", 1, 5],
      ["execution", "order", "cancelled", 0, 5],
    ]);
    expect(spans[0]?.error?.name).toBe("StepInterrupted");
  });

  it("end what is cancelled or abandoned, and know nothing of waits", () => {
    const [step, sleep] = [
      { op: 0, kind: "step", name: "step-0" },
      { op: 1, kind: "sleep", name: "sleep" },
    ] as const;
    const spans = spansOf(
      started(),
      stepStarted(0),
      sleepSet(1, later(9)),
      { type: "cancel-delivered", ops: [step, sleep], at: later(1) },
      stepStarted(2),
      { type: "abandoned", ops: [{ ...step, op: 2 }], at: later(2) },
      // What comes late is of nothing that is open.
      attemptStarted(0, 2, later(3)),
      stepCompleted(0, { at: later(3) }),
    );
    expect(shown(spans).map(([kind, , outcome]) => [kind, outcome])).toEqual([
      ["attempt", "cancelled"],
      ["step", "cancelled"],
      ["attempt", "abandoned"],
      ["step", "abandoned"],
    ]);
  });

  it("of a fork stand under the original, which they are linked to, and begin with the fork", () => {
    const original = started(TRACED);
    const [, , execution] = spansOf(original, stepStarted(0), stepCompleted(0), completed());
    const copy = started({ ...TRACED, id: "order-2" });
    const fork = forkedFrom({ id: "order-1", at: later(50) });
    const spans = spansOf(
      copy,
      stepStarted(0),
      fork,
      attemptStarted(0, 1, later(51)),
      stepCompleted(0, { at: later(52) }),
      completed({ at: later(53) }),
    );
    expect(shown(spans)).toEqual([
      ["attempt", "step-0", "completed", 51, 52],
      ["step", "step-0", "completed", 50, 52],
      ["execution", "order", "completed", 50, 53],
    ]);
    expect(spans[2]).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: execution?.spanId,
      links: [{ traceId: TRACE_ID, spanId: execution?.spanId }],
    });
    const [again] = spansOf(
      started({ ...TRACED, id: "order-3" }),
      fork,
      forkedFrom({ id: "order-2", at: later(60) }),
      completed(),
    );
    expect(again?.parentSpanId).toBe(spans[2]?.spanId);
  });
});
