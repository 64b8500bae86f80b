import { describe, expect, it } from "vitest";
import { decodeValue } from "../../../src/journal/value.ts";
import { defineWorkflow } from "../../../src/index.ts";
import { encoded } from "./fake-executions.ts";
import { createTestApp, EXECUTIONS } from "./test-app.ts";

const INPUT = { sku: "a" };

describe("POST executions", () => {
  it("answers 201 with the view, its links and its location", async () => {
    const { send, executions } = createTestApp();
    const answer = await send(EXECUTIONS, { json: { input: INPUT, id: "order-42" } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("location")).toBe(`${EXECUTIONS}/order-42`);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toMatchObject({ id: "order-42", workflow: "order", state: "running" });
    expect(answer.body["links"]).toMatchObject({
      self: `${EXECUTIONS}/order-42`,
      result: `${EXECUTIONS}/order-42/result`,
      journal: `${EXECUTIONS}/order-42/journal`,
    });
    expect(executions.calls).toMatchObject([{ name: "order/order-42", method: "start", argument: { waitMs: 0 } }]);
  });

  it("hands over the parsed input, and a hash of the input as it came", async () => {
    const { send, executions } = createTestApp();
    await send(EXECUTIONS, { json: { input: { sku: "a", extra: 1 }, id: "x" } });
    const first = executions.last("start");
    expect(decodeValue(first.input)).toEqual({ sku: "a", lines: [] });
    await send(EXECUTIONS, {
      body: '{"id":"x","input":{"extra":1,"sku":"a"}}',
      headers: { "content-type": "application/json" },
    });
    expect(executions.last("start").inputHash).toBe(first.inputHash);
    await send(EXECUTIONS, { json: { input: { sku: "a", extra: 2 }, id: "x" } });
    expect(executions.last("start").inputHash).not.toBe(first.inputHash);
  });

  it("S61 case 171: answers 200 to the same start again and 409 ID_CONFLICT to another one with its id", async () => {
    const { send } = createTestApp();
    await send(EXECUTIONS, { json: { input: INPUT, id: "x" } });
    expect((await send(EXECUTIONS, { json: { input: INPUT, id: "x" } })).status).toBe(200);
    const conflict = await send(EXECUTIONS, { json: { input: { sku: "b" }, id: "x" } });
    expect(conflict.status).toBe(409);
    expect(conflict.headers.get("content-type")).toBe("application/problem+json");
    expect(conflict.body).toMatchObject({
      type: "urn:stepwell:problem:id-conflict",
      title: "The id is taken",
      status: 409,
      code: "ID_CONFLICT",
      detail: "Cannot start as the id is taken",
    });
  });

  it("case 172: keeps the ids of two workflows apart", async () => {
    const { send, executions } = createTestApp();
    await send(EXECUTIONS, { json: { input: INPUT, id: "x" } });
    expect((await send("/v1/workflows/tick/executions", { json: { id: "x" } })).status).toBe(201);
    expect([...executions.stored.keys()]).toEqual(["order/x", "tick/x"]);
  });

  it("S74: derives the id from the Idempotency-Key, the workflow included", async () => {
    const { send } = createTestApp();
    const headers = { "idempotency-key": "key 1" };
    const first = await send(EXECUTIONS, { json: { input: INPUT }, headers });
    expect(first.status).toBe(201);
    expect(first.body["id"]).toMatch(/^k-[A-Za-z0-9_-]{32}$/);
    const again = await send(EXECUTIONS, { json: { input: INPUT }, headers });
    expect([again.status, again.body["id"]]).toEqual([200, first.body["id"]]);
    const other = await send("/v1/workflows/tick/executions", { json: {}, headers });
    expect(other.body["id"]).not.toBe(first.body["id"]);
  });

  it("derives the documented id from a key, for ever", async () => {
    const { send } = createTestApp();
    const answer = await send(EXECUTIONS, { json: { input: INPUT }, headers: { "idempotency-key": "abc" } });
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("order\0abc"));
    const expected = Buffer.from(digest).toString("base64url").slice(0, 32);
    expect(answer.body["id"]).toBe(`k-${expected}`);
  });

  it("lets the id rule over the key, and makes a UUIDv7 without both", async () => {
    const { send } = createTestApp();
    const both = await send(EXECUTIONS, { json: { input: INPUT, id: "mine" }, headers: { "idempotency-key": "k" } });
    expect(both.body["id"]).toBe("mine");
    const neither = await send(EXECUTIONS, { json: { input: INPUT } });
    expect(neither.body["id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("refuses a key that is empty or longer than 256 characters", async () => {
    const { send, executions } = createTestApp();
    for (const key of ["", "k".repeat(257)]) {
      const answer = await send(EXECUTIONS, { json: { input: INPUT }, headers: { "idempotency-key": key } });
      expect([answer.status, answer.body.code]).toEqual([422, "INVALID_ID"]);
    }
    expect(executions.calls).toEqual([]);
  });

  it.each([
    ["wait=5", 5_000, "wait=5"],
    ["wait=61", 60_000, "wait=60"],
    ["wait=99999999999999999999", 60_000, "wait=60"],
    ['respond-async, Wait="7"; x=1', 7_000, "wait=7"],
    ["wait=0", 0, "wait=0"],
  ])("honours Prefer: %s", async (prefer, waitMs, applied) => {
    const { send, executions } = createTestApp();
    const answer = await send(EXECUTIONS, { json: { input: INPUT }, headers: { prefer } });
    expect(executions.last("start").waitMs).toBe(waitMs);
    expect(answer.headers.get("preference-applied")).toBe(applied);
  });

  it.each([
    "wait=-1",
    "wait=abc",
    "wait=1.5",
    "wait=1e3",
    "wait",
    "wait=",
    "",
    ";;;",
    'x="wait=5',
    "wait =x, wait=5",
    "a, b;c, d",
  ])("case 186: ignores Prefer: %s", async (prefer) => {
    const { send, executions } = createTestApp();
    const answer = await send(EXECUTIONS, { json: { input: INPUT }, headers: { prefer } });
    expect(answer.status).toBe(201);
    expect(executions.last("start").waitMs).toBe(0);
    expect(answer.headers.has("preference-applied")).toBe(false);
  });

  it("starts on the version that was registered last", async () => {
    const versions = ["1", "2"].map((version) => defineWorkflow({ name: "order", version }, async () => 1));
    const { send, executions } = createTestApp({ workflows: versions });
    await send(EXECUTIONS, { json: {} });
    expect(executions.last("start").version).toBe("2");
  });

  it("takes the value codec's form, and gives the same hash for the same input", async () => {
    const { send, executions } = createTestApp();
    const body = JSON.stringify({ id: "x", input: JSON.parse(encoded({ sku: "a", when: new Date(5) })) });
    const headers = { "content-type": "application/vnd.stepwell+json; charset=UTF-8" };
    expect((await send("/v1/workflows/tick/executions", { body, headers })).status).toBe(201);
    expect(decodeValue(executions.last("start").input)).toEqual({ sku: "a", when: new Date(5) });
    await send(EXECUTIONS, { json: { input: INPUT, id: "json" } });
    const { inputHash } = executions.last("start");
    await send(EXECUTIONS, { body: JSON.stringify({ id: "y", input: JSON.parse(encoded(INPUT)) }), headers });
    expect(executions.last("start").inputHash).toBe(inputHash);
  });

  it.each(["{}", '"x"', '[["Map",7]]', "[[9]]", "true", '[["Nope",1],2]'])(
    "answers 400 where a value is none of the codec's: %s",
    async (input) => {
      const { send, executions } = createTestApp();
      const headers = { "content-type": "application/vnd.stepwell+json" };
      const answer = await send("/v1/workflows/tick/executions", { body: `{"input":${input}}`, headers });
      expect([answer.status, answer.body.code]).toEqual([400, "INVALID_JSON"]);
      expect(executions.calls).toEqual([]);
    },
  );

  it("needs no body where nothing has to be said", async () => {
    const { send, executions } = createTestApp();
    expect((await send("/v1/workflows/tick/executions", { method: "POST" })).status).toBe(201);
    expect(decodeValue(executions.last("start").input)).toBeUndefined();
  });
});
