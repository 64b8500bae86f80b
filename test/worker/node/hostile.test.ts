import { afterEach, describe, expect, it, vi } from "vitest";
import { callbackKeys } from "../../../src/execution/callback-keys.ts";
import { signCallback } from "../../../src/execution/callback-token.ts";
import { hashText } from "../../../src/journal/draw.ts";
import { decodeValue } from "../../../src/journal/value.ts";
import { roleByToken } from "../../../src/worker/auth.ts";
import { createTestApp, EXECUTIONS, type Sending, TOKEN } from "./test-app.ts";

const TICKS = "/v1/workflows/tick/executions";
const JSON_TYPE = { "content-type": "application/json" };
const VALUE_TYPE = { "content-type": "application/vnd.stepwell+json" };
const KEY = callbackKeys({ STEPWELL_TOKEN: TOKEN }, "flows.example.com").signing ?? new Uint8Array();
const CALLBACK = `/v1/callbacks/${signCallback({ workflow: "order", id: "x", startedAt: 1_000, callback: "c" }, KEY)}`;

/** Names that objects of JavaScript have by themselves. */
const INHERITED = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];

/** Every route that reads a body. */
const BODIES = [
  TICKS,
  `${EXECUTIONS}/x/signals/note`,
  `${EXECUTIONS}/x/cancel`,
  `${EXECUTIONS}/x/terminate`,
  `${EXECUTIONS}/x/pause`,
  `${EXECUTIONS}/x/resume`,
  `${EXECUTIONS}/x/fork`,
  CALLBACK,
  "/dashboard/session",
];

function withExecution(options = {}) {
  const test = createTestApp(options);
  test.executions.put("order/x");
  return test;
}

afterEach(() => void vi.restoreAllMocks());

describe("a name that objects have by themselves", () => {
  it.each(INHERITED)("is no workflow, no signal and no parameter: %s", async (name) => {
    const { send, executions } = withExecution();
    const workflow = await send(`/v1/workflows/${name}/executions`, { json: {} });
    expect([workflow.status, workflow.body.code]).toEqual([404, "NOT_FOUND"]);
    const signal = await send(`${EXECUTIONS}/x/signals/${name}`, { json: 1 });
    expect([signal.status, signal.body.code]).toEqual([422, "UNSUPPORTED"]);
    expect(executions.calls.filter(({ method }) => method !== "view")).toEqual([]);
    expect((await send(`${EXECUTIONS}/x/journal?${name}=1`)).status).toBe(200);
  });

  it.each(INHERITED)("is a field too many in a body: %s", async (name) => {
    const { send, executions } = withExecution();
    for (const path of [TICKS, `${EXECUTIONS}/x/cancel`, `${EXECUTIONS}/x/fork`, "/dashboard/session"]) {
      const body = `{"${name}":{"id":"y","reason":"r","token":"${TOKEN}"}}`;
      const { status, body: problem } = await send(path, { body, headers: JSON_TYPE });
      expect([path, status, problem.code]).toEqual([path, 422, "VALIDATION_ERROR"]);
    }
    expect(executions.calls).toEqual([]);
  });

  it("is kept as what it is in values and attributes, and changes no other object", async () => {
    const { send, executions } = withExecution();
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const sending = { body: `{"input":${text},"attributes":{"__proto__":"a"}}`, headers: JSON_TYPE };
    expect((await send(TICKS, sending)).status).toBe(201);
    const { input, attributes } = executions.last("start");
    expect(JSON.stringify(decodeValue(input))).toBe(text);
    expect(Object.entries(attributes ?? {})).toEqual([["__proto__", "a"]]);
    await send(`${EXECUTIONS}/x/signals/note`, { body: text, headers: JSON_TYPE });
    expect(JSON.stringify(decodeValue(executions.last("signal").value))).toBe(text);
    expect({}).not.toHaveProperty("polluted");
    expect(Object.prototype).not.toHaveProperty("polluted");
  });
});

describe("a name of 10 KB", () => {
  const long = "x".repeat(10_240);

  it.each([
    ["a workflow", { path: `/v1/workflows/${long}/executions`, status: 404, json: {} }],
    ["an id", { path: `${EXECUTIONS}/${long}`, status: 422 }],
    ["an id in a body", { path: TICKS, status: 422, json: { id: long } }],
    ["a signal", { path: `${EXECUTIONS}/x/signals/${long}`, status: 422, json: 1 }],
    ["a key", { path: TICKS, status: 422, json: {}, headers: { "idempotency-key": long } }],
    ["a callback", { path: `/v1/callbacks/${long}`, status: 404, json: {} }],
    ["an entry", { path: `${EXECUTIONS}/x/journal/${"9".repeat(10_240)}/value`, status: 422 }],
    ["an attribute", { path: TICKS, status: 422, json: { attributes: { [long]: 1 } } }],
    ["a reason", { path: `${EXECUTIONS}/x/cancel`, status: 422, json: { reason: long } }],
    ["a parameter", { path: `${EXECUTIONS}/x/journal?from=${"1".repeat(10_240)}`, status: 422 }],
    ["an event", { path: `${EXECUTIONS}/x/events`, status: 422, headers: { "last-event-id": "1".repeat(10_240) } }],
  ] satisfies readonly (readonly [string, Sending & { path: string; status: number }])[])(
    "is refused as that of %s, in a short answer, before any object hears of it",
    async (_, { path, status, ...sending }) => {
      const { send, executions } = withExecution();
      const answer = await send(path, sending);
      expect(answer.status).toBe(status);
      expect(answer.text.length).toBeLessThan(1_000);
      expect(executions.calls).toEqual([]);
    },
  );
});

describe("a body", () => {
  it("whose key comes twice counts with the last one, for the schema and for what is the same start", async () => {
    const { send, executions } = withExecution();
    await send(EXECUTIONS, { body: '{"id":"a/b","id":"twice","input":{"sku":1,"sku":"a"}}', headers: JSON_TYPE });
    const { id, input, inputHash } = executions.last("start");
    expect([id, decodeValue(input)]).toEqual(["twice", { sku: "a", lines: [] }]);
    await send(EXECUTIONS, { json: { id: "once", input: { sku: "a" } } });
    expect(executions.last("start").inputHash).toBe(inputHash);
  });

  it.each(BODIES)(
    "nested without end is refused and nothing else: %s",
    async (path) => {
      const { send, executions } = withExecution();
      for (const depth of [600, 50_000]) {
        for (const [open, close] of [
          ["[", "]"],
          ['{"a":', "}"],
        ] as const) {
          const deep = open.repeat(depth) + (open === "[" ? "" : "1") + close.repeat(depth);
          for (const [body, headers] of [
            [deep, JSON_TYPE],
            [`{"input":${deep},"reason":${deep},"before":${deep}}`, JSON_TYPE],
            [deep, VALUE_TYPE],
          ] as const) {
            const answer = await send(path, { body, headers });
            expect([depth, [400, 413, 422].includes(answer.status)]).toEqual([depth, true]);
          }
        }
      }
      expect(executions.calls.filter(({ method }) => method !== "view")).toEqual([]);
    },
    60_000,
  );

  it.each([TICKS, `${EXECUTIONS}/x/signals/note`, CALLBACK])(
    "holds a value up to the bound and not a byte more: %s",
    async (path) => {
      const { send, executions } = withExecution({ maximumValueBytes: 1_000 });
      const isInput = path === TICKS;
      const value = (bytes: number) => "é".repeat(bytes / 2);
      const sendValue = async (bytes: number) =>
        (await send(path, { json: isInput ? { input: value(bytes) } : value(bytes) })).status;
      expect(await sendValue(1_000)).toBeLessThan(300);
      executions.calls.length = 0;
      expect(await sendValue(1_002)).toBe(413);
      expect(executions.calls.filter(({ method }) => method !== "view")).toEqual([]);
    },
  );

  it.each(BODIES)("that comes in pieces is read up to its bound, and no further: %s", async (path) => {
    const { fetch } = withExecution({ maximumValueBytes: 1_000 });
    const bound = (path === "/dashboard/session" ? 0 : 1_000) + 65_536;
    const send = async (length: number) => {
      let left = length;
      let isCancelled = false;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const piece = Math.min(left, 1_000);
          left -= piece;
          if (piece === 0) controller.close();
          else controller.enqueue(new Uint8Array(piece).fill(0x20));
        },
        cancel: () => void (isCancelled = true),
      });
      const headers = { authorization: `Bearer ${TOKEN}`, ...JSON_TYPE };
      const init = { method: "POST", body, headers, duplex: "half" };
      const { status } = await fetch(new Request(`https://flows.example.com${path}`, init));
      return { status, isCancelled };
    };
    // White space alone is no JSON.
    expect(await send(bound)).toEqual({ status: 400, isCancelled: false });
    expect(await send(bound + 1)).toMatchObject({ status: 413 });
    expect(await send(10_000_000)).toEqual({ status: 413, isCancelled: true });
  });

  it.each(BODIES)("of another type, compressed or not UTF-8, is not read: %s", async (path) => {
    const { send, executions } = withExecution();
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": "multipart/form-data; boundary=x" },
      { "content-type": "application/json; charset=latin1" },
      { "content-type": "application/jsonp" },
      { ...JSON_TYPE, "content-encoding": "gzip" },
    ]) {
      const answer = await send(path, { body: "{}", headers });
      expect([headers, answer.status, answer.body.code]).toEqual([headers, 415, "UNSUPPORTED_MEDIA_TYPE"]);
    }
    expect(executions.calls.filter(({ method }) => method !== "view")).toEqual([]);
  });
});

describe("a wait of nonsense", () => {
  const waits = ["wait=-1", "wait=NaN", "wait=Infinity", "wait=0x10", "wait=abc", "wait"];

  it.each(waits)("case 186: is none, for a result and a signal too: %s", async (prefer) => {
    const { send, executions } = withExecution();
    const result = await send(`${EXECUTIONS}/x/result`, { headers: { prefer } });
    expect([result.status, executions.last("result")]).toEqual([202, 0]);
    const signal = await send(`${EXECUTIONS}/x/signals/note`, { json: 1, headers: { prefer } });
    expect([signal.status, executions.last("signal").waitMs]).toEqual([202, 0]);
  });

  it.each(["wait=61", "wait=999999999999", `wait=${"9".repeat(400)}`])(
    "case 186: is a minute where it is longer: %s",
    async (prefer) => {
      const { send, executions } = withExecution();
      const result = await send(`${EXECUTIONS}/x/result`, { headers: { prefer } });
      expect([result.headers.get("preference-applied"), executions.last("result")]).toEqual(["wait=60", 60_000]);
    },
  );
});

describe("a token", () => {
  it("is compared in as many steps wherever it is wrong, and whichever is right", () => {
    const tokens = { full: "full-token-0123456789", read: "read-token-0123456789" };
    const steps = (presented: string) => {
      const spy = vi.spyOn(String.prototype, "charCodeAt");
      const role = roleByToken(presented, tokens);
      const { length } = spy.mock.calls;
      spy.mockRestore();
      return { role, length };
    };
    const { length } = steps("x".repeat(21));
    // Two characters for each of a hash, and twice, as there are two tokens.
    expect(length).toBe(4 * hashText("").length);
    for (const [presented, role] of [
      [tokens.full, "full"],
      [tokens.read, "read"],
      ["full-token-012345678x", undefined],
      ["xull-token-0123456789", undefined],
      ["x", undefined],
    ] as const) {
      expect(steps(presented)).toEqual({ role, length });
    }
  });

  it("case 216: of a callback opens nothing but that callback", async () => {
    const { send, executions } = withExecution();
    const token = CALLBACK.slice(CALLBACK.lastIndexOf("/") + 1);
    const headers = { authorization: `Bearer ${token}` };
    for (const [path, method] of [
      [`${EXECUTIONS}/x`, "GET"],
      [`${EXECUTIONS}/x/signals/note`, "POST"],
      [`${EXECUTIONS}/x/cancel`, "POST"],
    ] as const) {
      expect((await send(path, { method, headers })).status).toBe(401);
    }
    expect((await send(`${CALLBACK}/x`, { method: "POST", headers: { authorization: "" } })).status).toBe(401);
    expect(executions.calls).toEqual([]);
  });
});
