import { describe, expect, it } from "vitest";
import { createTestApp, EXECUTIONS, TOKEN } from "./test-app.ts";

describe("every answer", () => {
  it("is not to be stored, and carries its time", async () => {
    const { send } = createTestApp();
    for (const [path, authorization] of [
      ["/healthz", ""],
      ["/v1/workflows", `Bearer ${TOKEN}`],
      ["/v1/workflows", ""],
      ["/nope", `Bearer ${TOKEN}`],
    ] as const) {
      const { headers } = await send(path, { headers: { authorization } });
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("server-timing")).toMatch(/^total;dur=\d+$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
  });

  it.each([
    "/nope",
    "/v1",
    "/v1/workflows/",
    `${EXECUTIONS}/x/`,
    "//v1/workflows",
    "/openapi",
    "/docs/other.js",
    "/metrics/",
    "/v1/executions/x",
    "/v1/schedules/nightly",
    `${EXECUTIONS}/x/events/0`,
    `${EXECUTIONS}/x/forks`,
  ])("is a 404 in JSON for %s, which does not exist", async (path) => {
    const { send } = createTestApp();
    const answer = await send(path);
    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  });

  it.each([
    ["/v1/workflows", "GET, HEAD, OPTIONS"],
    [EXECUTIONS, "POST, OPTIONS"],
    [`${EXECUTIONS}/x`, "GET, HEAD, DELETE, OPTIONS"],
    [`${EXECUTIONS}/x/signals/note`, "POST, OPTIONS"],
  ])("is a 405 with Allow for a wrong method on %s", async (path, allow) => {
    const { send, executions } = createTestApp();
    const answer = await send(path, { method: "PATCH" });
    expect([answer.status, answer.body.code, answer.headers.get("allow")]).toEqual([405, "METHOD_NOT_ALLOWED", allow]);
    const options = await send(path, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
    expect(options.headers.has("access-control-allow-origin")).toBe(false);
    expect(executions.calls).toEqual([]);
  });
});
