import { SpanStatusCode, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { defineWorkflow, staticSchema, type ExecutionSpan } from "stepwell";
import { recordSpans, SpanIds } from "stepwell/otel";
import { createTestEngine } from "stepwell/testing";
import { afterEach, describe, expect, it } from "vitest";

const NOW = Date.UTC(2026, 2, 1, 12);
const DAY_MS = 86_400_000;

const pack = defineWorkflow({ name: "pack", input: staticSchema<string>() }, async ({ input, step }) => {
  return await step.run("wrap", () => `${input} in paper`);
});
/** A step that fails once, a wait of a day, a request, a child, and an end that is rolled back. */
const order = defineWorkflow(
  { name: "order", errors: { SOLD_OUT: staticSchema<object>() } },
  async ({ step, sleep, runExecution, errors }) => {
    await step.run(
      { name: "charge", retryPolicy: { initialInterval: "10s" } },
      ({ attempt }) => {
        if (attempt === 1) throw new TypeError("no answer");
      },
      () => {},
    );
    await sleep("1d");
    await step.fetch("reserve", "https://shop.example/stock");
    await runExecution(pack, "lamp", { id: "order-1-pack" });
    throw errors.SOLD_OUT({});
  },
);

function record({ withIds = true } = {}) {
  const exporter = new InMemorySpanExporter();
  const idGenerator = withIds ? { idGenerator: new SpanIds() } : {};
  const provider = new BasicTracerProvider({ ...idGenerator, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { exporter, provider, tracer: provider.getTracer("test") };
}

interface Sent {
  readonly traceparent: string | null;
}

async function runOrder(onSpan: (span: ExecutionSpan) => void, { evicting = false } = {}) {
  const sent: Sent[] = [];
  const lines: unknown[] = [];
  const engine = createTestEngine({
    workflows: [order, pack],
    now: NOW,
    onSpan,
    onLog: ({ message, fields }) => lines.push(`${message} ${String(fields["error"])}`),
    fetch: async (_url, init) => {
      sent.push({ traceparent: new Headers(init?.headers).get("traceparent") });
      return new Response("{}");
    },
  });
  const execution = await engine.start(order, undefined, { id: "order-1" });
  for (let look = 0; look < 30 && execution.outcome === undefined; look += 1) {
    if (evicting) execution.evict();
    await engine.advance("1h");
  }
  await engine.runToEnd();
  return { execution, sent, lines };
}

const nameOf = ({ name }: ReadableSpan) => name;

/** Every span with its parents, from the root on. */
function pathsOf(spans: readonly ReadableSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const pathOf = (span: ReadableSpan): string => {
    const parentId = span.parentSpanContext?.spanId;
    if (parentId === undefined) return nameOf(span);
    const parent = byId.get(parentId);
    return `${parent === undefined ? "?" : pathOf(parent)} > ${nameOf(span)}`;
  };
  return spans.map(pathOf).toSorted();
}

const PATHS = [
  "execution order",
  "execution order > child pack",
  "execution order > child pack > execution pack",
  "execution order > child pack > execution pack > step wrap",
  "execution order > child pack > execution pack > step wrap > attempt wrap",
  "execution order > rollback charge",
  "execution order > rollback charge > attempt charge",
  "execution order > step charge",
  "execution order > step charge > attempt charge",
  "execution order > step charge > attempt charge",
  "execution order > step reserve",
  "execution order > step reserve > attempt reserve",
];

describe("recordSpans", () => {
  afterEach(() => trace.disable());

  it.each([false, true])("makes one tree of one trace, each span once; with evictions: %s", async (evicting) => {
    const { exporter, tracer } = record();
    const { lines } = await runOrder(recordSpans({ tracer }), { evicting });
    const spans = exporter.getFinishedSpans();
    expect(pathsOf(spans)).toEqual(PATHS);
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(new Set(spans.map((span) => span.spanContext().spanId)).size).toBe(PATHS.length);
    expect(lines).toEqual([]);
  });

  it("tells the same spans whether the object is lost or not", async () => {
    const told: (readonly ExecutionSpan[])[] = [];
    for (const evicting of [false, true]) {
      const spans: ExecutionSpan[] = [];
      await runOrder((span) => void spans.push(span), { evicting });
      told.push(spans.toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1)));
    }
    const ids = (spans: readonly ExecutionSpan[] = []) =>
      spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]);
    expect(ids(told[1])).toEqual(ids(told[0]));
  });

  it("gives times as the journal has them, and what failed as errors", async () => {
    const { exporter, tracer } = record();
    await runOrder(recordSpans({ tracer }), { evicting: true });
    const spans = exporter.getFinishedSpans();
    const named = (name: string) => spans.filter((span) => span.name === name);
    const [execution] = named("execution order");
    expect(execution?.startTime).toEqual([NOW / 1_000, 0]);
    expect((execution?.endTime[0] ?? 0) * 1_000).toBeGreaterThan(NOW + DAY_MS);
    expect(execution?.status).toMatchObject({
      code: SpanStatusCode.ERROR,
      message: expect.stringMatching(/^SOLD_OUT: /),
    });
    const [first, second] = named("attempt charge");
    expect(first?.status).toMatchObject({ code: SpanStatusCode.ERROR, message: "TypeError: no answer" });
    expect(first?.attributes).toMatchObject({ "error.type": "TypeError", "stepwell.attempt": 1 });
    expect(second?.status.code).toBe(SpanStatusCode.UNSET);
    expect(named("step charge")[0]?.attributes).toMatchObject({
      "stepwell.attempts": 2,
      "stepwell.outcome": "completed",
    });
  });

  it("has the attempt as the parent of the request that it sends", async () => {
    const { exporter, tracer } = record();
    const { sent } = await runOrder(recordSpans({ tracer }));
    const attempt = exporter
      .getFinishedSpans()
      .find(({ name }) => name === "attempt reserve")
      ?.spanContext();
    expect(sent).toEqual([{ traceparent: `00-${attempt?.traceId}-${attempt?.spanId}-01` }]);
  });

  it("goes by the provider that is registered, and does nothing without one", async () => {
    const { lines } = await runOrder(recordSpans());
    expect(lines).toEqual([]);
    const { exporter, provider } = record();
    trace.setGlobalTracerProvider(provider);
    await runOrder(recordSpans());
    expect(pathsOf(exporter.getFinishedSpans())).toEqual(PATHS);
  });

  it("is refused, and disturbs nothing, where the provider draws ids of its own", async () => {
    const { exporter, tracer } = record({ withIds: false });
    const { execution, lines } = await runOrder(recordSpans({ tracer }));
    expect(execution.outcome).toMatchObject({ kind: "failed", code: "SOLD_OUT" });
    expect(exporter.getFinishedSpans()).toEqual([]);
    expect(lines[0]).toMatch(
      /^onSpan failed\. Error: Cannot record spans of executions as the tracer provider must have/,
    );
  });

  it("records nothing of a trace that nobody wants recorded", () => {
    const { exporter, tracer } = record();
    const place = { traceId: "a".repeat(32), spanId: "b".repeat(16), parentSpanId: "c".repeat(16), tracestate: "x=1" };
    const span = { ...place, kind: "step", name: "s", startedAt: 1, endedAt: 2, attributes: {} } as const;
    const links = [{ traceId: place.traceId, spanId: "d".repeat(16) }];
    recordSpans({ tracer })({ ...span, links, isSampled: false });
    expect(exporter.getFinishedSpans()).toEqual([]);
    recordSpans({ tracer })({ ...span, links, isSampled: true });
    const [recorded] = exporter.getFinishedSpans();
    expect(recorded?.links.map(({ context }) => context.spanId)).toEqual(["d".repeat(16)]);
    expect(recorded?.spanContext().traceState?.serialize()).toBe("x=1");
  });
});

describe("SpanIds", () => {
  it("draws valid ids for the spans of others", () => {
    const ids = new SpanIds();
    const drawn = Array.from({ length: 100 }, () => [ids.generateTraceId(), ids.generateSpanId()] as const);
    for (const [traceId, spanId] of drawn) {
      expect(traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(spanId).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
    }
    expect(new Set(drawn.flat()).size).toBe(200);
  });
});
