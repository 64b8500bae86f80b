import { describe, expect, it } from "vitest";
import type { Fetch } from "../../src/execution/ports.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const trace = { traceparent: `00-${TRACE_ID}-${PARENT}-01`, tracestate: "rojo=1,congo=2" };

/** What a service was sent of a trace, request by request. */
class Traced {
  readonly seen: { readonly traceparent: string | null; readonly tracestate: string | null }[] = [];

  fetchWith(answer: (count: number) => Response): Fetch {
    return async (_, { headers }) => {
      const sent = new Headers(headers);
      this.seen.push({ traceparent: sent.get("traceparent"), tracestate: sent.get("tracestate") });
      return answer(this.seen.length);
    };
  }

  get spans(): readonly (string | undefined)[] {
    return this.seen.map(({ traceparent }) => traceparent?.split("-")[2]);
  }
}

export function describeTraces(makeHost: MakeHost): void {
  describe("the trace of a start", () => {
    const calls = defineWorkflow({ name: "calls" }, async ({ step }) => {
      const retryPolicy = { initialInterval: "1s" } as const;
      await step.fetch({ name: "a", retryPolicy }, "https://a.example/", { method: "POST" });
      await step.fetch({ name: "b", retryPolicy }, "https://b.example/");
    });

    it.each([false, true])("is sent on by step.fetch, with a span for each attempt (evicted: %s)", async (evicts) => {
      const service = new Traced();
      const fetch = service.fetchWith((count) => new Response("", { status: count % 2 === 0 ? 200 : 503 }));
      const host = makeHost({ workflows: [calls], fetch });
      const probe = await host.start(calls, { trace });
      for (let rest = 0; rest < 4; rest += 1) {
        if (evicts) await probe.evict();
        await host.advance(1_000);
      }
      expect((await probe.outcome())?.kind).toBe("completed");
      expect(service.seen).toHaveLength(4);
      for (const { traceparent, tracestate } of service.seen) {
        expect(traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
        expect(tracestate).toBe(trace.tracestate);
      }
      expect(new Set([...service.spans, PARENT]).size).toBe(5);
      expect((await probe.facts())[0]).toMatchObject({ type: "started", trace });
    });

    it("has the same spans in the same execution, and others in another", async () => {
      const spansOf = async (id: string) => {
        const service = new Traced();
        const host = makeHost({ workflows: [calls], fetch: service.fetchWith(() => new Response("ok")) });
        await host.start(calls, { id, trace });
        return service.spans;
      };
      const first = await spansOf("x");
      expect(await spansOf("x")).toEqual(first);
      expect(await spansOf("y")).not.toEqual(first);
    });

    it("goes on in the executions that it starts", async () => {
      const whole = defineWorkflow({ name: "whole" }, async ({ runExecution }) => {
        await runExecution(calls, undefined);
      });
      const service = new Traced();
      const host = makeHost({ workflows: [whole, calls], fetch: service.fetchWith(() => new Response("ok")) });
      const probe = await host.start(whole, { trace });
      expect((await probe.outcome())?.kind).toBe("completed");
      expect(service.seen.map(({ traceparent }) => traceparent?.split("-")[1])).toEqual([TRACE_ID, TRACE_ID]);
    });

    it("gives way to the author's own, and is not there where the start had none", async () => {
      const own = { traceparent: `00-${TRACE_ID.split("").reverse().join("")}-${PARENT}-00` };
      const traced = defineWorkflow({ name: "own" }, async ({ step }) => {
        await step.fetch("own", "https://a.example/", { headers: own });
      });
      const service = new Traced();
      const host = makeHost({ workflows: [traced, calls], fetch: service.fetchWith(() => new Response("ok")) });
      await host.start(traced, { trace });
      expect(service.seen).toEqual([{ ...own, tracestate: null }]);
      await host.start(calls);
      expect(service.seen.slice(1)).toEqual([
        { traceparent: null, tracestate: null },
        { traceparent: null, tracestate: null },
      ]);
    });

    it("does not follow a redirect to another origin, and stays on the way within one", async () => {
      const redirected = defineWorkflow({ name: "redirected" }, async ({ step }) => {
        await step.fetch("a", "https://a.example/");
      });
      const service = new Traced();
      const to = ["https://a.example/next", "https://b.example/", "https://a.example/back"];
      const fetch = service.fetchWith((count) => {
        const location = to[count - 1];
        return location === undefined ? new Response("ok") : new Response(null, { status: 307, headers: { location } });
      });
      const host = makeHost({ workflows: [redirected], fetch });
      await host.start(redirected, { trace });
      const [first, second, ...others] = service.seen;
      expect(first?.traceparent).toContain(TRACE_ID);
      expect(second).toEqual(first);
      expect(others).toEqual([
        { traceparent: null, tracestate: null },
        { traceparent: null, tracestate: null },
      ]);
    });
  });
}
