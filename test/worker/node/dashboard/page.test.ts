import { describe, expect, it } from "vitest";
import { createTestApp, READ_TOKEN } from "../test-app.ts";

const PAGES = ["/dashboard", "/dashboard/executions/order/order-42", "/dashboard/workflows", "/dashboard/schedules"];

/** The paths of the script and the style that a page loads. */
function assetsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:src|href)="([^"]+\/app\.(?:js|css))"/g)].map(([, path = ""]) => path);
}

describe("the dashboard's page", () => {
  it.each(PAGES)("is served at %s, with nothing in it that runs", async (path) => {
    const { status, headers, text } = await createTestApp().send(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text.match(/<script[^>]*>(?!<\/script>)/g)).toBeNull();
    expect(text).not.toMatch(/<style|style=|\son\w+=/);
  });

  it("loads a script and a style that a browser may keep, and nothing else", async () => {
    const { send } = createTestApp();
    const { text } = await send("/dashboard");
    expect(assetsIn(text)).toHaveLength(2);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    for (const path of assetsIn(text)) {
      const asset = await send(path);
      expect([asset.status, asset.headers.get("cache-control")]).toEqual([200, "private, max-age=31536000, immutable"]);
      expect(asset.headers.get("content-type")).toMatch(path.endsWith(".js") ? /^text\/javascript/ : /^text\/css/);
      expect(asset.text.length).toBeGreaterThan(1_000);
      // Nothing in it is loaded from anywhere, and nothing is made of a text that runs.
      expect(asset.text).not.toMatch(/@import|url\(\s*["']?https?:|\beval\(|new Function\(/);
      const head = await send(path, { method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
    }
  });

  it("has no file of another version", async () => {
    const { status, body } = await createTestApp().send("/dashboard/assets/000000000000/app.js");
    expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    expect(body["detail"]).toContain("load the page again");
  });

  it("says who is looking, and stands behind the token", async () => {
    const { send } = createTestApp();
    expect((await send("/dashboard")).text).toContain(`data-role="full" data-can-sign-out="true"`);
    const reader = { headers: { authorization: `Bearer ${READ_TOKEN}` } };
    expect((await send("/dashboard", reader)).text).toContain('data-role="read"');
    const { text } = await send("/dashboard");
    for (const path of ["/dashboard", ...assetsIn(text)]) {
      expect((await send(path, { headers: { authorization: "" } })).status).toBe(401);
    }
  });

  it("needs no token on loopback where none is set", async () => {
    const { send } = createTestApp({}, { STEPWELL_TOKEN: undefined, STEPWELL_READ_TOKEN: undefined });
    const sending = { headers: { authorization: "" } };
    expect((await send("/dashboard", sending, "http://localhost:8787")).text).toContain('data-role="full"');
    expect((await send("/dashboard", sending)).status).toBe(503);
  });

  it("carries the path under which the routes are mounted", async () => {
    const { send } = createTestApp({ basePath: "/flows" });
    const { text } = await send("/flows/dashboard");
    expect(text).toContain('data-prefix="/flows"');
    const assets = assetsIn(text);
    expect(assets.every((path) => path.startsWith("/flows/dashboard/assets/"))).toBe(true);
    for (const path of assets) expect((await send(path)).status).toBe(200);
  });

  it("is refused to whoever takes no page", async () => {
    expect((await createTestApp().send("/dashboard", { headers: { accept: "application/json" } })).status).toBe(406);
  });
});
