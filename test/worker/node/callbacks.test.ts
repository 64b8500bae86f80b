import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { callbackKeys } from "../../../src/execution/callback-keys.ts";
import { signCallback } from "../../../src/execution/callback-token.ts";
import type { Refused } from "../../../src/execution/wire.ts";
import { decodeValue } from "../../../src/journal/value.ts";
import { stepwell } from "../../../src/index.ts";
import { createTestApp, EXECUTIONS, order, reply, requestOf, TOKEN } from "./test-app.ts";

const HOST = "flows.example.com";
const ADDRESS = { workflow: "order", id: "o-1", startedAt: 1_000, callback: "c-1" };
const PUBLIC = { authorization: "" };

/** The path of a callback, signed as by a Worker with these secrets. */
function pathOf(env: Readonly<Record<string, string>> = { STEPWELL_TOKEN: TOKEN }, host = HOST): string {
  const { signing } = callbackKeys(env, host);
  if (signing === undefined) throw new Error("There is no key.");
  return `/v1/callbacks/${signCallback(ADDRESS, signing)}`;
}

function appWithCallback(...args: Parameters<typeof createTestApp>) {
  const app = createTestApp(...args);
  app.executions.put("order/o-1");
  return app;
}

const answer = (json: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  json,
  headers: { ...PUBLIC, ...headers },
});

describe("POST /v1/callbacks/{token}", () => {
  it("takes an answer without any other credential, and hands it to the object of its execution", async () => {
    const { send, executions } = appWithCallback();
    const { status, body, headers } = await send(pathOf(), answer({ ok: true }, { "idempotency-key": "k" }));
    expect([status, body]).toEqual([200, { accepted: true, duplicate: false }]);
    expect(headers.get("cache-control")).toBe("no-store");
    const { value, ...request } = executions.last("answerCallback");
    expect(request).toEqual({ callback: "c-1", startedAt: 1_000, key: "k" });
    expect(decodeValue(value)).toEqual({ ok: true });
    expect(executions.calls.map(({ name }) => name)).toEqual(["order/o-1"]);
  });

  it("takes an answer without a body, and one of real values", async () => {
    const { send, executions } = appWithCallback();
    const without = { method: "POST", headers: PUBLIC };
    expect((await send(pathOf(), without)).status).toBe(200);
    expect(decodeValue(executions.last("answerCallback").value)).toBeUndefined();
    const headers = { ...PUBLIC, "content-type": "application/vnd.stepwell+json" };
    expect((await send(pathOf(), { body: '[["Date","2026-11-30T00:00:00.000Z"]]', headers })).status).toBe(200);
    expect(decodeValue(executions.last("answerCallback").value)).toEqual(new Date("2026-11-30"));
  });

  it("refuses a forged token with 404, without touching any object", async () => {
    const { send, executions } = appWithCallback();
    const path = pathOf();
    const others = [
      path.slice(0, -1) + (path.endsWith("A") ? "B" : "A"),
      path.replace("o-1", "o-2"),
      path.replace("order.", "tick."),
      pathOf({ STEPWELL_CALLBACK_KEY: "another" }),
      "/v1/callbacks/x",
      "/v1/callbacks/%ff",
    ];
    for (const other of others) {
      const { status, body } = await send(other, answer({}));
      expect([other, status, body.code]).toEqual([other, 404, "NOT_FOUND"]);
    }
    expect(executions.calls).toEqual([]);
  });

  it("is used up by POST alone: 405 for any other method, which touches no object either", async () => {
    const { send, executions } = appWithCallback();
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH"]) {
      const { status, headers } = await send(pathOf(), { method, headers: PUBLIC });
      expect([method, status, headers.get("allow")]).toEqual([method, 405, "POST, OPTIONS"]);
    }
    expect((await send(pathOf(), { method: "OPTIONS", headers: PUBLIC })).status).toBe(204);
    expect(executions.calls).toEqual([]);
  });

  it("refuses a body that it cannot read, before the object", async () => {
    const { send, executions } = appWithCallback({ maximumValueBytes: 10 });
    const sent = (body: string, type: string) => ({ body, headers: { ...PUBLIC, "content-type": type } });
    const codes: unknown[] = [];
    for (const sending of [
      sent("{", "application/json"),
      sent("", "application/json"),
      sent("a=1", "application/x-www-form-urlencoded"),
      sent(JSON.stringify("x".repeat(20)), "application/json"),
      { json: 1, headers: { ...PUBLIC, "idempotency-key": "k".repeat(300) } },
      { json: 1, headers: { ...PUBLIC, accept: "text/html" } },
    ]) {
      codes.push((await send(pathOf(), sending)).body.code);
    }
    expect(codes).toEqual([
      "INVALID_JSON",
      "INVALID_JSON",
      "UNSUPPORTED_MEDIA_TYPE",
      "VALUE_TOO_LARGE",
      "INVALID_ID",
      "NOT_ACCEPTABLE",
    ]);
    expect(executions.calls).toEqual([]);
  });

  it.each([
    ["CALLBACK_USED", 410],
    ["CALLBACK_EXPIRED", 410],
    ["CALLBACK_ENDED", 410],
    ["NOT_FOUND", 404],
    ["JOURNAL_LIMIT", 429],
    ["UNAVAILABLE", 503],
  ] as const satisfies readonly (readonly [Refused["code"], number])[])(
    "answers %s of the object with %i",
    async (code, status) => {
      const { send, executions } = appWithCallback();
      executions.refusal = { kind: "refused", code, message: "Cannot answer" };
      const refused = await send(pathOf(), answer({}));
      expect([refused.status, refused.body.code, refused.body["detail"]]).toEqual([status, code, "Cannot answer"]);
      expect(refused.headers.get("retry-after")).toBe(status === 503 ? "60" : null);
    },
  );

  it("answers 422 with issues for what does not fit, and 410 where the execution is gone", async () => {
    const { send, executions } = appWithCallback();
    const issues = [{ path: "ok", message: "must be a boolean" }];
    executions.unacceptable = { kind: "unacceptable", code: "VALIDATION_ERROR", message: "Cannot accept", issues };
    const unfit = await send(pathOf(), answer({}));
    expect([unfit.status, unfit.body.code, unfit.body.issues]).toEqual([422, "VALIDATION_ERROR", issues]);
    executions.stored.clear();
    const gone = await send(pathOf(), answer({}));
    expect([gone.status, gone.body.code]).toEqual([410, "CALLBACK_ENDED"]);
  });

  it("is signed with STEPWELL_CALLBACK_KEY where it is set, and taken under the previous one", async () => {
    const bindings = { STEPWELL_CALLBACK_KEY: "new", STEPWELL_CALLBACK_KEY_PREVIOUS: "old" };
    const { send } = appWithCallback({}, bindings);
    const statuses: number[] = [];
    for (const key of ["new", "old", "older"]) {
      statuses.push((await send(pathOf({ STEPWELL_CALLBACK_KEY: key }), answer({}))).status);
    }
    statuses.push((await send(pathOf({ STEPWELL_TOKEN: TOKEN }), answer({}))).status);
    expect(statuses).toEqual([200, 200, 404, 404]);
  });

  it("needs no secret on loopback, and is not configured elsewhere without one", async () => {
    const none = { STEPWELL_TOKEN: "", STEPWELL_READ_TOKEN: "" };
    const path = pathOf({}, "localhost");
    const open = appWithCallback({}, none);
    expect((await open.send(path, answer({}), "http://localhost:8787")).status).toBe(200);
    const elsewhere = await open.send(path, answer({}));
    expect([elsewhere.status, elsewhere.body.code]).toEqual([503, "NOT_CONFIGURED"]);
    const ownAuth = appWithCallback({ auth: () => ({ role: "full" }) }, none);
    const keyless = await ownAuth.send(path, answer({}));
    expect([keyless.status, keyless.body["detail"]]).toEqual([503, expect.stringContaining("STEPWELL_CALLBACK_KEY")]);
    expect([...open.executions.calls, ...ownAuth.executions.calls]).toHaveLength(1);
  });

  it("a callback key that is no text is a fault of the configuration, on /healthz too", async () => {
    for (const name of ["STEPWELL_CALLBACK_KEY", "STEPWELL_CALLBACK_KEY_PREVIOUS"]) {
      const { send } = appWithCallback({}, { [name]: { get: () => "secret" } });
      for (const { status, body } of [await send("/healthz"), await send(pathOf(), answer({}))]) {
        expect([status, body.code, body["detail"]]).toEqual([503, "NOT_CONFIGURED", expect.stringContaining(name)]);
      }
    }
  });

  it("does not ask the deployment's own auth", async () => {
    const { send } = appWithCallback({ auth: () => new Response(null, { status: 401 }) });
    expect((await send(pathOf(), answer({}))).status).toBe(200);
    expect((await send(`${EXECUTIONS}/o-1`)).status).toBe(401);
  });
});

describe("a start", () => {
  const START = { json: { input: { sku: "a" }, id: "x" } };

  it("tells the object where it came to, with the path of the routes", async () => {
    const { send, executions } = createTestApp();
    await send(EXECUTIONS, START);
    expect(executions.last("start")).toMatchObject({ origin: "https://flows.example.com" });
    const under = createTestApp({ basePath: "/flows" });
    await under.send(`/flows${EXECUTIONS}`, START);
    expect(under.executions.last("start")).toMatchObject({ origin: "https://flows.example.com/flows" });
  });

  it("tells the path of a router that is mounted elsewhere, which takes the answers there", async () => {
    const { env, context, executions } = createTestApp();
    const app = stepwell({ workflows: [order] });
    const outer = new Hono();
    outer.route("/api/flows", app.router);
    const url = `https://api.example.com/api/flows`;
    await outer.fetch(requestOf(url + EXECUTIONS, START), env, context);
    expect(executions.last("start")).toMatchObject({ origin: url });
    executions.put("order/o-1");
    const taken = await reply(outer.fetch(requestOf(url + pathOf(), answer({})), env, context));
    expect(taken.status).toBe(200);
  });

  it("tells nothing where the options say where callbacks are reached", async () => {
    const tells = async (options: Parameters<typeof createTestApp>[0]) => {
      const { send, executions } = createTestApp(options);
      await send(EXECUTIONS, START);
      return "origin" in executions.last("start");
    };
    expect(await tells({ publicUrl: "https://x.example/flows" })).toBe(false);
    expect(await tells({ publicUrl: "https://x.example", basePath: "/flows" })).toBe(false);
    // The path of the routes is still to be told.
    expect(await tells({ publicUrl: "https://x.example" })).toBe(true);
  });
});
