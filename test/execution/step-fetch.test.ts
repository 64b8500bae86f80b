import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FetchResult, WorkflowContext } from "../../src/execution/workflow-context.ts";
import { runFetching, startFetching, finish } from "../support/fetching.ts";
import { HttpService, reply } from "../support/http-service.ts";

let service: HttpService;
beforeAll(async () => void (service = await HttpService.start()));
afterAll(() => service.close());

type Init = RequestInit;

/** The request that the service got for one `step.fetch`. */
async function receivedFor(init?: Init, input: string | URL | Request = `${service.url}/x`) {
  service.answerWith(reply(200));
  const { seen } = await runFetching(({ step }) => step.fetch("x", input, init));
  expect(seen.error).toBeUndefined();
  expect(service.received).toHaveLength(1);
  const [received] = service.received;
  if (received === undefined) throw new Error("The service got nothing.");
  return received;
}

async function resultFor(answer: ReturnType<typeof reply>): Promise<FetchResult> {
  service.answerWith(answer);
  const { seen } = await runFetching(({ step }) => step.fetch("x", `${service.url}/x`));
  expect(seen.error).toBeUndefined();
  return seen.value as FetchResult;
}

describe("the result of step.fetch", () => {
  it("has status, headers and the body as text, JSON and bytes, again and again", async () => {
    const result = await resultFor(reply(201, { "X-Trace": "t-1", "Content-Type": "application/json" }, '{"id":"ü"}'));
    const { ok, status, headers, text, json, bytes } = result;
    expect({ ok, status }).toEqual({ ok: true, status: 201 });
    expect(headers).toBeInstanceOf(Headers);
    expect(headers.get("x-trace")).toBe("t-1");
    expect(await text()).toBe('{"id":"ü"}');
    expect(await json()).toEqual({ id: "ü" });
    expect(await bytes()).toEqual(new TextEncoder().encode('{"id":"ü"}'));
    expect(await text()).toBe('{"id":"ü"}');
    expect(text()).toBeInstanceOf(Promise);
  });

  it("keeps bytes that are no text, and gives a copy of them each time", async () => {
    const raw = Buffer.from([0, 255, 254, 128, 10]);
    const result = await resultFor(reply(200, {}, raw));
    const bytes = await result.bytes();
    bytes.fill(7);
    expect(await result.bytes()).toEqual(new Uint8Array(raw));
  });

  it("keeps every Set-Cookie header", async () => {
    const { headers } = await resultFor(reply(200, { "Set-Cookie": ["a=1", "b=2"] }));
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it.each([[204], [205], [304]])("has an empty body after %d", async (status) => {
    const result = await resultFor(reply(status));
    expect(result.status).toBe(status);
    expect(await result.text()).toBe("");
  });

  it.each([
    [200, true],
    [299, true],
    [300, false],
    [304, false],
    [399, false],
  ])("is an answer for %d, with ok %s", async (status, ok) => {
    expect(await resultFor(reply(status))).toMatchObject({ status, ok });
  });

  it("rejects json() with a SyntaxError where the body is no JSON", async () => {
    const result = await resultFor(reply(200, {}, "<html>"));
    await expect(result.json()).rejects.toThrow(SyntaxError);
  });

  it("is journaled as plain data, and cannot be journaled itself", async () => {
    service.answerWith(reply(200, { "X-A": "1" }, "hi"));
    const { probe } = await runFetching(({ step }) => step.fetch("x", `${service.url}/x`));
    const completed = (await probe.facts()).find((fact) => fact.type === "step-completed");
    expect(JSON.stringify(completed)).toContain(Buffer.from("hi").toString("base64"));
    const returned = await runFetching(async ({ step }) => {
      const answer = await step.fetch("x", `${service.url}/x`);
      return await step.run("y", () => answer);
    });
    expect(returned.seen.error).toMatchObject({ code: "VALUE_NOT_JOURNALABLE", message: /\.headers/ });
  });

  it("S56 is the same after an eviction, without another request", async () => {
    service.answerWith(reply(202, { "X-A": "1", "Set-Cookie": ["a=1", "b=2"] }, "body"));
    const looks: unknown[] = [];
    const fetching = await startFetching(async ({ step, sleep }: WorkflowContext) => {
      const { ok, status, headers, text } = await step.fetch("x", `${service.url}/x`);
      looks.push({ ok, status, headers: [...headers], text: await text() });
      await sleep("1h");
    });
    const { probe, host } = fetching;
    while ((await probe.view()).waitingFor.length === 0) await host.settle();
    await probe.evict();
    await finish(fetching);
    expect(service.received).toHaveLength(1);
    expect(looks).toHaveLength(2);
    expect(looks[1]).toEqual(looks[0]);
    expect(looks[0]).toMatchObject({ status: 202, text: "body" });
  });
});

describe("the request of step.fetch", () => {
  it("is a GET without a key", async () => {
    const { method, path, headers } = await receivedFor();
    expect({ method, path }).toEqual({ method: "GET", path: "/x" });
    expect(headers["idempotency-key"]).toBeUndefined();
  });

  it.each([["GET"], ["HEAD"], ["OPTIONS"], ["get"]])("has no key for %s", async (method) => {
    expect((await receivedFor({ method })).headers["idempotency-key"]).toBeUndefined();
  });

  it.each([["POST"], ["PUT"], ["PATCH"], ["DELETE"], ["delete"]])("has a key for %s", async (method) => {
    const { headers, method: sent } = await receivedFor({ method });
    expect(sent).toBe(method.toUpperCase());
    expect(headers["idempotency-key"]).toMatch(/^[\w-]{32}$/);
  });

  it("keeps a key that the author gave, whatever its case", async () => {
    const { headers } = await receivedFor({ method: "POST", headers: { "idempotency-KEY": "mine" } });
    expect(headers["idempotency-key"]).toBe("mine");
  });

  it.each<readonly [string, () => BodyInit, string, string | undefined]>([
    ["text", () => "täxt", "täxt", "text/plain;charset=UTF-8"],
    ["bytes", () => new Uint8Array([104, 105]), "hi", undefined],
    ["a view of a part", () => new Uint8Array(Buffer.from("ahib")).subarray(1, 3), "hi", undefined],
    ["an ArrayBuffer", () => new Uint8Array([104, 105]).buffer, "hi", undefined],
    [
      "URLSearchParams",
      () => new URLSearchParams({ a: "1 2" }),
      "a=1+2",
      "application/x-www-form-urlencoded;charset=UTF-8",
    ],
    ["a Blob", () => new Blob(["hi"], { type: "text/x" }) as never, "hi", "text/x"],
  ])("sends %s", async (...[, body, expected, type]) => {
    const received = await receivedFor({ method: "POST", body: body() });
    expect(received.body.toString()).toBe(expected);
    expect(received.headers["content-type"]).toBe(type);
  });

  it("sends a form with files", async () => {
    const form = new FormData();
    form.append("a", "1");
    form.append("f", new File(["hi"], "f.txt") as never, "g.txt");
    const { headers, body } = await receivedFor({ method: "POST", body: form });
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(body.toString()).toMatch(/name="a"\r\n\r\n1[\s\S]*filename="g.txt"[\s\S]*hi/);
  });

  it("takes a URL, and a Request whose fields init overrides", async () => {
    expect((await receivedFor(undefined, new URL(`${service.url}/u`))).path).toBe("/u");
    const request = new Request(`${service.url}/r`, { method: "PUT", headers: { "X-A": "1" } });
    expect(await receivedFor(undefined, request)).toMatchObject({ method: "PUT", path: "/r", headers: { "x-a": "1" } });
    const over = await receivedFor({ method: "POST", headers: { "X-B": "2" }, body: "b" }, request);
    expect(over).toMatchObject({ method: "POST", headers: { "x-b": "2" } });
    expect(over.headers["x-a"]).toBeUndefined();
    expect(over.body.toString()).toBe("b");
  });

  it("is copied at the call: what the author changes later is not sent by a second attempt", async () => {
    service.answerWith((response, _, count) => reply(count === 1 ? 503 : 200)(response));
    const body = new Uint8Array([97]);
    const headers = new Headers({ "X-A": "1" });
    const form = new URLSearchParams({ a: "1" });
    await runFetching(async ({ step }) => {
      const sent = [
        step.fetch("bytes", `${service.url}/bytes`, { method: "POST", body, headers }),
        step.fetch("form", `${service.url}/form`, { method: "POST", body: form }),
      ];
      body.fill(98);
      headers.set("X-A", "2");
      form.set("a", "2");
      await Promise.all(sent);
    });
    expect(service.received).toHaveLength(4);
    const sentTo = (path: string) => service.received.filter((received) => received.path === path);
    expect(sentTo("/bytes").map(({ body: got, headers: { "x-a": a } }) => [got.toString(), a])).toEqual([
      ["a", "1"],
      ["a", "1"],
    ]);
    expect(sentTo("/form").map(({ body: got }) => got.toString())).toEqual(["a=1", "a=1"]);
  });

  it("S57 has the same key on every attempt, other keys for other steps; a service that checks it acts once", async () => {
    const charged = new Map<string, string>();
    service.answerWith((response, { path, headers }, count) => {
      const key = String(headers["idempotency-key"]);
      if (!charged.has(key)) charged.set(key, `${path} ${charged.size}`);
      // The charge is made, and the answer lost.
      if (count < 3) response.socket?.resetAndDestroy();
      else reply(200, {}, charged.get(key))(response);
    });
    const { seen } = await runFetching(async ({ step }) => {
      const charge = async (path: string) =>
        await (await step.fetch("charge", service.url + path, { method: "POST" })).text();
      return [await charge("/a"), await charge("/b")];
    });
    expect(seen.value).toEqual(["/a 0", "/b 1"]);
    expect(charged.size).toBe(2);
    expect(service.received).toHaveLength(6);
  });
});
