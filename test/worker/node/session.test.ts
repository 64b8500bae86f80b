import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { browser, cookieOf, FORM, HOUR_MS, NOW, ORIGIN } from "./browser.ts";
import { EXECUTIONS, READ_TOKEN, TOKEN } from "./test-app.ts";

afterEach(() => void vi.useRealTimers());

describe("a session", () => {
  it("opens what its token opens", async () => {
    const { ask, signedIn } = browser();
    const full = { cookie: await signedIn() };
    const read = { cookie: await signedIn(READ_TOKEN) };
    for (const headers of [full, read]) {
      expect((await ask("/v1/workflows", { headers })).status).toBe(200);
      expect((await ask("/docs", { headers: { ...headers, accept: "text/html" } })).status).toBe(200);
    }
    const cancel = `${EXECUTIONS}/x/cancel`;
    const own = { origin: ORIGIN, "sec-fetch-site": "same-origin" };
    expect((await ask(cancel, { method: "POST", headers: { ...full, ...own } })).status).toBe(202);
    const refused = await ask(cancel, { method: "POST", headers: { ...read, ...own } });
    expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
  });

  it.each([
    { origin: "https://evil.example.com", "sec-fetch-site": "cross-site" },
    { origin: "https://other.example.com", "sec-fetch-site": "same-site" },
    { origin: "https://listed.example.com" },
    { origin: "http://flows.example.com" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ])("changes nothing for the page of another origin, a listed one neither: %j", async (sent) => {
    const { ask, signedIn, executions } = browser({ cors: ["https://listed.example.com"] });
    const cookie = await signedIn();
    for (const [method, path] of [
      ["POST", `${EXECUTIONS}/x/cancel`],
      ["POST", `${EXECUTIONS}/x/signals/note`],
      ["POST", EXECUTIONS],
      ["DELETE", `${EXECUTIONS}/x`],
    ] as const) {
      const answer = await ask(path, { method, headers: { cookie, ...sent } });
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, "FORBIDDEN"]);
    }
    const handshake = await ask(`${EXECUTIONS}/x/events`, { headers: { cookie, ...sent, upgrade: "websocket" } });
    expect(handshake.status).toBe(403);
    expect(executions.calls).toEqual([]);
  });

  it("opens a WebSocket to its own origin", async () => {
    const { ask, signedIn, executions } = browser();
    const headers = { cookie: await signedIn(), origin: ORIGIN, upgrade: "websocket" };
    // Without an execution there is nothing to watch: the object has been asked.
    expect((await ask(`${EXECUTIONS}/y/events`, { headers })).status).toBe(404);
    expect(executions.handshakes).toHaveLength(1);
  });

  it("ends after twelve hours, and with its token", async () => {
    const { ask, signedIn } = browser();
    const cookie = await signedIn();
    const status = async () => (await ask("/v1/workflows", { headers: { cookie } })).status;
    vi.setSystemTime(NOW + 12 * HOUR_MS - 1);
    expect(await status()).toBe(200);
    vi.setSystemTime(NOW + 12 * HOUR_MS);
    expect(await status()).toBe(401);
    const changed = browser({}, { STEPWELL_TOKEN: "another-token" });
    expect((await changed.ask("/v1/workflows", { headers: { cookie } })).status).toBe(401);
  });

  it("cannot be forged, prolonged, or made of a token", async () => {
    const { ask, signedIn } = browser();
    const cookie = await signedIn();
    const [, end = "", signature = ""] = /=([^.]+)\.(.+)$/.exec(cookie) ?? [];
    const later = (NOW + 13 * HOUR_MS).toString(36);
    const status = async (value: string) =>
      (await ask("/v1/workflows", { headers: { cookie: `stepwell_session=${value}` } })).status;
    expect(await status(`${end}.${signature}`)).toBe(200);
    const at = fc.nat({ max: end.length + signature.length });
    const character = fc.stringMatching(/^[!-:<-~]$/);
    const value = `${end}.${signature}`;
    await fc.assert(
      fc.asyncProperty(at, character, async (index, other) => {
        fc.pre(value[index] !== other);
        expect(await status(value.slice(0, index) + other + value.slice(index + 1))).toBe(401);
      }),
      { numRuns: 300 },
    );
    for (const forged of [
      `${later}.${signature}`,
      `${end}.`,
      `.${signature}`,
      "",
      TOKEN,
      READ_TOKEN,
      `${end}.${TOKEN}`,
    ]) {
      expect([forged, await status(forged)]).toEqual([forged, 401]);
    }
  });

  it("is found among other cookies, and does not make good a wrong token", async () => {
    const { ask, signedIn } = browser();
    const cookie = await signedIn();
    const among = `a=b; stepwell_session=of.another; ${cookie}; stepwell_sessions=1`;
    expect((await ask("/v1/workflows", { headers: { cookie: among } })).status).toBe(200);
    expect((await ask("/v1/workflows", { headers: { cookie: `x${cookie}` } })).status).toBe(401);
    const headers = { cookie, authorization: "Bearer wrong" };
    expect((await ask("/v1/workflows", { headers })).status).toBe(401);
    const many = `${"stepwell_session=of.another; ".repeat(8)}${cookie}`;
    expect((await ask("/v1/workflows", { headers: { cookie: many } })).status).toBe(401);
  });

  it("is not asked for where the deployment decides by itself", async () => {
    const cookie = await browser().signedIn();
    const own = browser({ auth: () => new Response("no", { status: 401 }) });
    expect((await own.ask("/v1/workflows", { headers: { cookie } })).text).toBe("no");
  });

  it("is forgotten by signing out, which needs none", async () => {
    const { ask, signedIn } = browser();
    const cookie = await signedIn();
    for (const method of ["POST", "DELETE"]) {
      const answer = await ask("/dashboard/sign-out", { method, headers: { cookie } });
      expect([answer.status, cookieOf(answer)]).toEqual([204, "stepwell_session="]);
      expect(answer.headers.get("set-cookie")).toContain("; Max-Age=0; HttpOnly");
    }
    const form = await ask("/dashboard/sign-out", { method: "POST", headers: FORM });
    expect([form.status, form.headers.get("location")]).toEqual([303, "/dashboard/sign-in"]);
  });
});
