import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../../src/index.ts";
import { decodeValue } from "../../../src/journal/value.ts";
import { encoded } from "./fake-executions.ts";
import { createTestApp, EXECUTIONS } from "./test-app.ts";

const SIGNALS = `${EXECUTIONS}/x/signals`;

function withExecution(...options: Parameters<typeof createTestApp>) {
  const test = createTestApp(...options);
  test.executions.put("order/x");
  return test;
}

describe("POST signals", () => {
  it("answers 202, and hands over the parsed value", async () => {
    const { send, executions } = withExecution();
    const answer = await send(`${SIGNALS}/approval`, { json: { approved: true, extra: 1 } });
    expect([answer.status, answer.body]).toEqual([202, { accepted: true, duplicate: false }]);
    const { value, ...request } = executions.last("signal");
    expect(request).toEqual({ name: "approval", waitMs: 0 });
    expect(decodeValue(value)).toEqual({ approved: true });
  });

  it("S75: passes the key on, and tells a duplicate", async () => {
    const { send, executions } = withExecution();
    const sending = { json: { approved: true }, headers: { "idempotency-key": "k" } };
    await send(`${SIGNALS}/approval`, sending);
    const again = await send(`${SIGNALS}/approval`, sending);
    expect([again.status, again.body]).toEqual([202, { accepted: true, duplicate: true }]);
    expect(executions.last("signal").key).toBe("k");
  });

  it("answers 200 with the view where a wait is preferred", async () => {
    const { send, executions } = withExecution();
    const answer = await send(`${SIGNALS}/approval`, { json: { approved: true }, headers: { prefer: "wait=3" } });
    expect([answer.status, answer.body["id"], answer.headers.get("preference-applied")]).toEqual([200, "x", "wait=3"]);
    expect(executions.last("signal").waitMs).toBe(3_000);
  });

  it.each([null, false, 0, "", [1], {}])("takes any JSON as a value: %j", async (json) => {
    const { send, executions } = withExecution();
    expect((await send(`${SIGNALS}/note`, { json })).status).toBe(202);
    expect(decodeValue(executions.last("signal").value)).toEqual(json);
  });

  it("case 86: takes an absent body as undefined, which is not null", async () => {
    const { send, executions } = withExecution();
    expect((await send(`${SIGNALS}/note`, { method: "POST" })).status).toBe(202);
    expect(decodeValue(executions.last("signal").value)).toBeUndefined();
    const empty = await send(`${SIGNALS}/note`, {
      method: "POST",
      body: "",
      headers: { "content-type": "application/json" },
    });
    expect([empty.status, empty.body.code]).toEqual([400, "INVALID_JSON"]);
  });

  it("takes real values in the codec's form", async () => {
    const { send, executions } = withExecution();
    const headers = { "content-type": "application/vnd.stepwell+json" };
    await send(`${SIGNALS}/note`, { body: encoded(new Map([["a", 1n]])), headers });
    expect(decodeValue(executions.last("signal").value)).toEqual(new Map([["a", 1n]]));
  });

  it.each(["nope", "constructor", "__proto__", "toString"])(
    "S61: answers 422 UNSUPPORTED to the undeclared signal %s",
    async (name) => {
      const { send, executions } = withExecution();
      const answer = await send(`${SIGNALS}/${name}`, { json: 1 });
      expect([answer.status, answer.body.code]).toEqual([422, "UNSUPPORTED"]);
      expect(executions.calls).toEqual([]);
    },
  );

  it("case 136: answers 422 with the path to a value that does not fit, and consumes nothing", async () => {
    const { send, executions } = withExecution();
    const answer = await send(`${SIGNALS}/approval`, { json: { approved: "yes" } });
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.issues?.map(({ path }) => path)).toEqual(["approved"]);
    expect(executions.calls).toEqual([]);
  });

  it("case 101: answers 413 to a value over maximumValueBytes", async () => {
    const { send, executions } = withExecution({ maximumValueBytes: 1_000 });
    const answer = await send(`${SIGNALS}/note`, { json: "x".repeat(1_001) });
    expect([answer.status, answer.body.code]).toEqual([413, "VALUE_TOO_LARGE"]);
    expect(executions.calls).toEqual([]);
  });

  it("bounds a value before its schema sees it", async () => {
    const seen: unknown[] = [];
    const note = z.any().transform((value) => seen.push(value));
    const workflows = [defineWorkflow({ name: "order", signals: { note } }, async () => 1)];
    const { send } = withExecution({ workflows, maximumValueBytes: 1_000 });
    expect((await send(`${SIGNALS}/note`, { json: "x".repeat(1_001) })).status).toBe(413);
    expect(seen).toEqual([]);
  });

  it("refuses a name that is no identifier", async () => {
    const { send } = withExecution();
    const answer = await send(`${SIGNALS}/a%20b`, { json: 1 });
    expect([answer.status, answer.body.code]).toEqual([422, "INVALID_ID"]);
  });

  it("case 128: answers 404 to an unknown id", async () => {
    const { send } = createTestApp();
    const answer = await send(`${SIGNALS}/note`, { json: 1 });
    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
  });

  it.each([
    ["EXECUTION_ENDED", 409],
    ["SIGNAL_LIMIT", 429],
    ["UNSUPPORTED", 422],
    ["NOT_CONFIGURED", 503],
  ] as const)("case 127: passes the object's refusal %s on as %i", async (code, status) => {
    const { send, executions } = withExecution();
    executions.refusal = { kind: "refused", code, message: "Cannot, as it says" };
    const answer = await send(`${SIGNALS}/note`, { json: 1 });
    expect([answer.status, answer.body.code, answer.body["detail"]]).toEqual([status, code, "Cannot, as it says"]);
  });

  it("validates by the schema of the execution's own version where several are deployed", async () => {
    const versions = [z.string(), z.number()].map((schema, index) =>
      defineWorkflow({ name: "order", version: String(index), signals: { note: schema } }, async () => 1),
    );
    const { send, executions } = createTestApp({ workflows: versions });
    executions.put("order/x", { version: "0" });
    expect((await send(`${SIGNALS}/note`, { json: "text" })).status).toBe(202);
    expect((await send(`${SIGNALS}/note`, { json: 1 })).status).toBe(422);
    executions.put("order/x", { version: "7" });
    const answer = await send(`${SIGNALS}/note`, { json: 1 });
    expect([answer.status, answer.body.code]).toEqual([503, "NOT_CONFIGURED"]);
  });
});

describe("POST cancel, terminate, pause and resume", () => {
  it.each(["cancel", "terminate", "pause", "resume"])("%s: 202 with the view", async (command) => {
    const { send, executions } = withExecution();
    const answer = await send(`${EXECUTIONS}/x/${command}`, { json: { reason: "because" } });
    expect([answer.status, answer.body["id"]]).toEqual([202, "x"]);
    expect(executions.last("command")).toEqual({ command, reason: "because" });
  });

  it("case 143: answers 200 where the execution already is so", async () => {
    const { send, executions } = withExecution();
    executions.put("order/x", { state: "paused" });
    expect((await send(`${EXECUTIONS}/x/pause`, { json: {} })).status).toBe(200);
  });

  it("needs no body, and takes an empty one whatever its type", async () => {
    const { send, executions } = withExecution();
    expect((await send(`${EXECUTIONS}/x/cancel`, { method: "POST" })).status).toBe(202);
    const headers = { "content-type": "application/json" };
    expect((await send(`${EXECUTIONS}/x/cancel`, { method: "POST", headers })).status).toBe(202);
    expect(executions.last("command")).toEqual({ command: "cancel" });
  });

  it.each([{ reason: 5 }, { reason: "x".repeat(1_025) }, { why: "x" }, []])("refuses the body %j", async (json) => {
    const { send, executions } = withExecution();
    const answer = await send(`${EXECUTIONS}/x/cancel`, { json });
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(executions.calls).toEqual([]);
  });

  it("answers 409 to an ended execution, 404 to an unknown one", async () => {
    const { send, executions } = withExecution();
    executions.refusal = { kind: "refused", code: "EXECUTION_ENDED", message: "ended" };
    expect((await send(`${EXECUTIONS}/x/cancel`, { json: {} })).body).toMatchObject({
      status: 409,
      code: "EXECUTION_ENDED",
    });
    expect((await send(`${EXECUTIONS}/nope/cancel`, { json: {} })).status).toBe(404);
  });
});

describe("DELETE execution", () => {
  it("answers 204 without a body, 409 while it has not ended, 404 to an unknown id", async () => {
    const { send, executions } = withExecution();
    const done = await send(`${EXECUTIONS}/x`, { method: "DELETE" });
    expect([done.status, done.text]).toEqual([204, ""]);
    executions.refusal = { kind: "refused", code: "EXECUTION_NOT_ENDED", message: "runs" };
    expect((await send(`${EXECUTIONS}/x`, { method: "DELETE" })).body).toMatchObject({
      status: 409,
      code: "EXECUTION_NOT_ENDED",
    });
    expect((await send(`${EXECUTIONS}/nope`, { method: "DELETE" })).status).toBe(404);
  });
});

describe("an object that cannot be reached", () => {
  it("is asked once more with a new stub where nothing is changed", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { send, executions } = withExecution();
    executions.faults.push(new Error("lost"));
    expect((await send(`${EXECUTIONS}/x`)).status).toBe(200);
    executions.faults.push(new Error("lost"), new Error("secret"));
    const answer = await send(`${EXECUTIONS}/x`);
    expect([answer.status, answer.body.code, answer.headers.get("retry-after")]).toEqual([503, "UNAVAILABLE", "1"]);
    expect(answer.text).not.toContain("secret");
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
  });

  it("is told a change only once, and an overloaded one is asked only once", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { send, executions } = withExecution();
    executions.faults.push(new Error("lost"));
    expect((await send(`${EXECUTIONS}/x/cancel`, { json: {} })).status).toBe(503);
    expect(executions.calls).toHaveLength(1);
    executions.faults.push(Object.assign(new Error("too much"), { overloaded: true }));
    expect((await send(`${EXECUTIONS}/x`)).status).toBe(503);
    expect(executions.calls).toHaveLength(2);
    log.mockRestore();
  });
});
