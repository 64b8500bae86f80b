import { describe, expect, inject, it } from "vitest";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { HttpRefusal } from "../../src/steps/errors.ts";
import type { Probe } from "../support/host.ts";
import { every } from "../support/hits.ts";
import { ObjectHost } from "../support/object-host.ts";
import type { Ledger } from "../support/serve-http.ts";

const SECOND = 1_000;
const SERVICE = inject("serviceUrl");
const OTHER_ORIGIN = SERVICE.replace("127.0.0.1", "localhost");

/** Waits until a real request has been answered. */
async function quiet(probe: Probe): Promise<void> {
  while ((await probe.view()).steps.running > 0) await scheduler.wait(1);
}

/** Waits for something that a real connection brings. */
async function untilSeen(path: string, expected: Partial<Ledger>): Promise<void> {
  for (;;) {
    const ledger = await (await fetch(`${SERVICE}/ledger?of=${path}`)).json<Ledger>();
    if (ledger.asked === expected.asked || ledger.brokenOff === expected.brokenOff) return;
    await scheduler.wait(1);
  }
}

async function start(work: (context: WorkflowContext) => Promise<unknown>) {
  const flow = defineWorkflow({ name: "fetches" }, work);
  const host = new ObjectHost({ workflows: [flow] });
  const probe = await host.start(flow);
  return { host, probe };
}

async function valueOf(work: (context: WorkflowContext) => Promise<unknown>): Promise<unknown> {
  const { probe } = await start(work);
  await quiet(probe);
  const outcome = await probe.outcome();
  return outcome?.kind === "completed" ? outcome.value : outcome;
}

interface Echo {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly count: number;
}

const TWICE = { name: "x", retryPolicy: every("1s", 2), timeout: "5s" } as const;

describe("step.fetch with the platform's own fetch", () => {
  it("sends a request and reads its answer", async () => {
    const value = await valueOf(async ({ step }) => {
      const { status, headers, json } = await step.fetch("x", `${SERVICE}/echo`, { method: "PUT", body: "hi" });
      return { status, cookies: headers.getSetCookie(), echo: await json() };
    });
    expect(value).toMatchObject({
      status: 200,
      cookies: ["a=1", "b=2"],
      echo: { method: "PUT", body: "hi", headers: { "idempotency-key": /^[\w-]{32}$/ } },
    });
  });

  it("takes a Request and the bindings' own fields", async () => {
    const value = await valueOf(async ({ step }) => {
      const request = new Request(`${SERVICE}/echo`, { headers: { "X-A": "1" }, cf: { cacheTtl: 5 } });
      return await (await step.fetch("x", request)).json();
    });
    expect(value).toMatchObject({ method: "GET", headers: { "x-a": "1" } });
  });

  it("S35 obeys Retry-After", async () => {
    const { host, probe } = await start(({ step }) => step.fetch(TWICE, `${SERVICE}/status/429?retry-after=120`));
    const startedAt = host.now();
    await quiet(probe);
    expect((await probe.view()).waitingFor).toMatchObject([{ kind: "retry", until: startedAt + 120 * SECOND }]);
    await host.advance(120 * SECOND);
    await quiet(probe);
    const details = { step: "x", attempts: 2, refusal: { status: 429, code: "FROM_SERVICE" } };
    expect(await probe.outcome()).toMatchObject({ code: "STEP_EXHAUSTED", details });
  });

  it("gives a refusal with its body", async () => {
    const value = await valueOf(async ({ step }) => {
      const error: unknown = await step.fetch("x", `${SERVICE}/status/404`).catch((thrown: unknown) => thrown);
      return HttpRefusal.is(error) && [error.status, error.code, error.body];
    });
    expect(value).toEqual([404, "FROM_SERVICE", { code: "FROM_SERVICE" }]);
  });

  it("tries again after a connection that broke off", async () => {
    const { host, probe } = await start(async ({ step }) => (await step.fetch(TWICE, `${SERVICE}/reset`)).status);
    await quiet(probe);
    await host.advance(SECOND);
    await quiet(probe);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 200 });
  });

  it("S26 gives up a body that does not end", async () => {
    const { host, probe } = await start(async ({ step }) => {
      const { json } = await step.fetch(TWICE, `${SERVICE}/stall`);
      return (await json<Echo>()).count;
    });
    await untilSeen("/stall", { asked: 1 });
    await host.advance(5 * SECOND);
    await untilSeen("/stall", { brokenOff: 1 });
    await host.advance(SECOND);
    await quiet(probe);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 2 });
  });

  it("drops what tells who sent it on a redirect to another origin", async () => {
    const secrets = { Authorization: "t", Cookie: "c=1", traceparent: "00-1-2-01", "X-A": "1" };
    const follow = (to: string) => async (context: WorkflowContext) => {
      const url = `${SERVICE}/to?url=${encodeURIComponent(`${to}/echo`)}`;
      return await (await context.step.fetch("x", url, { method: "POST", body: "b", headers: secrets })).json();
    };
    const kept = (await valueOf(follow(SERVICE))) as Echo;
    const names = ["authorization", "cookie", "idempotency-key", "traceparent", "x-a"];
    expect(names.filter((name) => name in kept.headers)).toEqual(names);
    const other = (await valueOf(follow(OTHER_ORIGIN))) as Echo;
    expect(names.filter((name) => name in other.headers)).toEqual(["x-a"]);
    expect(other).toMatchObject({ method: "POST", body: "b" });
  });

  it("does not follow where it must not", async () => {
    const url = `${SERVICE}/to?url=/echo`;
    expect(await valueOf(async ({ step }) => (await step.fetch("x", url, { redirect: "manual" })).status)).toBe(307);
    const once = { name: "x", retryPolicy: { maximumAttempts: 1 } };
    const refused = await valueOf(({ step }) => step.fetch(once, url, { redirect: "error" }));
    expect(refused).toMatchObject({ code: "STEP_EXHAUSTED" });
  });

  it("S46 a cancellation and the author's signal end the request", async () => {
    const { probe } = await start(({ step }) => step.fetch("x", `${SERVICE}/stall/2`));
    await untilSeen("/stall/2", { asked: 1 });
    await probe.command("cancel");
    await untilSeen("/stall/2", { brokenOff: 1 });
    expect(await probe.outcome()).toEqual({ kind: "cancelled" });
    const controller = new AbortController();
    const own = await start(({ step }) => step.fetch("x", `${SERVICE}/stall/3`, { signal: controller.signal }));
    await untilSeen("/stall/3", { asked: 1 });
    controller.abort();
    await quiet(own.probe);
    expect(await own.probe.outcome()).toMatchObject({ code: "NON_RETRYABLE" });
  });
});
