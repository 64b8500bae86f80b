import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { serveApp, storedIn } from "../support/served-app.ts";

const note = defineWorkflow({ name: "note", signals: { go: z.any() } }, async ({ awaitSignal }) => {
  const { value } = await awaitSignal("go");
  return value;
});

const app = serveApp({ workflows: [note] });
const EXECUTIONS = "/v1/workflows/note/executions";
const JSON_BODY = { "content-type": "application/json" };

describe("an unknown id", () => {
  it.each([
    ["GET", "case 178", ""],
    ["GET", "case 178", "/result"],
    ["GET", "case 178", "/journal"],
    ["GET", "case 178", "/journal/0/value"],
    ["POST", "case 128", "/signals/go"],
    ["POST", "case 128", "/cancel"],
    ["POST", "case 128", "/terminate"],
    ["POST", "case 128", "/pause"],
    ["POST", "case 128", "/resume"],
    ["DELETE", "case 128", ""],
  ])("is 404 to %s, and leaves no storage and no alarm (%s: …%s)", async (method, _, route) => {
    const { status, headers, body } = await app.send(`${EXECUTIONS}/nobody${route}`, { method });
    expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    expect(headers.get("content-type")).toBe("application/problem+json");
    const object = app.object("note/nobody");
    expect(await storedIn(object)).toEqual([]);
    expect(await object.rowsWritten()).toBe(0);
  });

  it("case 178: is 404 under another workflow's name, which is unknown", async () => {
    await app.send(EXECUTIONS, { json: { id: "known" } });
    expect((await app.send("/v1/workflows/other/executions/known")).status).toBe(404);
    expect(await storedIn(app.object("other/known"))).toEqual([]);
  });
});

describe("an id in a path", () => {
  const precomposed = "\u00e9";
  const decomposed = "e\u0301";

  it.each([
    "a/b",
    "a%2Fb",
    "a b",
    "#1",
    "x?y",
    '"',
    "'",
    "..",
    ".",
    "",
    precomposed,
    decomposed,
    "🦁",
    "x".repeat(129),
  ])("case 206: is refused with the allowed set, at the start and in paths: %j", async (id) => {
    const start = await app.send(EXECUTIONS, { json: { id } });
    expect([start.status, start.body.code]).toEqual([422, "INVALID_ID"]);
    expect(start.body["detail"]).toContain("A-Z a-z 0-9 . _ ~ -");
    const view = await app.send(`${EXECUTIONS}/${encodeURIComponent(id)}`);
    // Of these three the URL itself makes another path, which no route has.
    const isSwallowed = ["", ".", ".."].includes(id);
    expect([view.status, view.body.code]).toEqual(isSwallowed ? [404, "NOT_FOUND"] : [422, "INVALID_ID"]);
    expect(await storedIn(app.object(`note/${id}`))).toEqual([]);
  });

  it("case 206: is refused where it has 10,000 characters", async () => {
    expect((await app.send(EXECUTIONS, { json: { id: "x".repeat(10_000) } })).status).toBe(422);
    expect((await app.send(`${EXECUTIONS}/${"x".repeat(10_000)}`)).status).toBe(422);
  });

  it.each(["constructor", "__proto__", "~._-", "...", "hasOwnProperty", "x".repeat(128)])(
    "case 206: works on every route where it is allowed: %s",
    async (id) => {
      const start = await app.send(EXECUTIONS, { json: { id } });
      expect([start.status, start.body["id"]]).toEqual([201, id]);
      const path = start.headers.get("location") ?? "";
      expect(path).toBe(`${EXECUTIONS}/${encodeURIComponent(id)}`);
      const links = start.body["links"] as Readonly<Record<string, string>>;
      expect((await app.send(links["self"] ?? "")).body["id"]).toBe(id);
      expect((await app.send(links["journal"] ?? "")).status).toBe(200);
      expect((await app.send(links["pause"] ?? "", { method: "POST" })).status).toBe(202);
      expect((await app.send(links["resume"] ?? "", { method: "POST" })).status).toBe(202);
      expect((await app.send(`${path}/signals/go`, { json: id })).status).toBe(202);
      const result = await app.send(links["result"] ?? "", { headers: { prefer: "wait=10" } });
      expect(result.body).toEqual({ kind: "completed", value: id });
      expect((await app.send(path, { method: "DELETE" })).status).toBe(204);
    },
  );

  it.each(["%E0%A4%A", "%", "%zz", "a%C3%28"])("case 207: is a 400 where its encoding is malformed: %s", async (id) => {
    for (const path of [`${EXECUTIONS}/${id}`, `${EXECUTIONS}/${id}/result`, `${EXECUTIONS}/x/signals/${id}`]) {
      const { status, headers, body } = await app.send(path);
      expect([path, status, body.code]).toEqual([path, 400, "INVALID_PATH"]);
      expect(headers.get("content-type")).toBe("application/problem+json");
    }
  });
});

describe("a body", () => {
  it.each([
    ["truncated", '{"id":"cut","input":'],
    ["empty", ""],
    ["the word undefined", "undefined"],
    ["behind a byte order mark", '\ufeff{"id":"cut"}'],
    ["with a trailing comma", '{"id":"cut",}'],
    ["in single quotes", "{'id':'cut'}"],
  ])("case 208: is a 400 where it is no JSON, and nothing is created: %s", async (_, sent) => {
    const headers = { ...JSON_BODY, "idempotency-key": "cut" };
    const started = await app.send(EXECUTIONS, { method: "POST", body: sent, headers });
    expect([started.status, started.body.code]).toEqual([400, "INVALID_JSON"]);
    expect(started.headers.get("content-type")).toBe("application/problem+json");
    expect((await app.send(`${EXECUTIONS}/cut`)).status).toBe(404);
    expect(await storedIn(app.object("note/cut"))).toEqual([]);
  });

  it("case 208: is a 400 to a signal too, which is not consumed", async () => {
    await app.send(EXECUTIONS, { json: { id: "b1" } });
    const sending = { method: "POST", body: '{"a":', headers: JSON_BODY };
    const refused = await app.send(`${EXECUTIONS}/b1/signals/go`, sending);
    expect([refused.status, refused.body.code]).toEqual([400, "INVALID_JSON"]);
    const journal = await app.send(`${EXECUTIONS}/b1/journal`);
    expect(journal.text).not.toContain("signal-received");
  });
});
