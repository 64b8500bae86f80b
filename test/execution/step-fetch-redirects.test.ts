import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FetchResult } from "../../src/execution/workflow-context.ts";
import { every } from "../support/hits.ts";
import { runFetching } from "../support/fetching.ts";
import { HttpService, reply, type Received } from "../support/http-service.ts";

let here: HttpService;
let there: HttpService;
beforeAll(async () => {
  here = await HttpService.start();
  there = await HttpService.start();
});
afterAll(async () => {
  await here.close();
  await there.close();
});

/** The first request is redirected, every other one is answered. */
function redirectFrom(service: HttpService, status: number, location: string): void {
  service.answerWith((response, { path }) => {
    if (path === "/from") reply(status, { Location: location }, "moved")(response);
    else reply(200, {}, `at ${path}`)(response);
  });
}

const STEP = { name: "x", retryPolicy: every("1s", 2) } as const;

async function fetchFrom(init?: RequestInit): Promise<{ readonly result: FetchResult; readonly error: unknown }> {
  const { seen } = await runFetching(({ step }) => step.fetch(STEP, `${here.url}/from`, init));
  return { result: seen.value as FetchResult, error: seen.error };
}

const SECRETS = {
  Authorization: "Bearer t",
  Cookie: "session=1",
  "Idempotency-Key": "k",
  "Proxy-Authorization": "p",
  traceparent: "00-1-2-01",
  tracestate: "a=b",
};

function secretsOf({ headers }: Received): readonly string[] {
  return Object.keys(SECRETS).filter((name) => headers[name.toLowerCase()] !== undefined);
}

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("is followed after %d, to a path too", async (status) => {
    redirectFrom(here, status, "/to?a=1");
    const { result } = await fetchFrom();
    expect(result.status).toBe(200);
    expect(await result.text()).toBe("at /to?a=1");
  });

  it.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
    [301, "PUT", "PUT"],
    [302, "DELETE", "DELETE"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
  ])("of %d makes of %s a %s, with or without its body, type and key", async (status, method, expected) => {
    redirectFrom(here, status, "/to");
    const body = method === "HEAD" ? {} : { body: "b", headers: { "Content-Type": "text/x" } };
    await fetchFrom({ method, ...body });
    const [first, second] = here.received;
    expect([first?.method, second?.method]).toEqual([method, expected]);
    const keeps = method !== "HEAD" && expected === method;
    expect(second?.body.toString()).toBe(keeps ? "b" : "");
    expect(second?.headers["content-type"]).toBe(keeps ? "text/x" : undefined);
    expect(second?.headers["idempotency-key"]).toBe(keeps ? first?.headers["idempotency-key"] : undefined);
  });

  it("within the origin keeps everything", async () => {
    redirectFrom(here, 302, `${here.url}/to`);
    await fetchFrom({ headers: SECRETS });
    expect(here.received.map(secretsOf)).toEqual([Object.keys(SECRETS), Object.keys(SECRETS)]);
  });

  it("to another origin drops what tells who sent it, and keeps the rest", async () => {
    redirectFrom(here, 307, `${there.url}/to`);
    there.answerWith(reply(200));
    await fetchFrom({ method: "POST", body: "b", headers: { ...SECRETS, "X-A": "1" } });
    const [first] = here.received;
    const [second] = there.received;
    if (first === undefined || second === undefined) throw new Error("A request is missing.");
    expect(secretsOf(first)).toEqual(Object.keys(SECRETS));
    expect(secretsOf(second)).toEqual([]);
    expect(second).toMatchObject({ method: "POST", headers: { "x-a": "1" } });
    expect(second.body.toString()).toBe("b");
  });

  it("to another origin drops the engine's own key too", async () => {
    redirectFrom(here, 307, `${there.url}/to`);
    there.answerWith(reply(200));
    await fetchFrom({ method: "POST" });
    expect(here.received[0]?.headers["idempotency-key"]).toBeDefined();
    expect(there.received[0]?.headers["idempotency-key"]).toBeUndefined();
  });

  it("back to the first origin does not bring back what was dropped", async () => {
    redirectFrom(here, 307, `${there.url}/over`);
    there.answerWith(reply(307, { Location: `${here.url}/back` }));
    const { result } = await fetchFrom({ method: "POST", headers: SECRETS });
    expect(await result.text()).toBe("at /back");
    const [, back] = here.received;
    expect(back && secretsOf(back)).toEqual([]);
  });

  it("is not followed where the author says so", async () => {
    redirectFrom(here, 302, "/to");
    const { result } = await fetchFrom({ redirect: "manual" });
    expect(result).toMatchObject({ ok: false, status: 302 });
    expect(result.headers.get("Location")).toBe("/to");
    expect(here.received).toHaveLength(1);
  });

  it('is a network error under redirect: "error"', async () => {
    redirectFrom(here, 302, "/to");
    const { error } = await fetchFrom({ redirect: "error" });
    expect(error).toMatchObject({ name: "StepExhausted", attempts: 2, cause: { message: /redirect: "error"/ } });
    expect(here.received.map(({ path }) => path)).toEqual(["/from", "/from"]);
  });

  it("is an answer where it has no Location", async () => {
    here.answerWith(reply(302, {}, "nowhere"));
    const { result } = await fetchFrom();
    expect(result.status).toBe(302);
    expect(await result.text()).toBe("nowhere");
  });

  it.each([["file:///etc/passwd"], ["http://["], ["javascript:1"]])("to %s is a network error", async (location) => {
    redirectFrom(here, 302, location);
    const { error } = await fetchFrom();
    expect(error).toMatchObject({ name: "StepExhausted", cause: { message: /Location must be a URL/ } });
  });

  it("is followed 20 times, and no further", async () => {
    const hops = (last: number) =>
      here.answerWith((response, { path }) => {
        const hop = path === "/from" ? 0 : Number(path.slice(1));
        if (hop < last) reply(302, { Location: `/${hop + 1}` })(response);
        else reply(200)(response);
      });
    hops(20);
    expect((await fetchFrom()).result.status).toBe(200);
    expect(here.received).toHaveLength(21);
    hops(21);
    expect((await fetchFrom()).error).toMatchObject({ cause: { message: /redirected 20 times/ } });
    expect(here.received).toHaveLength(2 * 21);
  });

  it("may lead to a refusal, and that counts", async () => {
    redirectFrom(here, 302, `${there.url}/to`);
    there.answerWith(reply(410));
    expect((await fetchFrom()).error).toMatchObject({ name: "HttpRefusal", status: 410 });
  });
});
