import { describe, expect, it } from "vitest";
import { readSocketRequest } from "../../../src/execution/socket-request.ts";
import { createTestApp, EXECUTIONS, READ_TOKEN } from "./test-app.ts";

const EVENTS = `${EXECUTIONS}/x/events`;

function createWatched(text: string | undefined = ":\n\n", ...options: Parameters<typeof createTestApp>) {
  const test = createTestApp(...options);
  test.executions.put("order/x");
  test.executions.events = text;
  return test;
}

describe("GET events", () => {
  it("is the object's stream, from the first entry on", async () => {
    const { send, executions } = createWatched("id: 0\n\n");
    const answer = await send(EVENTS);
    expect([answer.status, answer.text]).toEqual([200, "id: 0\n\n"]);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const form = { form: "json", journalPath: `${EXECUTIONS}/x/journal` };
    expect(executions.last("events")).toEqual({ from: 0, form, isOpened: true });
  });

  it.each([
    ["", {}, 0],
    ["?from=7", {}, 7],
    ["", { "last-event-id": "7" }, 8],
    ["?from=3", { "last-event-id": "7" }, 8],
    ["?from=3", { "last-event-id": "0" }, 1],
    ["?unknown=1", {}, 0],
  ])("begins with %s and %j at entry %i", async (query, headers: Record<string, string>, from) => {
    const { send, executions } = createWatched();
    expect((await send(`${EVENTS}${query}`, { headers })).status).toBe(200);
    expect(executions.last("events").from).toBe(from);
  });

  it.each([
    ["?from=-1", {}, "from"],
    ["?from=x", {}, "from"],
    ["?from=", {}, "from"],
    ["?from=1&from=2", {}, "from"],
    ["?from=1e3", {}, "from"],
    ["", { "last-event-id": "" }, "Last-Event-ID"],
    ["", { "last-event-id": "-1" }, "Last-Event-ID"],
    ["", { "last-event-id": "1.5" }, "Last-Event-ID"],
    ["", { "last-event-id": "9007199254740991" }, "Last-Event-ID"],
    ["?from=x", { "last-event-id": "1" }, "from"],
  ])("refuses %s with %j: 422", async (query, headers: Record<string, string>, path) => {
    const { send, executions } = createWatched();
    const answer = await send(`${EVENTS}${query}`, { headers });
    expect([answer.status, answer.body.code, answer.body.issues?.[0]?.path]).toEqual([422, "VALIDATION_ERROR", path]);
    expect(executions.calls).toEqual([]);
  });

  it.each([
    ["text/event-stream", "json"],
    ["text/event-stream, application/vnd.stepwell+json", "values"],
    ["*/*", "json"],
    ["text/*;q=0.1", "json"],
    ["", "json"],
  ])("is acceptable to Accept: %s", async (accept, form) => {
    const { send, executions } = createWatched();
    expect((await send(EVENTS, { headers: { accept } })).status).toBe(200);
    expect(executions.last("events").form.form).toBe(form);
  });

  it.each(["application/json", "text/html", "text/event-stream;q=0", "text/event-stream;q=0, */*"])(
    "is not acceptable to Accept: %s",
    async (accept) => {
      const { send, executions } = createWatched();
      const answer = await send(EVENTS, { headers: { accept } });
      expect([answer.status, answer.body.code]).toEqual([406, "NOT_ACCEPTABLE"]);
      expect(executions.calls).toEqual([]);
    },
  );

  it("opens no stream for HEAD", async () => {
    const { send, executions } = createWatched();
    const answer = await send(EVENTS, { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(executions.last("events").isOpened).toBe(false);
  });

  it("answers 204 where everything was seen, 404 where there is no execution, and 405 to other methods", async () => {
    const { send, executions } = createWatched();
    executions.events = undefined;
    expect((await send(EVENTS)).status).toBe(204);
    expect((await send(`${EXECUTIONS}/nobody/events`)).body.code).toBe("NOT_FOUND");
    const post = await send(EVENTS, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it("is for the read token too, and for nobody without one", async () => {
    const { send, executions } = createWatched();
    expect((await send(EVENTS, { headers: { authorization: `Bearer ${READ_TOKEN}` } })).status).toBe(200);
    executions.calls.length = 0;
    expect((await send(EVENTS, { headers: { authorization: "" } })).status).toBe(401);
    expect(executions.calls).toEqual([]);
  });

  it("is linked from the view, with the path that the router is served under", async () => {
    const { send, executions } = createWatched(":\n\n", { basePath: "/flows" });
    const view = await send(`/flows${EXECUTIONS}/x`);
    expect(view.body["links"]).toMatchObject({ events: `/flows${EVENTS}` });
    await send(`/flows${EVENTS}`);
    expect(executions.last("events").form.journalPath).toBe(`/flows${EXECUTIONS}/x/journal`);
  });
});

describe("a handshake", () => {
  const upgrade = { upgrade: "WebSocket" };

  it("tells the object who is there and how to answer, and no token", async () => {
    const { send, executions } = createWatched();
    const protocols = { "sec-websocket-protocol": "other, stepwell" };
    expect((await send(`${EVENTS}?from=4`, { headers: { ...upgrade, ...protocols } })).status).toBe(404);
    const [request] = executions.handshakes;
    const form = { form: "json", journalPath: `${EXECUTIONS}/x/journal` };
    const told = { role: "full", workflow: "order", from: 4, protocol: "stepwell" };
    expect(request === undefined ? undefined : readSocketRequest(request)).toEqual({ ...form, ...told });
    expect([...(request?.headers ?? [])].map(([name]) => name).sort()).toEqual(["stepwell-viewer", "upgrade"]);
  });

  it("is no handshake without the method or the header of one", async () => {
    const { send, executions } = createWatched();
    await send(EVENTS, { headers: { upgrade: "h2c" } });
    await send(EVENTS, { headers: upgrade, method: "HEAD" });
    expect(executions.handshakes).toEqual([]);
  });

  it.each([
    [{ origin: "https://flows.example.com" }, 404],
    [{ origin: "https://evil.example.com" }, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{}, 404],
  ])("with %j is answered %i, on every path", async (headers, status) => {
    for (const bindings of [{}, { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined }]) {
      const { send } = createWatched(":\n\n", {}, bindings);
      const origin = "STEPWELL_TOKEN" in bindings ? "http://localhost:8787" : undefined;
      const given = origin === undefined || status === 403 ? headers : {};
      const answer = await send(EVENTS, { headers: { ...upgrade, ...given } }, origin);
      expect(answer.status).toBe(status);
    }
  });

  it("asks the deployment's own auth for the role", async () => {
    const { send, executions } = createWatched(":\n\n", { auth: () => ({ role: "read" }) });
    await send(EVENTS, { headers: upgrade });
    const [request] = executions.handshakes;
    expect(request === undefined ? undefined : readSocketRequest(request)?.role).toBe("read");
  });
});
