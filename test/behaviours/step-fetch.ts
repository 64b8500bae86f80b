import { describe, expect, it } from "vitest";
import type { Fetch } from "../../src/execution/ports.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { HttpRefusal, NonRetryableError, StepExhausted } from "../../src/steps/errors.ts";
import type { Host, MakeHost } from "../support/host.ts";
import { every, Hits } from "../support/hits.ts";

const SECOND = 1_000;
const URL_OF = "https://service.example/x";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function keyOf({ init }: Sent): string | null {
  return new Headers(init.headers).get("Idempotency-Key");
}

export function describeStepFetch(makeHost: MakeHost): void {
  /** A service that answers the n-th request (from 1) so. */
  function serviceOf(answer: (count: number) => Response | Promise<Response>) {
    const sent: Sent[] = [];
    const fetch: Fetch = async (url, init) => {
      sent.push({ url, init });
      return await answer(sent.length);
    };
    return { sent, fetch };
  }

  /** Moves the clock far enough for every retry, and forgets everything each time that it stands. */
  async function runWithEvictions(host: Host, probe: { evict(): Promise<void> }): Promise<void> {
    for (let rest = 0; rest < 6; rest += 1) {
      await probe.evict();
      await host.advance(2 * SECOND);
    }
    await host.runToEnd();
  }

  describe("step.fetch", () => {
    it("S35 is tried again when the service said so", async () => {
      const { sent, fetch } = serviceOf((count) =>
        count === 1 ? new Response("", { status: 429, headers: { "Retry-After": "90" } }) : new Response("ok"),
      );
      const at: number[] = [];
      const flow = defineWorkflow({ name: "prescribed" }, async ({ step }) => {
        const answer = await step.fetch("x", URL_OF);
        return [answer.status, await answer.text()];
      });
      const host = makeHost({
        workflows: [flow],
        fetch: async (url, init) => {
          at.push(hits.now);
          return await fetch(url, init);
        },
      });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect((await probe.view()).waitingFor).toMatchObject([
        { kind: "retry", because: /^Retry-After after attempt 1/ },
      ]);
      await host.runToEnd();
      expect(at).toEqual([0, 90 * SECOND]);
      expect(sent.map(({ url }) => url)).toEqual([URL_OF, URL_OF]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [200, "ok"] });
    });

    it("S41 S56 S57 gives the same result, refusal and key however often the object is lost", async () => {
      const { sent, fetch } = serviceOf((count) => {
        if (count < 3) return new Response("", { status: 503 });
        if (count === 3) return Response.json({ id: 7 }, { headers: { "X-A": "1" } });
        return Response.json({ code: "SOLD_OUT" }, { status: 409 });
      });
      const looks: unknown[] = [];
      const flow = defineWorkflow({ name: "lost" }, async ({ step, sleep }) => {
        const answer = await step.fetch({ name: "a", retryPolicy: every("1s", 5) }, URL_OF, { method: "POST" });
        const refusal: unknown = await step.fetch("b", URL_OF, { method: "POST" }).catch((error: unknown) => error);
        looks.push({
          answer: [answer.ok, answer.headers.get("x-a"), await answer.json()],
          refused: HttpRefusal.is(refusal) && [refusal.status, refusal.code, refusal.body, refusal.message],
          terminal: NonRetryableError.is(refusal),
        });
        await sleep("3s");
      });
      const host = makeHost({ workflows: [flow], fetch });
      const probe = await host.start(flow);
      await runWithEvictions(host, probe);
      expect(await probe.outcome()).toMatchObject({ kind: "completed" });
      expect(looks.length).toBeGreaterThan(1);
      for (const look of looks) expect(look).toEqual(looks[0]);
      expect(looks[0]).toEqual({
        answer: [true, "1", { id: 7 }],
        refused: [409, "SOLD_OUT", { code: "SOLD_OUT" }, "The service answered 409 SOLD_OUT."],
        terminal: true,
      });
      const keys = sent.map(keyOf);
      expect(keys).toHaveLength(4);
      expect(new Set(keys.slice(0, 3)).size).toBe(1);
      expect(new Set(keys).size).toBe(2);
    });

    it("S39 S40 leaves the codes of the last refusal on the exhausted step and in the outcome", async () => {
      const { fetch } = serviceOf(() => Response.json({ code: "DOWN", secret: "s" }, { status: 503 }));
      const flow = defineWorkflow({ name: "down" }, async ({ step }) => {
        await step.fetch({ name: "x", retryPolicy: every("1s", 2) }, URL_OF);
      });
      const host = makeHost({ workflows: [flow], fetch });
      const probe = await host.start(flow);
      await host.runToEnd();
      const outcome = await probe.outcome();
      const details = { step: "x", attempts: 2, refusal: { status: 503, code: "DOWN" } };
      expect(outcome).toMatchObject({ kind: "failed", code: "STEP_EXHAUSTED", details });
      expect(JSON.stringify(outcome)).not.toContain("secret");
    });

    it("S30 lets the workflow wait by itself where the service asks for more than the bound", async () => {
      const { sent, fetch } = serviceOf((count) =>
        count === 1 ? new Response("", { status: 503, headers: { "Retry-After": "7200" } }) : new Response("ok"),
      );
      const flow = defineWorkflow({ name: "patient" }, async ({ step, sleepUntil, exhausted, now }) => {
        const startedAt = now();
        const first: unknown = await step.fetch("x", URL_OF).catch((error: unknown) => error);
        if (!exhausted(first) || first.retryAt === undefined) return "not asked";
        await sleepUntil(first.retryAt);
        const answer = await step.fetch("x", URL_OF);
        return { ok: answer.ok, afterMs: now() - startedAt };
      });
      const host = makeHost({ workflows: [flow], fetch });
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { ok: true, afterMs: 7_200 * SECOND } });
      expect(sent).toHaveLength(2);
    });

    it("network errors are retried, with their reason for operators", async () => {
      const { fetch } = serviceOf((count) => {
        if (count === 1) throw new TypeError("connection lost");
        return new Response("ok");
      });
      const flow = defineWorkflow({ name: "network" }, async ({ step }) => (await step.fetch("x", URL_OF)).status);
      const host = makeHost({ workflows: [flow], fetch });
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 200 });
      const failed = (await probe.facts()).find((fact) => fact.type === "attempt-failed");
      expect(failed).toMatchObject({ failure: { causes: [{ name: "TypeError", message: "connection lost" }] } });
    });

    it("S26 an attempt has its timeout, and its request an aborted signal", async () => {
      const { sent, fetch } = serviceOf((count) => (count === 1 ? new Promise<never>(() => {}) : new Response("ok")));
      const flow = defineWorkflow({ name: "slow" }, async ({ step }) => {
        return (await step.fetch({ name: "x", timeout: "5s", retryPolicy: every("1s", 2) }, URL_OF)).status;
      });
      const host = makeHost({ workflows: [flow], fetch });
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 200 });
      expect(sent.map(({ init }) => init.signal?.aborted)).toEqual([true, false]);
    });

    it("a call that is refused takes no number, live and on replay", async () => {
      const { sent, fetch } = serviceOf(() => new Response("ok"));
      const flow = defineWorkflow({ name: "refused" }, async ({ step, sleep }) => {
        const refused: unknown = await step.fetch("x", "/relative").catch((error: unknown) => error);
        const { status } = await step.fetch("x", URL_OF);
        await sleep("1m");
        return [refused instanceof TypeError, status];
      });
      const host = makeHost({ workflows: [flow], fetch });
      const probe = await host.start(flow);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, 200] });
      expect(sent).toHaveLength(1);
    });

    it("a value that other code journaled under its name fails the run, and does not stop the engine", async () => {
      const options = { name: "other-code", retryPolicy: every("1m", 2) };
      const before = defineWorkflow(options, async ({ step }) => {
        await step.run("x", () => "not an answer");
        throw new Error("broken");
      });
      const after = defineWorkflow(options, async ({ step }) => {
        await step.fetch("x", URL_OF);
      });
      const host = makeHost({ workflows: [before] });
      const probe = await host.start(before);
      await host.deploy({ workflows: [after] });
      await host.advance(2 * 60 * SECOND);
      expect(await probe.view()).toMatchObject({ state: "paused", reason: { code: "RUN_FAILED" } });
      const paused = (await probe.facts()).at(-1);
      expect(paused).toMatchObject({
        failure: { name: "TypeError", message: /value of step x as the answer of step/ },
      });
    });

    it("inside a step ends that step", async () => {
      const { sent, fetch } = serviceOf(() => new Response("ok"));
      const flow = defineWorkflow({ name: "nested" }, async ({ step }) => {
        await step.run("outer", async () => void (await step.fetch("inner", URL_OF)));
      });
      const host = makeHost({ workflows: [flow], fetch });
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "NESTED_STEP" });
      expect(sent).toEqual([]);
    });

    it("S37 what the guards say of its errors is the same after a replay", async () => {
      const { fetch } = serviceOf(() => new Response("busy", { status: 503 }));
      const guards: unknown[] = [];
      const flow = defineWorkflow({ name: "guards" }, async ({ step, sleep, exhausted }) => {
        const error: unknown = await step
          .fetch({ name: "x", retryPolicy: every("1s", 1) }, URL_OF)
          .catch((thrown: unknown) => thrown);
        const cause = StepExhausted.is(error) ? error.cause : undefined;
        guards.push([exhausted(error), (cause as Error).name, HttpRefusal.is((cause as Error).cause)]);
        await sleep("1m");
      });
      const host = makeHost({ workflows: [flow], fetch });
      const probe = await host.start(flow);
      await probe.evict();
      await host.runToEnd();
      expect(guards).toEqual([
        [true, "RetryableError", true],
        [true, "RetryableError", true],
      ]);
    });
  });
}
