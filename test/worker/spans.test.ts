import { evictDurableObject } from "cloudflare:test";
import { defineWorkflow, staticSchema, type ExecutionSpan } from "stepwell";
import { describe, expect, it } from "vitest";
import { serveApp } from "../support/served-app.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";

const hold = defineWorkflow(
  { name: "hold", signals: { go: staticSchema<number>() } },
  async ({ step, awaitSignal }) => {
    await step.run("before", () => 1);
    await awaitSignal("go");
    await step.run("after", () => 2);
  },
);

describe("spans of a Worker's executions", () => {
  it("belong to the trace of the start request, over the loss of the object", async () => {
    const spans: ExecutionSpan[] = [];
    const { send, object } = serveApp({ workflows: [hold], onSpan: (span) => void spans.push(span) });
    const path = "/v1/workflows/hold/executions";
    const headers = { traceparent: `00-${TRACE_ID}-${CALLER}-01` };
    await send(path, { json: { id: "traced" }, headers });
    while (spans.length < 2) await scheduler.wait(10);
    await evictDurableObject(object("hold/traced"));
    await send(`${path}/traced/signals/go`, { json: 1 });
    expect((await send(`${path}/traced/result`, { headers: { prefer: "wait=20" } })).status).toBe(200);
    expect(spans.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "attempt before",
      "step before",
      "attempt after",
      "step after",
      "execution hold",
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
    const own = spans.at(-1);
    expect(own?.parentSpanId).toBe(CALLER);
    expect(spans.filter(({ kind }) => kind === "step").map(({ parentSpanId }) => parentSpanId)).toEqual([
      own?.spanId,
      own?.spanId,
    ]);
  });
});
