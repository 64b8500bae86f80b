import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeValue } from "../../../src/journal/value.ts";
import { createTestApp, EXECUTIONS, requestOf, TOKEN } from "./test-app.ts";

const ORIGIN = "https://flows.example.com";
const TICKS = "/v1/workflows/tick/executions";

const anyText = fc.string({ unit: "binary", maxLength: 200 });
const anyId = fc.oneof(anyText, fc.stringMatching(/^[A-Za-z0-9._~-]{1,130}$/), fc.constantFrom(".", "..", "__proto__"));
const segment = fc.oneof(
  anyId.map((id) => encodeURIComponent(id.toWellFormed())),
  fc.stringMatching(/^[!-~]{0,20}$/),
  fc.constantFrom(
    "v1",
    "workflows",
    "order",
    "executions",
    "x",
    "result",
    "journal",
    "signals",
    "note",
    "cancel",
    "%",
    "",
  ),
);
const headerValue = fc.stringMatching(/^[ -~]{0,60}$/);
const method = fc.constantFrom("GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS");
const body = fc.oneof(fc.json(), anyText, fc.uint8Array({ maxLength: 100 }));
const headers = fc.dictionary(
  fc.constantFrom("accept", "prefer", "idempotency-key", "content-type", "content-encoding", "origin", "x-other"),
  fc.oneof(
    headerValue,
    fc.constantFrom("application/json", "application/vnd.stepwell+json", "wait=1", "*/*", "text/plain", ORIGIN),
  ),
);

function isValidId(id: string): boolean {
  return /^[A-Za-z0-9._~-]{1,128}$/.test(id) && id !== "." && id !== "..";
}

const request = fc.record({
  parts: fc.array(segment, { maxLength: 9 }),
  query: anyText,
  method,
  headers,
  body,
});

describe("whatever is sent", () => {
  it("is never answered with a 5xx by working objects, and errors are problem documents", async () => {
    const { executions, fetch } = createTestApp();
    executions.put("order/x");
    await fc.assert(
      fc.asyncProperty(request, async ({ parts, query, body: content, ...sending }) => {
        const url = `${ORIGIN}/${parts.join("/")}?${query.toWellFormed()}`;
        const payload = typeof content === "string" ? content.toWellFormed() : content;
        const bodiless = sending.method === "GET" || sending.method === "HEAD";
        const response = await fetch(requestOf(url, bodiless ? sending : { ...sending, body: payload }));
        const text = await response.text();
        expect(response.status).toBeLessThan(500);
        expect(response.headers.get("cache-control")).toBe("no-store");
        const isProblem = response.headers.get("content-type") === "application/problem+json";
        expect(isProblem).toBe(response.status >= 400);
        const { status } = isProblem && text !== "" ? (JSON.parse(text) as { readonly status: unknown }) : response;
        expect(status).toBe(response.status);
      }),
      { numRuns: 1_500 },
    );
  });

  it("reaches no object without a token", async () => {
    const { executions, fetch } = createTestApp();
    const authorization = headerValue.filter((value) => value.trim() !== `Bearer ${TOKEN}`);
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 9 }), method, authorization, async (parts, verb, value) => {
        const path = `/${parts.join("/")}`;
        const response = await fetch(
          requestOf(`${ORIGIN}${path}`, { method: verb, headers: { authorization: value } }),
        );
        expect(response.status).toBe(401);
        expect(executions.calls).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("case 206: is an id that works everywhere", async () => {
    const { executions, send } = createTestApp();
    await fc.assert(
      fc.asyncProperty(anyId.filter(isValidId), async (id) => {
        executions.calls.length = 0;
        const start = await send(TICKS, { json: { id } });
        expect([200, 201]).toContain(start.status);
        const location = start.headers.get("location") ?? "";
        expect(location).toBe(`${TICKS}/${encodeURIComponent(id)}`);
        expect((await send(location)).body["id"]).toBe(id);
        expect(executions.calls.map(({ name }) => name)).toEqual([`tick/${id}`, `tick/${id}`]);
      }),
      { numRuns: 300 },
    );
  });

  it("case 206: is refused as an id before any object hears of it", async () => {
    const { executions, send } = createTestApp();
    const isInvalid = (id: string) => !isValidId(id);
    await fc.assert(
      fc.asyncProperty(anyId.filter(isInvalid), async (id) => {
        const start = await send(TICKS, { json: { id } });
        expect([start.status, start.body.code]).toEqual([422, "INVALID_ID"]);
        expect(executions.calls).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("case 206: is never the same execution under another spelling of its path", async () => {
    const { executions, fetch } = createTestApp();
    await fc.assert(
      fc.asyncProperty(segment, async (part) => {
        executions.calls.length = 0;
        await fetch(requestOf(`${ORIGIN}${EXECUTIONS}/${part}`, {}));
        for (const { name } of executions.calls) expect(isValidId(name.slice("order/".length))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("case 96, case 97: arrives as the JSON that it was, as input and as signal", async () => {
    const { executions, send } = createTestApp();
    executions.put("order/x");
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: "binary", maxDepth: 6 }), async (value) => {
        const expected: unknown = JSON.parse(JSON.stringify(value));
        expect((await send(TICKS, { json: { input: value } })).status).toBe(201);
        expect(decodeValue(executions.last("start").input)).toEqual(expected);
        expect((await send(`${EXECUTIONS}/x/signals/note`, { json: value })).status).toBe(202);
        expect(decodeValue(executions.last("signal").value)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("S74: is the same start whatever the order of its keys", async () => {
    const { executions, send } = createTestApp();
    await fc.assert(
      fc.asyncProperty(fc.dictionary(anyText, fc.jsonValue({ maxDepth: 3 })), async (input) => {
        await send(TICKS, { json: { input } });
        const { inputHash } = executions.last("start");
        const entries = Object.entries(input).toReversed();
        const reversed = `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`;
        await send(TICKS, { body: `{"input":${reversed}}`, headers: { "content-type": "application/json" } });
        expect(executions.last("start").inputHash).toBe(inputHash);
      }),
      { numRuns: 300 },
    );
  });

  it("is taken or refused where it claims to be the value codec's text", async () => {
    const { executions, send } = createTestApp();
    executions.put("order/x");
    const tag = fc.constantFrom(
      "Date",
      "Map",
      "Set",
      "RegExp",
      "URL",
      "BigInt",
      "Error",
      "Entries",
      "Uint8Array",
      "Object",
    );
    const node = fc.oneof(
      fc.integer({ min: -8, max: 6 }),
      fc.array(fc.integer({ min: -8, max: 6 }), { maxLength: 5 }),
      fc.dictionary(fc.constantFrom("a", "__proto__", "name", "cause"), fc.integer({ min: -8, max: 6 })),
      fc.tuple(tag, fc.oneof(fc.integer({ min: -8, max: 6 }), fc.string())),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const contentType = { "content-type": "application/vnd.stepwell+json" };
    await fc.assert(
      fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 7 }), async (flat) => {
        const answer = await send(`${EXECUTIONS}/x/signals/note`, { body: JSON.stringify(flat), headers: contentType });
        expect([202, 400, 422]).toContain(answer.status);
      }),
      { numRuns: 1_000 },
    );
  });
});
