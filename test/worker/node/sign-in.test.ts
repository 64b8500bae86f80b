import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { browser, FORM, HOUR_MS, NOW, ORIGIN } from "./browser.ts";
import { EXECUTIONS, READ_TOKEN, TOKEN } from "./test-app.ts";

afterEach(() => void vi.useRealTimers());

describe("signing in", () => {
  it("gives a browser a cookie that only it can read, for this site alone, and leads it on", async () => {
    const { signIn } = browser();
    const { status, headers } = await signIn(TOKEN, "/docs?a=b");
    expect([status, headers.get("location")]).toEqual([303, "/docs?a=b"]);
    const [value, ...attributes] = headers.get("set-cookie")?.split("; ") ?? [];
    expect(value).toMatch(/^stepwell_session=[0-9a-z]+\.[A-Za-z0-9_-]{43}$/);
    expect(attributes).toEqual(["Path=/", `Max-Age=${12 * 3_600}`, "HttpOnly", "SameSite=Strict", "Secure"]);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("takes JSON, and says whose session it is and when it ends", async () => {
    const { ask } = browser();
    const headers = { "content-type": "application/json" };
    for (const [token, role] of [
      [TOKEN, "full"],
      [READ_TOKEN, "read"],
    ]) {
      const answer = await ask("/dashboard/session", { method: "POST", headers, body: JSON.stringify({ token }) });
      expect([answer.status, answer.body]).toEqual([200, { role, endsAt: NOW + 12 * HOUR_MS }]);
      expect(answer.headers.get("set-cookie")).toContain("HttpOnly");
    }
  });

  it("puts nothing of the token into the cookie", async () => {
    const { signedIn } = browser();
    const value = await signedIn();
    for (const text of [TOKEN, btoa(TOKEN), encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString("hex")]) {
      expect(value).not.toContain(text);
    }
    const other = browser({}, { STEPWELL_TOKEN: "another-token" });
    expect(await other.signedIn("another-token")).not.toBe(value);
  });

  it("needs no https on loopback, and keeps to the path of the routes", async () => {
    const { ask } = browser({ basePath: "/flows" });
    const body = new URLSearchParams({ token: TOKEN });
    const local = await ask(
      "/flows/dashboard/session",
      { method: "POST", headers: FORM, body },
      "http://localhost:8787",
    );
    expect(local.headers.get("set-cookie")).toMatch(/; Path=\/flows; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    expect(local.headers.get("location")).toBe("/flows/dashboard");
  });

  it.each(["wrong", "", "full-toke", "full-tokenn", "FULL-TOKEN", `Bearer ${TOKEN}`, "undefined"])(
    "is refused with the token %j, without a cookie",
    async (token) => {
      const { signIn, ask } = browser();
      const page = await signIn(token);
      expect([page.status, page.headers.get("set-cookie")]).toEqual([401, null]);
      expect(page.text).toContain('<p role="alert">This token is not valid.</p>');
      expect(page.text.includes(token) && token.length > 5).toBe(false);
      const headers = { "content-type": "application/json" };
      const json = await ask("/dashboard/session", { method: "POST", headers, body: JSON.stringify({ token }) });
      expect([json.status, json.body.code, json.headers.get("set-cookie")]).toEqual([401, "UNAUTHORIZED", null]);
    },
  );

  it.each([
    ["a body of another type", { headers: { "content-type": "text/plain" }, body: "token" }, 415],
    ["no JSON", { headers: { "content-type": "application/json" }, body: "{" }, 400],
    ["no token", { headers: { "content-type": "application/json" }, body: "{}" }, 422],
    ["no body", {}, 422],
    ["a field too many", { headers: FORM, body: `token=${TOKEN}&role=full` }, 422],
    ["two tokens", { headers: FORM, body: `token=wrong&token=${TOKEN}` }, 422],
    ["a token without end", { headers: FORM, body: `token=${"x".repeat(100_000)}` }, 413],
  ])("is refused with %s", async (_, init, status) => {
    const { ask } = browser();
    const answer = await ask("/dashboard/session", { method: "POST", ...init });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([status, null]);
  });

  it.each([{ origin: "https://evil.example.com" }, { origin: "null" }, { "sec-fetch-site": "same-site" }])(
    "is refused to the page of another origin, which would choose the session: %j",
    async (sent) => {
      const { ask } = browser({ cors: ["https://evil.example.com"] });
      const body = new URLSearchParams({ token: TOKEN });
      for (const path of ["/dashboard/session", "/dashboard/sign-out"]) {
        const answer = await ask(path, { method: "POST", headers: { ...FORM, ...sent }, body });
        expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
      }
    },
  );

  it.each([
    "//evil.example.com",
    "/\\evil.example.com",
    "https://evil.example.com/docs",
    "javascript:alert(1)",
    "docs",
    "/\t/evil.example.com",
    "\\/evil",
    "/.//evil.example.com",
    "/docs/..//evil.example.com",
    "/%2e/\\evil.example.com",
    "/./\\/evil.example.com",
    "",
  ])("never leads to another site: next %j", async (next) => {
    const { signIn } = browser();
    expect((await signIn(TOKEN, next)).headers.get("location")).toBe("/dashboard");
  });

  it("leads to this site whatever the link says, as a browser reads the answer", async () => {
    const { signIn } = browser();
    const part = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "%2e",
      "%2f",
      "%5c",
      "evil.example.com",
      "docs",
      "\t",
      "\n",
      "@",
      ":",
      "?",
      "#",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const location = (await signIn(TOKEN, `/${parts.join("")}`)).headers.get("location") ?? "";
        expect(new URL(location, ORIGIN).origin).toBe(ORIGIN);
        expect(location).toMatch(/^\/(?!\/)/);
      }),
      { numRuns: 1_000 },
    );
  });

  it("leads to no path outside of the routes' own", async () => {
    const { ask } = browser({ basePath: "/flows" });
    for (const [next, location] of [
      ["/admin", "/flows/dashboard"],
      ["/flows/../admin", "/flows/dashboard"],
      ["/flows/%2e%2e/admin", "/flows/dashboard"],
      ["/flowsx/docs", "/flows/dashboard"],
      ["/flows/v1/workflows?limit=1", "/flows/v1/workflows?limit=1"],
    ] as const) {
      const body = new URLSearchParams({ token: TOKEN, next });
      const answer = await ask("/flows/dashboard/session", { method: "POST", headers: FORM, body });
      expect([next, answer.headers.get("location")]).toEqual([next, location]);
    }
  });

  it("is not there where the deployment decides by itself who is asking", async () => {
    const { ask } = browser({ auth: () => ({ role: "read" }) });
    expect((await ask("/dashboard/sign-in", { headers: { accept: "text/html" } })).status).toBe(404);
    for (const path of ["/dashboard/session", "/dashboard/sign-out"]) {
      const answer = await ask(path, { method: "POST", headers: FORM, body: `token=${TOKEN}` });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([404, null]);
    }
  });

  it("is of no use where no token is set: loopback is open, and the rest closed", async () => {
    const { ask, signIn } = browser({}, { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined });
    const local = "http://localhost:8787";
    const page = await ask("/dashboard/sign-in?next=/docs", {}, local);
    expect([page.status, page.headers.get("location")]).toEqual([303, "/docs"]);
    const body = new URLSearchParams({ token: "any" });
    const signed = await ask("/dashboard/session", { method: "POST", headers: FORM, body }, local);
    expect([signed.status, signed.headers.get("set-cookie")]).toEqual([303, null]);
    expect((await signIn("any")).body.code).toBe("NOT_CONFIGURED");
    expect((await ask("/dashboard/sign-in")).body.code).toBe("NOT_CONFIGURED");
  });
});

describe("the page to sign in", () => {
  const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

  it("is where a browser goes that asks for a page without a session, and it comes back", async () => {
    const { ask } = browser({ basePath: "/flows" });
    const sent = await ask("/flows/docs?a=1&b=2", { headers: HTML });
    const place = sent.headers.get("location") ?? "";
    expect([sent.status, place]).toEqual([303, "/flows/dashboard/sign-in?next=%2Fflows%2Fdocs%3Fa%3D1%26b%3D2"]);
    const page = await ask(place, { headers: HTML });
    expect(page.text).toContain('<input name="next" type="hidden" value="/flows/docs?a=1&amp;b=2" />');
    expect(page.text).toContain('<form method="post" action="/flows/dashboard/session">');
  });

  it("is not where programs go, nor changes", async () => {
    const { ask } = browser();
    for (const accept of ["*/*", "application/json", "text/event-stream", "text/html;q=0"]) {
      expect((await ask("/docs", { headers: { accept } })).status).toBe(401);
    }
    expect((await ask("/docs")).status).toBe(401);
    expect((await ask(`${EXECUTIONS}/x/cancel`, { method: "POST", headers: HTML })).status).toBe(401);
  });

  it("is shown by a router that is mounted elsewhere, under its path", async () => {
    const { Hono } = await import("hono");
    const { app, env, context } = browser();
    const outer = new Hono<{ Bindings: Cloudflare.Env }>().route("/tenants/:tenant/flows", app.router);
    const answer = await outer.fetch(new Request(`${ORIGIN}/tenants/a/flows/docs`, { headers: HTML }), env, context);
    expect(answer.headers.get("location")).toBe(
      "/tenants/a/flows/dashboard/sign-in?next=%2Ftenants%2Fa%2Fflows%2Fdocs",
    );
  });

  it("loads and runs nothing, stands in no frame, and escapes what it was given", async () => {
    const { ask } = browser();
    const page = await ask(`/dashboard/sign-in?next=${encodeURIComponent('/docs?"><script>alert(1)</script>')}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<script|src=|https?:/);
    const policy = page.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await ask("/dashboard/sign-in", { headers: { accept: "application/json" } })).status).toBe(406);
  });
});
