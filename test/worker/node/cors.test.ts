import { describe, expect, it } from "vitest";
import { createTestApp, EXECUTIONS, TOKEN } from "./test-app.ts";

const LISTED = "https://app.example.com";
const OTHER = "https://evil.example.com";
const PREFLIGHT = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };

function withOrigins(cors: readonly string[] = [LISTED, "http://localhost:5173"], bindings = {}) {
  const test = createTestApp({ cors }, bindings);
  test.executions.put("order/x");
  return test;
}

describe("a page of another origin", () => {
  it("is told nothing where no origin is listed: neither beforehand nor by an answer", async () => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    for (const [method, authorization, status] of [
      ["OPTIONS", "", 401],
      ["OPTIONS", `Bearer ${TOKEN}`, 204],
      ["GET", `Bearer ${TOKEN}`, 200],
      ["POST", `Bearer ${TOKEN}`, 403],
    ] as const) {
      const headers = { origin: LISTED, authorization, ...PREFLIGHT };
      const answer = await send("/v1/workflows", { method, headers });
      expect([method, answer.status]).toEqual([method, status]);
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control") || name === "vary")).toEqual(
        [],
      );
    }
  });

  it("may ask beforehand without a token where it is listed", async () => {
    const { send, executions } = withOrigins();
    for (const origin of [LISTED, "http://localhost:5173"]) {
      const headers = { origin, authorization: "", ...PREFLIGHT };
      const answer = await send(`${EXECUTIONS}/x/cancel`, { method: "OPTIONS", headers });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
      expect(answer.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, DELETE");
      expect(answer.headers.get("access-control-allow-headers")).toContain("Authorization, Content-Type");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("vary")).toBe("Origin");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    expect(executions.calls).toEqual([]);
  });

  it.each([OTHER, "null", "https://app.example.com.evil.example.com", "http://app.example.com", `${LISTED}:8443`])(
    "may not where it is %s",
    async (origin) => {
      const { send, executions } = withOrigins();
      const sent = { origin, authorization: "" };
      const preflight = await send(EXECUTIONS, { method: "OPTIONS", headers: { ...sent, ...PREFLIGHT } });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([401, null]);
      const read = await send("/v1/workflows", { headers: { origin } });
      expect([read.headers.get("access-control-allow-origin"), read.headers.get("vary")]).toEqual([null, "Origin"]);
      const change = await send(`${EXECUTIONS}/x/cancel`, { method: "POST", headers: { origin } });
      expect([change.status, change.body.code]).toEqual([403, "FORBIDDEN"]);
      expect(executions.calls).toEqual([]);
    },
  );

  it("reads and changes with a token where it is listed, and sees why it is refused", async () => {
    const { send } = withOrigins();
    const headers = { origin: LISTED, "sec-fetch-site": "cross-site" };
    const changed = await send(`${EXECUTIONS}/x/cancel`, { method: "POST", headers });
    expect([changed.status, changed.headers.get("access-control-allow-origin")]).toEqual([202, LISTED]);
    expect(changed.headers.get("access-control-expose-headers")).toContain("Location");
    expect(changed.headers.get("access-control-allow-credentials")).toBeNull();
    const refused = await send("/v1/workflows", { headers: { ...headers, authorization: "" } });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, LISTED]);
    expect((await send("/nope", { headers })).headers.get("access-control-allow-origin")).toBe(LISTED);
  });

  it("changes on loopback without a token only where it is listed", async () => {
    const open = { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined };
    const { send } = withOrigins(["http://localhost:5173"], open);
    for (const [origin, status] of [
      ["http://localhost:5173", 202],
      ["http://localhost:5174", 403],
      [OTHER, 403],
    ] as const) {
      const headers = { origin, authorization: "" };
      const answer = await send(`${EXECUTIONS}/x/cancel`, { method: "POST", headers }, "http://localhost:8787");
      expect([origin, answer.status]).toEqual([origin, status]);
    }
  });

  it("gets no further by a name of its own for loopback, where no token is set", async () => {
    const { send, executions } = createTestApp({}, { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined });
    executions.put("order/x");
    const rebound = "http://rebound.example.com:8787";
    const headers = { origin: rebound, "sec-fetch-site": "same-origin", authorization: "" };
    const change = await send(`${EXECUTIONS}/x/cancel`, { method: "POST", headers }, rebound);
    expect([change.status, change.body.code]).toEqual([503, "NOT_CONFIGURED"]);
    expect((await send(`${EXECUTIONS}/x`, { headers }, rebound)).status).toBe(503);
    expect(executions.calls).toEqual([]);
  });
});

describe("the option cors", () => {
  it.each([
    [["*"], "cors[0]", '"*"'],
    [[LISTED, "https://app.example.com/"], "cors[1]", '"https://app.example.com/"'],
    [["app.example.com"], "cors[0]", "app.example.com"],
    [["https://App.example.com"], "cors[0]", "App"],
    [["https://app.example.com:443"], "cors[0]", ":443"],
    [["null"], "cors[0]", "null"],
    [["file:///x"], "cors[0]", "file"],
    [[5], "cors[0]", "5"],
    [LISTED, "cors", LISTED],
    [{ origin: LISTED }, "cors", "object"],
  ])("is refused at the construction where it is %j", (cors, field, value) => {
    // The cast: what the types refuse, JavaScript does not.
    const construct = () => createTestApp({ cors: cors as never });
    expect(construct).toThrow(`Cannot use ${field} as it must be`);
    expect(construct).toThrow(value);
  });

  it("does not follow its list", async () => {
    const cors = [LISTED];
    const { send } = createTestApp({ cors });
    cors.push(OTHER);
    expect(
      (await send("/healthz", { headers: { origin: OTHER } })).headers.get("access-control-allow-origin"),
    ).toBeNull();
  });
});
