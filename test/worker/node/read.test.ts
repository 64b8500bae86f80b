import { describe, expect, it } from "vitest";
import { decodeParsed } from "../../../src/journal/value.ts";
import { encoded } from "./fake-executions.ts";
import { createTestApp, EXECUTIONS } from "./test-app.ts";

const VALUES = { accept: "application/vnd.stepwell+json" };

describe("GET execution", () => {
  it("shows progress and outcome as plain JSON", async () => {
    const { send, executions } = createTestApp();
    const outcome = { kind: "completed", value: encoded({ at: new Date(5), big: 7n, no: undefined }) } as const;
    executions.put("order/x", { state: "completed", endedAt: 9, progress: encoded(new Map([[1, "a"]])), outcome });
    const answer = await send(`${EXECUTIONS}/x`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: "x", state: "completed", endedAt: 9, progress: [[1, "a"]] });
    expect(answer.body["outcome"]).toEqual({ kind: "completed", value: { at: "1970-01-01T00:00:00.005Z", big: "7" } });
  });

  it("shows real values, whatever their depth, to who asks for the codec's form", async () => {
    const { send, executions } = createTestApp();
    let deep: unknown = new Date(5);
    for (let level = 0; level < 499; level += 1) deep = [deep];
    executions.put("order/x", { state: "completed", outcome: { kind: "completed", value: encoded(deep) } });
    const answer = await send(`${EXECUTIONS}/x`, { headers: VALUES });
    expect(answer.headers.get("content-type")).toBe("application/vnd.stepwell+json");
    const { value } = answer.body["outcome"] as { readonly value: unknown };
    expect(decodeParsed(value)).toEqual(deep);
    expect((await send(`${EXECUTIONS}/x`)).status).toBe(200);
  });

  it("case 128: answers 404 to an unknown id", async () => {
    const { send } = createTestApp();
    for (const path of ["", "/result", "/journal", "/journal/3/value"]) {
      const answer = await send(`${EXECUTIONS}/nope${path}`);
      expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    }
  });

  it("case 213: answers 404 to the id of another workflow", async () => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    expect((await send("/v1/workflows/tick/executions/x")).status).toBe(404);
    expect(executions.calls).toMatchObject([{ name: "tick/x" }]);
  });

  it.each(["a%2Fb", "a%20b", "%231", "x%3Fy", "%C3%A9", "%F0%9F%A6%81", "x".repeat(10_000), "%00", "a%0Ab"])(
    "case 206: refuses the id %s",
    async (id) => {
      const { send, executions } = createTestApp();
      const answer = await send(`${EXECUTIONS}/${id}`);
      expect([answer.status, answer.body.code]).toEqual([422, "INVALID_ID"]);
      expect(executions.calls).toEqual([]);
    },
  );

  it.each(["%E0%A4%A", "%", "%zz", "%FF"])("case 207: answers 400 to the malformed path %s", async (id) => {
    const { send, executions } = createTestApp();
    const answer = await send(`${EXECUTIONS}/${id}`);
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_PATH"]);
    expect(executions.calls).toEqual([]);
  });

  it("answers HEAD as GET, without a body", async () => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    const answer = await send(`${EXECUTIONS}/x`, { method: "HEAD" });
    expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([200, "", "application/json"]);
  });
});

describe("GET result", () => {
  it("answers 200 with the outcome, for each kind of end", async () => {
    const { send, executions } = createTestApp();
    const failed = {
      kind: "failed",
      declared: true,
      code: "OUT_OF_STOCK",
      message: "none",
      details: encoded({ n: 1n }),
    } as const;
    executions.put("order/a", { state: "completed", outcome: { kind: "completed", value: encoded(false) } });
    executions.put("order/b", { state: "failed", outcome: failed });
    executions.put("order/c", { state: "cancelled", outcome: { kind: "cancelled" } });
    expect((await send(`${EXECUTIONS}/a/result`)).body).toEqual({ kind: "completed", value: false });
    expect((await send(`${EXECUTIONS}/b/result`)).body).toEqual({ ...failed, details: { n: "1" } });
    const cancelled = await send(`${EXECUTIONS}/c/result`);
    expect([cancelled.status, cancelled.body]).toEqual([200, { kind: "cancelled" }]);
  });

  it("case 181: leaves an undefined value out, gives false, 0 and empty text as they are, and NaN and cycles a documented form", async () => {
    const { send, executions } = createTestApp();
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const forms: readonly (readonly [unknown, object])[] = [
      [undefined, { kind: "completed" }],
      [null, { kind: "completed", value: null }],
      [false, { kind: "completed", value: false }],
      [0, { kind: "completed", value: 0 }],
      ["", { kind: "completed", value: "" }],
      [Number.NaN, { kind: "completed", value: "NaN" }],
      [[undefined], { kind: "completed", value: [null] }],
      [cycle, { kind: "completed", value: { self: { $ref: "" } } }],
    ];
    for (const [value, body] of forms) {
      executions.put("order/a", { state: "completed", outcome: { kind: "completed", value: encoded(value) } });
      expect((await send(`${EXECUTIONS}/a/result`)).body).toEqual(body);
    }
  });

  it("answers 202 with the view and Retry-After while there is none, and waits as preferred", async () => {
    const { send, executions } = createTestApp();
    executions.put("order/a", { state: "paused", reason: { code: "CRASH_LOOP", message: "ten deaths" } });
    const answer = await send(`${EXECUTIONS}/a/result`, { headers: { prefer: "wait=2" } });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.headers.get("preference-applied")).toBe("wait=2");
    expect(answer.body).toMatchObject({ state: "paused", reason: { code: "CRASH_LOOP" } });
    expect(executions.last("result")).toBe(2_000);
  });
});

describe("GET journal", () => {
  const ENTRIES = [
    { entry: 0, type: "started", at: 1, input: JSON.parse(encoded({ when: new Date(5) })) },
    { entry: 1, type: "attempt-started", at: 1, op: 0, kind: "step", name: "ship" },
    { entry: 2, type: "step-completed", at: 2, op: 0, value: { blob: 2, length: 70_000 } },
    { entry: 3, type: "completed", at: 3, value: JSON.parse(encoded(undefined)) },
  ];

  it("shows values as plain JSON, and large ones as a link that answers with them", async () => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    executions.entries = JSON.stringify(ENTRIES);
    executions.next = 4;
    executions.values.set(2, encoded({ big: new Date(7) }));
    const { body } = await send(`${EXECUTIONS}/x/journal`);
    const link = `${EXECUTIONS}/x/journal/2/value`;
    expect(body).toEqual({
      next: 4,
      entries: [
        { entry: 0, type: "started", at: 1, input: { when: "1970-01-01T00:00:00.005Z" } },
        ENTRIES[1],
        { entry: 2, type: "step-completed", at: 2, op: 0, value: { $value: link, length: 70_000 } },
        { entry: 3, type: "completed", at: 3 },
      ],
    });
    expect((await send(link)).body).toEqual({ big: "1970-01-01T00:00:00.007Z" });
    expect(decodeParsed((await send(link, { headers: VALUES })).body)).toEqual({ big: new Date(7) });
    expect((await send(`${EXECUTIONS}/x/journal/3/value`)).status).toBe(404);
  });

  it("keeps the values of entries in the codec's form for who asks for it", async () => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    executions.entries = JSON.stringify(ENTRIES);
    const { body } = await send(`${EXECUTIONS}/x/journal`, { headers: VALUES });
    const entries = body["entries"] as readonly { readonly input?: unknown; readonly value?: unknown }[];
    expect(decodeParsed(entries[0]?.input)).toEqual({ when: new Date(5) });
    expect(entries[3]?.value).toBe(-1);
  });

  it.each([
    [
      "shows the details of an end that rollbacks come before",
      encoded({ when: new Date(5) }),
      { when: "1970-01-01T00:00:00.005Z" },
    ],
    ["links large ones", '{"blob":4,"length":70000}', { $value: `${EXECUTIONS}/x/journal/4/value`, length: 70_000 }],
  ])("%s", async (_, text, details) => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    const outcome = { type: "failed", declared: true, code: "NO", message: "No.", details: JSON.parse(text), at: 4 };
    executions.entries = JSON.stringify([{ entry: 4, type: "ending", at: 4, outcome }]);
    const { body } = await send(`${EXECUTIONS}/x/journal`);
    expect(body["entries"]).toEqual([{ entry: 4, type: "ending", at: 4, outcome: { ...outcome, details } }]);
  });

  it("asks for 100 entries from the first one unless told otherwise", async () => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    await send(`${EXECUTIONS}/x/journal`);
    expect(executions.last("journal")).toEqual({ from: 0, limit: 100 });
    expect((await send(`${EXECUTIONS}/x/journal?limit=1000&from=25&other=1`)).status).toBe(200);
    expect(executions.last("journal")).toEqual({ from: 25, limit: 1_000 });
  });

  it.each([
    "limit=0",
    "limit=-1",
    "limit=1001",
    "limit=1e9",
    "limit=abc",
    "limit=",
    "limit=5&limit=6",
    "from=-1",
    "from=1.5",
    "from=99999999999999999999",
  ])("case 218: answers 422 to ?%s", async (query) => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    const answer = await send(`${EXECUTIONS}/x/journal?${query}`);
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.issues?.[0]?.path).toBe(query.split("=")[0]);
    expect(executions.calls).toEqual([]);
  });

  it.each(["abc", "-1", "1.5"])("answers 422 to the value of an entry %s", async (entry) => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    expect((await send(`${EXECUTIONS}/x/journal/${entry}/value`)).status).toBe(422);
    expect(executions.calls).toEqual([]);
  });
});

describe("GET workflows", () => {
  it("lists what is deployed, with JSON Schemas where the library gives them", async () => {
    const { send } = createTestApp();
    const answer = await send("/v1/workflows");
    const [order, tick] = answer.body["workflows"] as readonly Record<
      string,
      Record<string, Record<string, unknown>>
    >[];
    expect(order).toMatchObject({ name: "order", signals: ["approval", "note"], errors: ["OUT_OF_STOCK"] });
    expect(order?.["schemas"]?.["input"]).toMatchObject({ type: "object", required: ["sku"] });
    expect(order?.["schemas"]?.["signals"]?.["approval"]).toMatchObject({ required: ["approved"] });
    // JSON Schema has no words for its Date.
    expect(order?.["schemas"]).not.toHaveProperty("output");
    expect(tick).toEqual({
      name: "tick",
      signals: [],
      errors: [],
      schemas: { signals: {}, errors: {} },
      links: { executions: "/v1/workflows/tick/executions" },
    });
  });
});

describe("the form of an answer", () => {
  it.each([
    ["*/*", "application/json"],
    ["application/*;q=0.5", "application/json"],
    ["text/html, application/json;q=0.1", "application/json"],
    ["application/vnd.stepwell+json, application/problem+json", "application/vnd.stepwell+json"],
    ["application/vnd.stepwell+json;q=0.5, application/json", "application/json"],
    ["application/json, application/vnd.stepwell+json", "application/json"],
    ["*/*, application/vnd.stepwell+json", "application/vnd.stepwell+json"],
    ["application/json;q=0, */*", "application/vnd.stepwell+json"],
  ])("for Accept: %s is %s", async (accept, type) => {
    const { send, executions } = createTestApp();
    executions.put("order/x");
    expect((await send(`${EXECUTIONS}/x`, { headers: { accept } })).headers.get("content-type")).toBe(type);
  });

  it.each(["text/html", "application/json;q=0", "application/json;q=x", "image/*, text/*"])(
    "is none for Accept: %s, and nothing happens",
    async (accept) => {
      const { send, executions } = createTestApp();
      const answer = await send(EXECUTIONS, { json: { input: { sku: "a" } }, headers: { accept } });
      expect([answer.status, answer.body.code]).toEqual([406, "NOT_ACCEPTABLE"]);
      expect(executions.calls).toEqual([]);
    },
  );
});
