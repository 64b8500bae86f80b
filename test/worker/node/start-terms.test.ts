import { describe, expect, it } from "vitest";
import { createTestApp, EXECUTIONS } from "./test-app.ts";

const INPUT = { sku: "a" };
const YEAR_MS = 365 * 86_400_000;

describe("POST executions with more than an input", () => {
  it("hands over when to start, the deadline and the attributes", async () => {
    const { send, executions } = createTestApp();
    const attributes = { customer: "c-7", cents: 5, express: false };
    const startAt = Date.now() + 60_000;
    const budget = { attempts: 5, bytes: 1_000 };
    const json = { input: INPUT, startAt, deadline: "2h", attributes, budget };
    expect((await send(EXECUTIONS, { json })).status).toBe(201);
    expect(executions.last("start")).toMatchObject({ startAt, deadlineMs: 7_200_000, attributes, budget });
    await send(EXECUTIONS, { json: { input: INPUT, startAt: "2026-01-01T00:00:00+01:00", deadline: 5 } });
    expect(executions.last("start")).toMatchObject({ startAt: Date.UTC(2025, 11, 31, 23), deadlineMs: 5 });
  });

  it("hands over none of them where none was sent", async () => {
    const { send, executions } = createTestApp();
    await send(EXECUTIONS, { json: { input: INPUT } });
    const keys = Object.keys(executions.last("start"));
    expect(keys.filter((key) => ["startAt", "deadlineMs", "attributes", "budget"].includes(key))).toEqual([]);
  });

  it("hands over the trace that it belongs to, and none where the header is invalid", async () => {
    const { send, executions } = createTestApp();
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const start = async (headers: Readonly<Record<string, string>>) => {
      expect((await send(EXECUTIONS, { json: { input: INPUT }, headers })).status).toBe(201);
      return executions.last("start").trace;
    };
    expect(await start({ traceparent, tracestate: "a=1" })).toEqual({ traceparent, tracestate: "a=1" });
    expect(await start({ traceparent: traceparent.slice(1), tracestate: "a=1" })).toBeUndefined();
    expect(await start({})).toBeUndefined();
  });

  it("they make no other start: the same input under the same id is the same", async () => {
    const { send } = createTestApp();
    await send(EXECUTIONS, { json: { input: INPUT, id: "x" } });
    const again = await send(EXECUTIONS, { json: { input: INPUT, id: "x", attributes: { a: 1 }, deadline: "1h" } });
    expect(again.status).toBe(200);
  });

  it.each([
    [{ startAt: "2026-11-30T09:00:00" }, "startAt"],
    [{ startAt: Date.now() + 2 * YEAR_MS }, "startAt"],
    [{ startAt: null }, "startAt"],
    [{ deadline: "366d" }, "deadline"],
    [{ deadline: 0 }, "deadline"],
    [{ deadline: "soon" }, "deadline"],
    [{ budget: { attempts: 0 } }, "budget"],
    [{ budget: { rows: 5 } }, "budget"],
    [{ budget: 5 }, "budget"],
    [{ attributes: { a: null } }, "attributes"],
    [{ attributes: [1] }, "attributes"],
    [{ attributes: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${i}`, i])) }, "attributes"],
  ])("refuses %j: 422 with the path, and reaches no object", async (terms, path) => {
    const { send, executions } = createTestApp();
    const answer = await send(EXECUTIONS, { json: { input: INPUT, ...terms } });
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.issues).toMatchObject([{ path, message: expect.stringContaining("Cannot ") }]);
    expect(executions.calls).toEqual([]);
  });

  it("shows the attributes, the deadline and the start that is to come", async () => {
    const { send, executions } = createTestApp();
    const waitingFor = [{ kind: "start", until: 9_000, because: "startAt" }] as const;
    executions.put("order/x", { state: "waiting", waitingFor, deadlineAt: 99_000, attributes: { a: 1 } });
    const { body } = await send(`${EXECUTIONS}/x`);
    expect(body).toMatchObject({ state: "waiting", waitingFor, deadlineAt: 99_000, attributes: { a: 1 } });
  });
});
