import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { serveApp } from "../support/served-app.ts";
import { SocketClient } from "../support/socket-client.ts";
import { READ_TOKEN, TOKEN } from "./node/test-app.ts";

const order = defineWorkflow(
  { name: "order", signals: { go: z.object({ steps: z.int().max(5_000) }), note: z.string() } },
  async ({ step, awaitSignal, setProgress }) => {
    for (;;) {
      const { value } = await awaitSignal("go");
      if (value.steps === 0) return "done";
      for (let index = 0; index < value.steps; index += 1) {
        if (value.steps > 100) setProgress("x".repeat(10_000));
        else await step.run("work", async () => index);
      }
    }
  },
);
const app = serveApp({ workflows: [order], maximumValueBytes: 100_000, directory: false });
const EXECUTIONS = "/v1/workflows/order/executions";

async function started(id: string): Promise<string> {
  await app.send(EXECUTIONS, { json: { id } });
  return `${EXECUTIONS}/${id}/events`;
}

const go = (steps: number) => ({ signal: { name: "go", value: { steps } } });

/** The journal by HTTP, page by page. */
async function journalOf(events: string): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  for (let next: unknown = 0; typeof next === "number";) {
    const page = await app.send(`${events.replace(/events$/, "journal")}?limit=1000&from=${next}`);
    entries.push(...(page.body["entries"] as readonly unknown[]));
    next = page.body["next"];
  }
  return entries;
}

describe("a WebSocket of events", () => {
  it("streams the entries of the journal, answers commands by their ids, and is closed after the end", async () => {
    const path = await started("w1");
    const client = await SocketClient.open(app, path);
    expect(await client.ask(go(3), "first")).toEqual({
      id: "first",
      status: 202,
      body: { accepted: true, duplicate: false },
    });
    expect(await client.ask({ pause: { reason: "by hand" } })).toMatchObject({
      status: 202,
      body: { state: "paused" },
    });
    expect(await client.ask({ pause: {} })).toMatchObject({ status: 200, body: { state: "paused" } });
    expect(await client.ask({ resume: {} })).toMatchObject({ status: 202 });
    const keyed = { signal: { name: "note", value: "a", idempotencyKey: "k" } };
    expect(await client.ask(keyed)).toMatchObject({ body: { duplicate: false } });
    expect(await client.ask(keyed)).toMatchObject({ body: { duplicate: true } });
    expect(await client.ask({ cancel: { reason: "not wanted" } })).toMatchObject({ status: 202 });
    expect(await client.ended()).toEqual({ code: 1_000, reason: "The execution has ended." });
    expect(client.frames.filter(({ entry }) => entry !== undefined)).toEqual(await journalOf(path));
    expect(client.frames.find(({ type }) => type === "cancelled")).toBeDefined();
  });

  it("goes on over evictions of its object, for hibernation, without gap or repeat", async () => {
    const path = await started("w2");
    const client = await SocketClient.open(app, path);
    for (let round = 1; round <= 5; round += 1) {
      await client.frame(({ type, op }) => type === "signal-awaited" && Number(op) >= round - 1);
      await evictDurableObject(app.object("order/w2"));
      // Once by somebody else, once by the viewer itself.
      const byHttp = () => app.send(path.replace(/events$/, "signals/go"), { json: { steps: 2 } });
      const { status } = await (round % 2 === 0 ? byHttp() : client.ask(go(2)));
      expect(status).toBe(202);
    }
    await client.ask(go(0));
    await client.ended();
    expect(client.frames.filter(({ entry }) => entry !== undefined)).toEqual(await journalOf(path));
  });

  it("costs nothing while nothing happens: a ping is answered without the object", async () => {
    const path = await started("w3");
    const client = await SocketClient.open(app, path);
    await client.frame(({ type }) => type === "signal-awaited");
    await evictDurableObject(app.object("order/w3"));
    client.send("ping");
    await client.frame((frame) => frame["pong"] === true);
    // Nothing to evict: it is not in memory.
    await expect(evictDurableObject(app.object("order/w3"))).rejects.toThrow("not currently running");
  });

  it("goes on from any entry, and is refused beyond the end and for what does not exist", async () => {
    const path = await started("w4");
    const first = await SocketClient.open(app, path);
    await first.frame(({ type }) => type === "signal-awaited");
    first.close();
    const second = await SocketClient.open(app, `${path}?from=1`);
    await second.frame(({ type }) => type === "signal-awaited");
    expect(second.entries).toEqual([1]);
    const headers = { upgrade: "websocket" };
    expect((await app.send(`${path}?from=9`, { headers })).status).toBe(422);
    expect((await app.send(`${path}?from=x`, { headers })).status).toBe(422);
    expect((await app.send(`${EXECUTIONS}/nobody/events`, { headers })).status).toBe(404);
  });

  it("lets a reader watch and nothing else", async () => {
    const path = await started("w5");
    const client = await SocketClient.open(app, path, { authorization: `Bearer ${READ_TOKEN}` });
    await client.frame(({ type }) => type === "signal-awaited");
    for (const frame of [go(1), { cancel: {} }, { pause: {} }, { resume: {} }]) {
      expect(await client.ask(frame)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
    expect(client.entries).toEqual([0, 1]);
  });

  it("takes its token from the protocols that are offered, and answers only the one of the frames", async () => {
    const path = await started("w6");
    const encoded = btoa(TOKEN).replaceAll("=", "");
    const handshake = (protocols: string) =>
      app.open(path, { headers: { authorization: "", upgrade: "websocket", "sec-websocket-protocol": protocols } });
    const opened = await handshake(`stepwell, stepwell.token.${encoded}`);
    expect([opened.status, opened.headers.get("sec-websocket-protocol")]).toEqual([101, "stepwell"]);
    opened.webSocket?.accept();
    opened.webSocket?.close();
    for (const protocols of ["stepwell", "stepwell, stepwell.token.bm9uZQ", "stepwell.token.", `bearer.${encoded}`]) {
      expect((await handshake(protocols)).status).toBe(401);
    }
    const page = await app.open(path, {
      headers: { authorization: "", "sec-websocket-protocol": `stepwell.token.${encoded}` },
    });
    expect(page.status).toBe(401);
  });

  it("is not opened to another origin, whatever its token may do", async () => {
    const path = await started("w7");
    for (const token of [TOKEN, READ_TOKEN]) {
      const headers = { authorization: `Bearer ${token}`, upgrade: "websocket" };
      const refused = await app.send(path, { headers: { ...headers, origin: "https://evil.example.com" } });
      expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
      const own = await app.open(path, { headers: { ...headers, origin: "https://flows.example.com" } });
      expect(own.status).toBe(101);
      own.webSocket?.accept();
      own.webSocket?.close();
    }
  });

  it.each([
    [400, "INVALID_JSON", undefined, "{"],
    [422, "VALIDATION_ERROR", undefined, "[]"],
    [422, "VALIDATION_ERROR", undefined, "null"],
    [422, "VALIDATION_ERROR", undefined, '{"id":5}'],
    [422, "VALIDATION_ERROR", "a", '{"id":"a"}'],
    [422, "VALIDATION_ERROR", "a", '{"id":"a","cancel":{},"pause":{}}'],
    [422, "VALIDATION_ERROR", "a", '{"id":"a","terminate":{}}'],
    [422, "VALIDATION_ERROR", "a", '{"id":"a","cancel":{"why":"x"}}'],
    [422, "VALIDATION_ERROR", "a", '{"id":"a","ack":-1}'],
    [422, "VALIDATION_ERROR", "a", '{"id":"a","signal":{"value":1}}'],
    [422, "UNSUPPORTED", "a", '{"id":"a","signal":{"name":"other"}}'],
    [422, "INVALID_ID", "a", '{"id":"a","signal":{"name":"a/b"}}'],
    [422, "VALIDATION_ERROR", "a", '{"id":"a","signal":{"name":"go","value":{"steps":"x"}}}'],
    [422, "INVALID_ID", "a", '{"id":"a","signal":{"name":"go","idempotencyKey":""}}'],
    [413, "VALUE_TOO_LARGE", undefined, `{"id":"a","signal":{"name":"note","value":"${"x".repeat(200_000)}"}}`],
    [413, "VALUE_TOO_LARGE", "a", `{"id":"a","signal":{"name":"note","value":"${"x".repeat(120_000)}"}}`],
  ])("answers a malformed frame with what is wrong, and goes on: %i %s", async (status, code, ...[id, frame]) => {
    const path = await started(`m-${crypto.randomUUID()}`);
    const client = await SocketClient.open(app, path);
    client.send(frame);
    const answer = await client.frame((candidate) => candidate.status !== undefined);
    expect([answer.id, answer.status, answer.body?.code]).toEqual([id, status, code]);
    client.send(new ArrayBuffer(3));
    await client.frame(({ body }) => String(body?.["detail"]).includes("must be text"));
    expect(await client.ask({ cancel: {} })).toMatchObject({ status: 202 });
  });

  it("takes signals in their order, and no more commands than its bound", async () => {
    const path = await started("w8");
    const client = await SocketClient.open(app, path);
    for (let index = 0; index < 150; index += 1)
      client.send({ id: String(index), signal: { name: "note", value: String(index) } });
    await client.frame(({ id }) => id === "149");
    await client.frame(({ id }) => id === "0");
    const refused = client.frames.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(50);
    expect(refused[0]?.body?.code).toBe("FRAME_LIMIT");
    const taken = client.frames.filter(({ status }) => status === 202).map(({ id }) => id);
    await client.frame(({ type, value }) => type === "signal-received" && value === taken.at(-1));
    const received = client.frames.filter(({ type }) => type === "signal-received").map((frame) => frame["value"]);
    expect(received).toEqual(taken);
    expect(received).toEqual([...received].sort((a, b) => Number(a) - Number(b)));
  });

  it("is sent no more than its bound before it acknowledges something, and then the rest", async () => {
    const path = await started("w9");
    const client = await SocketClient.open(app, path);
    await client.ask(go(300));
    await client.frame(({ entry }) => (entry ?? 0) > 100);
    await scheduler.wait(200);
    const sent = client.entries.length;
    expect(sent).toBeLessThan(120);
    for (let acknowledged = sent; client.entries.length < 303; acknowledged = client.entries.length) {
      client.send({ ack: acknowledged - 1 });
      await client.frame(({ entry }) => entry === acknowledged);
    }
    expect(client.entries).toEqual(Array.from(client.entries, (_, number) => number));
  });

  it("reaches a hundred viewers, each of them whole", async () => {
    const path = await started("w10");
    const clients = await Promise.all(Array.from({ length: 100 }, () => SocketClient.open(app, path)));
    await clients[0]?.ask(go(20));
    await clients[1]?.ask(go(0));
    const journal = await Promise.all(clients.map((client) => client.ended())).then(() => journalOf(path));
    for (const { frames } of clients) expect(frames.filter(({ entry }) => entry !== undefined)).toEqual(journal);
  });

  it("is closed when the execution is purged", async () => {
    const path = await started("w11");
    const client = await SocketClient.open(app, path);
    await client.frame(({ type }) => type === "signal-awaited");
    // As if its end had not been told yet.
    await runInDurableObject(app.object("order/w11"), async (object) => {
      await object.command({ command: "terminate" });
      await object.purge();
    });
    expect([1_000, 1_001]).toContain((await client.ended()).code);
  });
});
