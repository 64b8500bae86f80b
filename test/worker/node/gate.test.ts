import { describe, expect, it, vi } from "vitest";
import { describedOperations } from "../../../src/worker/router.ts";
import { createTestApp, EXECUTIONS, READ_TOKEN, TOKEN } from "./test-app.ts";

const SPELLINGS = [
  "/",
  "/v1",
  "/v1/workflows/",
  "//v1/workflows",
  "/v1//workflows",
  "/%76%31/workflows",
  "/v1%2Fworkflows",
  `${EXECUTIONS}/x/`,
  `${EXECUTIONS}/%E0%A4%A`,
  "/healthz/",
  "//healthz",
  "/nope",
];
/** Those that anybody may ask. */
const PUBLIC = ["/healthz", "/v1/callbacks/:token", "/dashboard/sign-in", "/dashboard/session", "/dashboard/sign-out"];
/** Every other route that there is: a new one stands behind the gate, too. */
const ROUTES = [...new Set(describedOperations().map(({ path }) => path))]
  .filter((path) => !PUBLIC.includes(path))
  .map((path) => path.replaceAll(/:\w+/g, "x"));
const PATHS = [...SPELLINGS, ...ROUTES];
const METHODS = ["GET", "POST", "HEAD", "OPTIONS", "DELETE", "PUT"];

describe("the gate", () => {
  it.each(PATHS)("case 212: answers 401 to %s without a token, whatever the method", async (path) => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    for (const method of METHODS) {
      const answer = await send(path, { method, headers: { authorization: "" } });
      expect([method, answer.status]).toEqual([method, 401]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(answer.body.code).toBe(method === "HEAD" ? undefined : "UNAUTHORIZED");
    }
    expect(executions.calls).toEqual([]);
  });

  it.each(PATHS)(
    "case 212: leads a browser that asks for the page %s to where it signs in, and no further",
    async (path) => {
      const { send, executions } = createTestApp();
      executions.put("order/x");
      const headers = { authorization: "", accept: "text/html" };
      for (const method of ["GET", "HEAD"]) {
        const answer = await send(path, { method, headers });
        expect([answer.status, answer.text]).toEqual([303, ""]);
        expect(answer.headers.get("location")).toMatch(/^\/dashboard\/sign-in\?next=/);
      }
      expect(executions.calls).toEqual([]);
    },
  );

  it.each([
    "Basic full-token",
    "Foo full-token",
    "bearer  full-token",
    "bearer full-token",
    "Bearer  full-token",
    "Bearer",
    "Bearer full-token x",
    "Bearer full-toke",
    "Bearer full-tokenn",
    "Bearer FULL-TOKEN",
    "Bearer undefined",
    "full-token",
  ])("case 211: refuses Authorization: %s", async (authorization) => {
    const { send } = createTestApp();
    expect((await send("/v1/workflows", { headers: { authorization } })).status).toBe(401);
  });

  it("lets the read token look and nothing else", async () => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    const headers = { authorization: `Bearer ${READ_TOKEN}` };
    expect((await send(`${EXECUTIONS}/x`, { headers })).status).toBe(200);
    expect((await send(`${EXECUTIONS}/x`, { headers, method: "HEAD" })).status).toBe(200);
    executions.calls.length = 0;
    for (const [path, method] of [
      [EXECUTIONS, "POST"],
      [`${EXECUTIONS}/x`, "DELETE"],
      [`${EXECUTIONS}/x/cancel`, "POST"],
      [`${EXECUTIONS}/x/signals/note`, "POST"],
    ] as const) {
      const answer = await send(path, { headers, method });
      expect([answer.status, answer.body.code]).toEqual([403, "FORBIDDEN"]);
    }
    expect(executions.calls).toEqual([]);
  });

  it("refuses the read token's place to nobody where only it is set", async () => {
    const { send } = createTestApp({}, { STEPWELL_TOKEN: undefined });
    expect((await send("/v1/workflows", { headers: { authorization: `Bearer ${READ_TOKEN}` } })).status).toBe(200);
    expect((await send("/v1/workflows", { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(401);
  });

  it.each(["http://localhost:8787", "http://127.0.0.1", "http://127.9.9.9:1", "http://[::1]:8787"])(
    "is open on %s where no token is set",
    async (origin) => {
      const { send } = createTestApp({}, { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: "" });
      const headers = { authorization: "" };
      expect((await send("/v1/workflows", { headers }, origin)).status).toBe(200);
      expect((await send("/healthz", { headers }, origin)).status).toBe(200);
      expect((await send(EXECUTIONS, { headers, json: { input: { sku: "a" } } }, origin)).status).toBe(201);
    },
  );

  it.each([
    "https://flows.example.com",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://10.0.0.1",
    "http://[::2]",
    "http://0.0.0.0",
  ])("S60: is closed on %s where no token is set: 503", async (origin) => {
    const { send, executions } = createTestApp({}, { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined });
    for (const path of ["/v1/workflows", EXECUTIONS, "/healthz", "/nope"]) {
      const answer = await send(path, {}, origin);
      expect([answer.status, answer.body.code]).toEqual([503, "NOT_CONFIGURED"]);
      expect(answer.body["detail"]).toContain("STEPWELL_TOKEN");
    }
    expect(executions.calls).toEqual([]);
  });

  it.each([
    [{ STEPWELL_TOKEN: "with space" }, "STEPWELL_TOKEN"],
    [{ STEPWELL_TOKEN: "line-break\n" }, "STEPWELL_TOKEN"],
    [{ STEPWELL_TOKEN: 5 }, "STEPWELL_TOKEN"],
    [{ STEPWELL_READ_TOKEN: TOKEN }, "STEPWELL_READ_TOKEN"],
    [{ EXECUTIONS: undefined }, "EXECUTIONS"],
    [{ EXECUTIONS: "text-secret" }, "EXECUTIONS"],
    [{ EXECUTIONS: {} }, "EXECUTIONS"],
  ])("S60: answers 503 with the reason to the bindings %j, on /healthz too", async (bindings, name) => {
    const { send } = createTestApp({}, bindings);
    for (const path of ["/healthz", "/v1/workflows"]) {
      const answer = await send(path);
      expect([answer.status, answer.body.code]).toEqual([503, "NOT_CONFIGURED"]);
      expect(answer.body["detail"]).toContain(name);
      expect(answer.text).not.toMatch(/with space|line-break|text-secret|full-token/);
    }
  });

  it("uses the binding that the options name", async () => {
    const test = createTestApp({ bindings: { executions: "FLOW_OBJECTS" } });
    expect((await test.send("/healthz")).body["detail"]).toContain("FLOW_OBJECTS");
    const named = createTestApp(
      { bindings: { executions: "FLOW_OBJECTS" } },
      { FLOW_OBJECTS: test.executions.namespace },
    );
    expect((await named.send("/healthz")).body).toEqual({ status: "ok" });
  });

  it("is public on /healthz, and only for looking", async () => {
    const { send } = createTestApp();
    const headers = { authorization: "" };
    expect((await send("/healthz", { headers })).status).toBe(200);
    expect((await send("/healthz", { headers, method: "HEAD" })).status).toBe(200);
    const post = await send("/healthz", { headers, method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it.each([
    [{ origin: "https://evil.example.com" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://flows.example.com" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ origin: "https://flows.example.com", "sec-fetch-site": "cross-site" }, 403],
    [{ origin: "https://flows.example.com", "sec-fetch-site": "same-origin" }, 202],
    [{ "sec-fetch-site": "none" }, 202],
  ])("answers a change with %j by %i", async (headers, status) => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    expect((await send(`${EXECUTIONS}/x/cancel`, { headers, method: "POST" })).status).toBe(status);
    expect(executions.calls).toHaveLength(status === 202 ? 1 : 0);
    expect((await send(`${EXECUTIONS}/x`, { headers })).status).toBe(200);
  });

  it("asks for the same origin on loopback too, where no token is set", async () => {
    const { send, executions } = createTestApp({}, { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined });
    executions.put("order/x");
    const headers = { origin: "https://evil.example.com", authorization: "" };
    expect((await send(`${EXECUTIONS}/x/cancel`, { headers, method: "POST" }, "http://localhost:8787")).status).toBe(
      403,
    );
    expect(executions.calls).toEqual([]);
  });
});

describe("auth of the deployment's own", () => {
  it("replaces the tokens", async () => {
    const seen: unknown[] = [];
    const { send, env } = createTestApp(
      {
        auth: (request, bindings) => {
          seen.push(bindings);
          return request.headers.get("x-role") === "full" ? { role: "full" } : { role: "read" };
        },
      },
      { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined },
    );
    expect((await send("/v1/workflows", { headers: { "x-role": "read" } })).status).toBe(200);
    const json = { input: { sku: "a" } };
    expect((await send(EXECUTIONS, { json })).status).toBe(403);
    expect((await send(EXECUTIONS, { json, headers: { "x-role": "full" } })).status).toBe(201);
    expect(seen).toEqual([env, env, env]);
  });

  it("may answer by itself, later too, without being stored by caches", async () => {
    const { send } = createTestApp({ auth: async () => Response.redirect("https://login.example.com/", 302) });
    const answer = await send("/v1/workflows");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://login.example.com/"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it.each([
    ["throws an error", () => Promise.reject(new Error("secret"))],
    ["throws no error", () => Promise.reject("secret")],
    ["gives nothing", () => undefined],
    ["gives an unknown role", () => ({ role: "root" })],
  ])("lets nobody through where it %s", async (_name, auth) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { send, executions } = createTestApp({ auth: auth as never });
    const answer = await send(EXECUTIONS, { json: { input: { sku: "a" } } });
    expect([answer.status, answer.body.code]).toEqual([500, "INTERNAL_ERROR"]);
    expect(answer.text).not.toContain("secret");
    expect(executions.calls).toEqual([]);
    log.mockRestore();
  });
});
