import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../../src/client/index.ts";
import { defineWorkflow, stepwell } from "../../../src/index.ts";
import { settled } from "../../support/virtual-time.ts";
import { createTestApp, order } from "./test-app.ts";

const INPUT = { sku: "a" };

async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("app.client", () => {
  it.each([
    ["absent", undefined, "current value is undefined"],
    ["something else", { EXECUTIONS: { get: 5 } }, "current value is an object"],
    ["under another name", { OTHER: {} }, "current value is undefined"],
  ])("throws at once where the binding is %s", (_name, env, shown) => {
    const app = stepwell({ workflows: [order] });
    const open = () => app.client(env as never);
    expect(open).toThrow(TypeError);
    expect(open).toThrow(`Cannot serve as the binding EXECUTIONS must be a Durable Object namespace: ${shown}`);
  });

  it("needs no this, no token, and takes the binding by its configured name", async () => {
    const { executions, env } = createTestApp();
    const { client } = stepwell({ workflows: [order], bindings: { executions: "E" } });
    const handle = await client({ ...env, EXECUTIONS: undefined, E: executions.namespace } as never).start(
      order,
      INPUT,
      { id: "x" },
    );
    expect([handle.id, executions.stored.has("order/x")]).toEqual(["x", true]);
  });

  it("goes to the object with what HTTP goes with", async () => {
    const { app, env, executions, send } = createTestApp();
    const options = { id: "x", startAt: 5, deadline: "2h", attributes: { a: 1 }, wait: "90s" } as const;
    await app.client(env).start(order, INPUT, options);
    const inside = executions.last("start");
    executions.stored.clear();
    const { wait: _, ...terms } = options;
    await send("/v1/workflows/order/executions", { json: { input: INPUT, ...terms }, headers: { prefer: "wait=60" } });
    // Only a request has an origin, which callbacks need where there is no publicUrl.
    expect({ ...inside, origin: "https://flows.example.com" }).toEqual(executions.last("start"));
    expect(inside).toMatchObject({ deadlineMs: 7_200_000, attributes: { a: 1 }, waitMs: 60_000 });
  });

  it("links to where the outside sees the routes", async () => {
    const { app, env } = createTestApp({ basePath: "/flows" });
    const handle = await app.client(env).start(order, INPUT, { id: "x" });
    expect((await handle.status()).links["self"]).toBe("/flows/v1/workflows/order/executions/x");
  });

  it("hides what broke, and logs it", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = new Error("the secret of a schema");
    const validate = () => {
      throw broken;
    };
    const input = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const fragile = defineWorkflow({ name: "fragile", input }, async () => 1);
    const { app, env, executions } = createTestApp({ workflows: [fragile] });
    const fault = await faultOf(app.client(env).start(fragile, 1));
    expect(fault).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
    expect(String(fault)).not.toContain("secret");
    expect([logged.mock.calls, executions.calls]).toEqual([[[broken]], []]);
    logged.mockRestore();
  });
});

describe("an object that cannot be reached", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(console, "error").mockImplementation(() => {});
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("is told again what a lost answer may have told it: the same start, and the same signal by its key", async () => {
    const { app, env, executions } = createTestApp();
    const client = app.client(env);
    executions.faults.push(new Error("lost"), new Error("lost"));
    const { value: handle } = await settled(client.start(order, INPUT));
    const starts = executions.calls.filter(({ method }) => method === "start");
    expect(starts).toHaveLength(3);
    expect(new Set(starts.map(({ name }) => name))).toEqual(new Set([`order/${handle?.id}`]));
    executions.faults.push(new Error("lost"));
    await settled(client.get(order, handle?.id ?? "").signal("approval", { approved: true }));
    const signals = executions.calls.filter(({ method }) => method === "signal");
    expect(signals).toHaveLength(2);
    expect(signals[0]?.argument).toEqual(signals[1]?.argument);
    expect(signals[0]?.argument).toMatchObject({ key: expect.stringMatching(/-7/) });
  });

  it("is given up after five tries, with what HTTP would say", async () => {
    const { app, env, executions } = createTestApp();
    executions.faults.push(...Array.from({ length: 10 }, () => new Error("lost")));
    const { fault } = await settled(app.client(env).start(order, INPUT));
    expect(fault).toMatchObject({ status: 503, code: "UNAVAILABLE", retryAfterMs: 1_000 });
    expect(executions.calls).toHaveLength(5);
  });
});

describe("a service binding", () => {
  it("needs no token where the Worker has none: the owner alone can bind it", async () => {
    const { fetch } = createTestApp({}, { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined });
    const fetcher = { fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(new Request(input, init)) };
    expect((await createClient({ fetcher }).start(order, INPUT, { id: "x" })).created).toBe(true);
  });

  it("needs the token where the Worker has one", async () => {
    const { fetch } = createTestApp();
    const fetcher = { fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(new Request(input, init)) };
    const fault = await faultOf(createClient({ fetcher }).start(order, INPUT));
    expect(fault).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    const reading = createClient({ fetcher, token: "read-token" }).get(order, "x");
    expect(await faultOf(reading.status())).toMatchObject({ code: "NOT_FOUND" });
    expect(await faultOf(reading.cancel())).toMatchObject({ status: 403, code: "FORBIDDEN" });
  });
});

describe("a router mounted elsewhere", () => {
  it("is reached below its path", async () => {
    const { fetch } = createTestApp({ basePath: "/flows" });
    const fetcher = { fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(new Request(input, init)) };
    const client = createClient({ url: "https://flows.example.com/flows", fetcher, token: "full-token" });
    const handle = await client.start(order, INPUT, { id: "x" });
    expect((await handle.status()).links["self"]).toBe("/flows/v1/workflows/order/executions/x");
  });
});
