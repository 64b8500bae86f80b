import { describe, expect, it } from "vitest";
import { report } from "../../support/report.ts";
import { createTestApp, READ_TOKEN } from "./test-app.ts";

async function appWith(count: number) {
  const test = createTestApp();
  for (let i = 0; i < count; i += 1) {
    const state = i % 2 === 0 ? "completed" : "failed";
    const attributes = { lines: i, customer: "c 7" };
    await test.directory.report(report({ id: `o-${i}`, startedAt: 1_000 + i, state, attributes }));
  }
  return test;
}

interface Listed {
  readonly executions: readonly { readonly id: string }[];
  readonly next: string | null;
}

describe("GET /v1/executions", () => {
  it("answers with pages, each with the cursor of the next, with the read token too", async () => {
    const { send } = await appWith(5);
    const headers = { authorization: `Bearer ${READ_TOKEN}` };
    const ids: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined = ""; cursor !== undefined; pages += 1) {
      const answer = await send(`/v1/executions?limit=2${cursor}`, { headers });
      expect(answer.status).toBe(200);
      // The cast: tests compare what they look at.
      const { executions, next } = answer.body as unknown as Listed;
      ids.push(...executions.map(({ id }) => id));
      cursor = next === null ? undefined : `&cursor=${encodeURIComponent(next)}`;
    }
    expect(pages).toBe(3);
    expect(ids).toEqual(["o-4", "o-3", "o-2", "o-1", "o-0"]);
  });

  it.each([
    ["workflow=order&state=failed", ["o-3", "o-1"]],
    ["workflow=tick", []],
    ["attribute.lines=2", ["o-2"]],
    ["attribute.customer=c%207&attribute.lines=3", ["o-3"]],
    ["attribute.lines=9", []],
    ["startedAfter=1003", ["o-4", "o-3"]],
    ["startedBefore=1970-01-01T00:00:01.001Z", ["o-0"]],
    ["order=oldest&limit=2", ["o-0", "o-1"]],
    ["idPrefix=o-4", ["o-4"]],
    ["idPrefix=", ["o-4", "o-3", "o-2", "o-1", "o-0"]],
    ["unknown=1&limit=1", ["o-4"]],
  ])("finds by %s", async (query, ids) => {
    const { send } = await appWith(5);
    const { body } = await send(`/v1/executions?${query}`);
    expect((body as unknown as Listed).executions.map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ["state=done", "state"],
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=101", "limit"],
    ["limit=1e9", "limit"],
    ["limit=abc", "limit"],
    ["limit=5&limit=6", "limit"],
    ["order=up", "order"],
    ["startedAfter=yesterday", "startedAfter"],
    ["startedBefore=2026-02-30T00:00:00Z", "startedBefore"],
    ["attribute.a=1&attribute.a=2", "attribute.a"],
    [`workflow=${"w".repeat(65)}`, "workflow"],
  ])("case 218: refuses %s", async (query, path) => {
    const { send } = createTestApp();
    const answer = await send(`/v1/executions?${query}`);
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.issues?.[0]?.path).toContain(path.split(".")[0]);
  });

  it("case 221: refuses what is no cursor of this list, and goes on from one whose execution is gone", async () => {
    const { send, directory } = await appWith(5);
    const { body } = await send("/v1/executions?limit=2&workflow=order");
    const cursor = encodeURIComponent((body as unknown as Listed).next ?? "");
    const others = [
      "cursor=2",
      "cursor=",
      "cursor=%F0%9F%A4%B7",
      `cursor=${cursor}x`,
      `cursor=${cursor}&order=oldest&workflow=order`,
      `cursor=${cursor}&workflow=tick`,
      `cursor=${cursor}`,
    ];
    for (const query of others) {
      const answer = await send(`/v1/executions?${query}`);
      expect([answer.status, answer.body.code]).toEqual([422, "INVALID_CURSOR"]);
    }
    directory.reports.delete("order/o-3");
    const { executions } = (await send(`/v1/executions?limit=100&workflow=order&cursor=${cursor}`))
      .body as unknown as Listed;
    expect(executions.map(({ id }) => id)).toEqual(["o-2", "o-1", "o-0"]);
  });

  it("says that it could not be reached where the directory cannot be, and asks it twice first", async () => {
    const { send, directory } = createTestApp();
    let asked = 0;
    directory.list = async () => {
      asked += 1;
      throw new Error("Network connection lost.");
    };
    const answer = await send("/v1/executions");
    expect([answer.status, answer.body.code, answer.headers.get("retry-after")]).toEqual([503, "UNAVAILABLE", "1"]);
    expect(asked).toBe(2);
  });
});

describe("GET /v1/counts and /metrics", () => {
  it("count by workflow and state, those without executions too", async () => {
    const { send } = await appWith(5);
    const none = { running: 0, waiting: 0, paused: 0, completed: 0, failed: 0, cancelled: 0 };
    const order = { ...none, completed: 3, failed: 2 };
    expect((await send("/v1/counts")).body).toEqual({ total: order, workflows: { order, tick: none } });
  });

  it("are the same as OpenMetrics", async () => {
    const { send } = await appWith(5);
    const answer = await send("/metrics", {
      headers: { accept: "application/openmetrics-text;version=1.0.0,*/*;q=0.1" },
    });
    expect(answer.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(answer.text.split("\n")).toEqual(
      expect.arrayContaining([
        "# TYPE stepwell_executions gauge",
        'stepwell_executions{workflow="order",state="completed"} 3',
        'stepwell_executions{workflow="tick",state="paused"} 0',
      ]),
    );
    expect(answer.text.endsWith("\n# EOF\n")).toBe(true);
    expect((await send("/metrics", { headers: { accept: "text/html" } })).status).toBe(406);
    expect((await send("/metrics", { headers: { authorization: "Bearer nope" } })).status).toBe(401);
  });
});

describe("a deployment without a directory", () => {
  it("needs no binding for it, and has neither lists nor counts", async () => {
    const { send } = createTestApp({ directory: false }, { DIRECTORY: undefined });
    expect((await send("/healthz")).status).toBe(200);
    for (const path of ["/v1/executions", "/v1/counts", "/metrics"]) {
      const answer = await send(path);
      expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    }
  });

  it("is none where only the binding is missing: that is said, and nothing is served", async () => {
    const { send } = createTestApp({}, { DIRECTORY: undefined });
    for (const path of ["/healthz", "/v1/workflows"]) {
      const answer = await send(path);
      expect([answer.status, answer.body.code]).toEqual([503, "NOT_CONFIGURED"]);
      expect(answer.text).toContain("the binding DIRECTORY must be a Durable Object namespace");
    }
    const named = createTestApp({ bindings: { directory: "INDEX" } }, { DIRECTORY: undefined });
    expect((await named.send("/healthz")).text).toContain("INDEX");
  });
});
