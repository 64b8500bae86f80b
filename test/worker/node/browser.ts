import { vi } from "vitest";
import type { StepwellOptions } from "../../../src/index.ts";
import { createTestApp, documentedReply, type Reply, TOKEN } from "./test-app.ts";

export const ORIGIN = "https://flows.example.com";
export const FORM = { "content-type": "application/x-www-form-urlencoded" };
export const HOUR_MS = 3_600_000;
export const NOW = Date.UTC(2026, 11, 1, 9);

/** A browser, which knows no token but what is typed into it. The clock stands still until a test moves it. */
export function browser(options: Partial<StepwellOptions> = {}, bindings: Readonly<Record<string, unknown>> = {}) {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const test = createTestApp(options, bindings);
  test.executions.put("order/x");
  const ask = (path: string, init: RequestInit = {}, origin = ORIGIN) =>
    documentedReply(new Request(`${origin}${path}`, init), test.fetch);
  const signIn = (token: string, next?: string) => {
    const body = new URLSearchParams({ token, ...(next !== undefined && { next }) });
    return ask("/dashboard/session", { method: "POST", headers: FORM, body });
  };
  const signedIn = async (token = TOKEN) => cookieOf(await signIn(token));
  return { ...test, ask, signIn, signedIn };
}

/** What a browser sends back of an answer's cookie. */
export function cookieOf({ headers }: Reply): string {
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}
