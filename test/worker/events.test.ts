import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { EventText, readEvents, type SeenEvent } from "../support/event-viewer.ts";
import { serveApp, storedIn } from "../support/served-app.ts";

const order = defineWorkflow(
  { name: "order", signals: { go: z.object({ steps: z.int() }) } },
  async ({ step, awaitSignal, sleep }) => {
    for (;;) {
      const { value } = await awaitSignal("go");
      if (value.steps === 0) return "done";
      for (let index = 0; index < value.steps; index += 1) {
        await step.run("work", async () => index);
        if (index % 3 === 0) await sleep(2);
      }
    }
  },
);
const app = serveApp({ workflows: [order], directory: false });
const EXECUTIONS = "/v1/workflows/order/executions";

async function started(id: string): Promise<string> {
  await app.send(EXECUTIONS, { json: { id }, headers: { prefer: "wait=0" } });
  return `${EXECUTIONS}/${id}`;
}

/** Lets it do so many steps, or end, and waits until nothing of that is left. */
async function go(path: string, steps: number): Promise<void> {
  expect((await app.send(`${path}/signals/go`, { json: { steps } })).status).toBe(202);
  for (;;) {
    const { body } = await app.send(path);
    // The cast: the view's own form.
    const [wait] = body["waitingFor"] as readonly { readonly kind: string }[];
    const isDone = body["state"] === "completed" || (wait?.kind === "signal" && body["unreadSignals"] === 0);
    if (isDone && body["state"] !== "running") return;
    await scheduler.wait(5);
  }
}

async function journalOf(path: string): Promise<readonly unknown[]> {
  const page = await app.send(`${path}/journal?limit=1000`);
  return page.body["entries"] as readonly unknown[];
}

/** Reads the stream of events until so many entries were seen. */
async function readSome(response: Response, entries: number): Promise<readonly SeenEvent[]> {
  const text = new EventText();
  const reader = response.body?.getReader();
  while (text.events.length < entries) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) break;
    text.push(new TextDecoder().decode(chunk.value));
  }
  await reader?.cancel();
  return text.events;
}

describe("events over HTTP", () => {
  it("stream every entry as the journal shows it, live, and end after the last one", async () => {
    const path = await started("s1");
    const response = await app.open(`${path}/events`, { headers: { accept: "text/event-stream" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const read = readEvents(response.body);
    await go(path, 5);
    await go(path, 0);
    const { events, comments, isTorn } = await read;
    expect(events.map(({ data }) => data)).toEqual(await journalOf(path));
    expect(events.map(({ id, type }) => [id, type])).toEqual(events.map(({ data }, number) => [number, data["type"]]));
    expect([comments, isTorn, events.at(-1)?.type]).toEqual([1, false, "completed"]);
  });

  it("go on after Last-Event-ID without gap or repeat, over evictions", async () => {
    const path = await started("s2");
    const seen: SeenEvent[] = [];
    for (let round = 1; round <= 5; round += 1) {
      const last = seen.at(-1)?.id;
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": String(last) };
      const reading = readSome(await app.open(`${path}/events`, { headers }), 2 * round);
      await go(path, round);
      seen.push(...(await reading));
      // The platform tells the object that a reader has gone when it next sends it something.
      await go(path, 1);
      await evictDurableObject(app.object("order/s2"));
    }
    await go(path, 0);
    const rest = await app.open(`${path}/events`, { headers: { "last-event-id": String(seen.at(-1)?.id) } });
    seen.push(...(await readEvents(rest.body)).events);
    expect(seen.map(({ data }) => data)).toEqual(await journalOf(path));
  });

  it("reach a hundred viewers, each of them whole", async () => {
    const path = await started("s3");
    const streams = await Promise.all(Array.from({ length: 100 }, () => app.open(`${path}/events`)));
    const reads = streams.map(({ body }) => readEvents(body));
    await go(path, 20);
    await go(path, 0);
    const journal = await journalOf(path);
    for (const read of reads) expect((await read).events.map(({ data }) => data)).toEqual(journal);
  });

  it("break off for viewers of an object that is lost, who can come back", async () => {
    const path = await started("s5");
    const response = await app.open(`${path}/events`);
    const reader = response.body?.getReader();
    const text = new EventText();
    while (text.events.length < 2) text.push(new TextDecoder().decode((await reader?.read())?.value));
    await runInDurableObject(app.object("order/s5"), (_, ctx) => ctx.abort("lost")).catch(() => {});
    await expect(async () => {
      for (;;) if ((await reader?.read())?.done === true) throw new Error("ended");
    }).rejects.toThrow(/disconnected|lost/);
    await go(path, 0);
    const rest = await app.open(`${path}/events`, { headers: { "last-event-id": "1" } });
    const events = [...text.events, ...(await readEvents(rest.body)).events];
    expect(events.map(({ data }) => data)).toEqual(await journalOf(path));
  });

  it("are 404 for what does not exist, and nothing is stored for it", async () => {
    const answer = await app.send(`${EXECUTIONS}/nobody/events`);
    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    expect(await storedIn(app.object("order/nobody"))).toEqual([]);
  });

  it("are answered to HEAD without a stream, and by 204 where everything was seen", async () => {
    const path = await started("s6");
    const head = await app.send(`${path}/events`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), head.text]).toEqual([200, "text/event-stream", ""]);
    await go(path, 0);
    const last = (await journalOf(path)).length - 1;
    const over = await app.send(`${path}/events`, { headers: { "last-event-id": String(last) } });
    expect([over.status, over.text]).toEqual([204, ""]);
    const beyond = await app.send(`${path}/events?from=${last + 2}`);
    expect([beyond.status, beyond.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    // Nothing holds the object in memory.
    await evictDurableObject(app.object("order/s6"));
  });
});
