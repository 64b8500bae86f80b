import { describe, expect, it, vi } from "vitest";
import { defineWorkflow } from "../../../src/index.ts";
import { createTestApp, EXECUTIONS } from "./test-app.ts";

const INPUT = { sku: "a" };

describe("a start that is refused reaches no object", () => {
  it.each([
    ["case 208: empty", ""],
    ["case 208: truncated", '{"input":'],
    ["case 208: undefined", "undefined"],
    ["case 208: a byte order mark", "\ufeff{}"],
    ["case 208: two documents", "{}{}"],
  ])("%s: 400 INVALID_JSON", async (_name, body) => {
    const { send, executions } = createTestApp();
    const answer = await send(EXECUTIONS, { body, method: "POST", headers: { "content-type": "application/json" } });
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_JSON"]);
    expect(executions.calls).toEqual([]);
  });

  it("case 208: bytes that are no UTF-8: 400 INVALID_JSON", async () => {
    const { send } = createTestApp();
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const answer = await send(EXECUTIONS, { body, headers: { "content-type": "application/json" } });
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_JSON"]);
  });

  it.each([
    ["text/plain", undefined],
    ["application/x-www-form-urlencoded", undefined],
    ["application/json; charset=latin1", undefined],
    ["application/jsonx", undefined],
    ["application/json", "gzip"],
  ])("a body of %s (%s): 415", async (contentType, encoding) => {
    const { send, executions } = createTestApp();
    const headers = {
      "content-type": contentType,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    };
    const answer = await send(EXECUTIONS, { body: '{"input":{"sku":"a"}}', headers });
    expect([answer.status, answer.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    expect(executions.calls).toEqual([]);
  });

  it.each([
    [{ input: INPUT, priority: 5 }, "priority"],
    [{ input: INPUT, id: 5 }, "id"],
    [{ input: INPUT, id: null }, "id"],
    [[], ""],
    [null, ""],
    ["x", ""],
  ])("the body %j: 422 with the path", async (json, path) => {
    const { send, executions } = createTestApp();
    const answer = await send(EXECUTIONS, { json });
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.issues?.[0]?.path).toBe(path);
    expect(executions.calls).toEqual([]);
  });

  it("case 176: an input that does not fit: 422 with every path", async () => {
    const { send, executions } = createTestApp();
    const answer = await send(EXECUTIONS, { json: { input: { lines: [{ cents: 1 }, { cents: "x" }] } } });
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.issues?.map(({ path }) => path)).toEqual(["input.sku", "input.lines[1].cents"]);
    expect(executions.calls).toEqual([]);
  });

  it("an input of many faults: 422 with the first hundred", async () => {
    const { send } = createTestApp();
    const lines = Array.from({ length: 300 }, () => ({ cents: "x" }));
    const answer = await send(EXECUTIONS, { json: { input: { sku: "a", lines } } });
    expect(answer.body["detail"]).toContain("300 faults");
    expect(answer.body.issues).toHaveLength(100);
  });

  it("an input too deep for its schema's recursion: 422", async () => {
    const validate = () => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    const input = { "~standard": { version: 1, vendor: "x", validate } } as const;
    const { send, executions } = createTestApp({
      workflows: [defineWorkflow({ name: "order", input }, async () => 1)],
    });
    const answer = await send(EXECUTIONS, { json: { input: 1 } });
    expect([answer.status, answer.body.issues]).toEqual([
      422,
      [{ path: "input", message: "the value is nested too deeply" }],
    ]);
    expect(executions.calls).toEqual([]);
  });

  it("case 176: an unknown workflow: 404", async () => {
    const { send, executions } = createTestApp();
    for (const name of ["nope", "constructor", "__proto__", "Order", "%F0%9F%A6%81"]) {
      const answer = await send(`/v1/workflows/${name}/executions`, { json: {} });
      expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect(executions.calls).toEqual([]);
  });

  it.each(["a/b", "a%2Fb", "a b", "#1", "x?y", ".", "..", "é", "🦁", "", "x".repeat(129), 'a"b', "a\0b", "a\nb"])(
    "case 206: the id %j: 422 INVALID_ID",
    async (id) => {
      const { send, executions } = createTestApp();
      const answer = await send(EXECUTIONS, { json: { input: INPUT, id } });
      expect([answer.status, answer.body.code]).toEqual([422, "INVALID_ID"]);
      expect(executions.calls).toEqual([]);
    },
  );

  it.each(["constructor", "x".repeat(128), "A.b_c~d-9", "...", "__proto__"])("takes the id %s", async (id) => {
    const { send } = createTestApp();
    const answer = await send(EXECUTIONS, { json: { input: INPUT, id } });
    expect([answer.status, answer.body["id"]]).toEqual([201, id]);
  });

  it("case 103: an input nested beyond the journal's bound: 422", async () => {
    const { send, executions } = createTestApp();
    for (const depth of [600, 20_000]) {
      const body = `{"input":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      const answer = await send("/v1/workflows/tick/executions", {
        body,
        headers: { "content-type": "application/json" },
      });
      expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    }
    expect(executions.calls).toEqual([]);
  });

  it("a value over maximumValueBytes: 413", async () => {
    const { send, executions } = createTestApp({ maximumValueBytes: 1_000 });
    const answer = await send("/v1/workflows/tick/executions", { json: { input: "x".repeat(1_001) } });
    expect([answer.status, answer.body.code]).toEqual([413, "VALUE_TOO_LARGE"]);
    expect(executions.calls).toEqual([]);
    expect((await send("/v1/workflows/tick/executions", { json: { input: "x".repeat(900) } })).status).toBe(201);
  });

  it("a body without end: 413 as soon as it is over the bound", async () => {
    const { fetch, executions } = createTestApp({ maximumValueBytes: 1_000 });
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(10_000).fill(0x20));
      },
    });
    const init = {
      method: "POST",
      body,
      duplex: "half",
      headers: { authorization: "Bearer full-token", "content-type": "application/json" },
    };
    const answer = await fetch(new Request(`https://flows.example.com${EXECUTIONS}`, init));
    expect(answer.status).toBe(413);
    expect(pulled).toBeLessThan(12);
    expect(executions.calls).toEqual([]);
  });

  it("a declared length over the bound: 413 before anything is read", async () => {
    const { fetch } = createTestApp({ maximumValueBytes: 1_000 });
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({ pull: () => void (pulled += 1) }, { highWaterMark: 0 });
    const headers = {
      authorization: "Bearer full-token",
      "content-type": "application/json",
      "content-length": "9999999",
    };
    const init = { method: "POST", body, duplex: "half", headers };
    const answer = await fetch(new Request(`https://flows.example.com${EXECUTIONS}`, init));
    expect([answer.status, pulled]).toEqual([413, 0]);
  });

  it("a schema that throws: 500 without its message", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const input = {
      "~standard": { version: 1, vendor: "x", validate: () => Promise.reject(new Error("secret")) },
    } as const;
    const { send, executions } = createTestApp({
      workflows: [defineWorkflow({ name: "order", input }, async () => 1)],
    });
    const answer = await send(EXECUTIONS, { json: { input: 1 } });
    expect([answer.status, answer.body.code]).toEqual([500, "INTERNAL_ERROR"]);
    expect(answer.text).not.toContain("secret");
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
    expect(executions.calls).toEqual([]);
  });
});
