import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { EventText, readEvents } from "../support/event-viewer.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";

const SECOND_MS = 1_000;
const FORM = { form: "json", journalPath: "/journal" } as const;

const wait = defineWorkflow({ name: "wait" }, async ({ step, sleep, input }) => {
  await step.run("one", () => 1);
  await sleep("10m");
  return input;
});
const texts = defineWorkflow<number, unknown>({ name: "texts" }, async ({ input, step }) => {
  for (let index = 0; index < input; index += 1) await step.run("text", () => "x".repeat(60_000));
});

async function open(probe: MemoryProbe, from = 0): Promise<ReadableStream<Uint8Array>> {
  const answer = await probe.object.service.events({ from, form: FORM, isOpened: true });
  if (answer.kind !== "events" || answer.stream === undefined) throw new Error(`The answer is ${answer.kind}.`);
  return answer.stream;
}

/** Reads in the background. */
function follow(stream: ReadableStream<Uint8Array>) {
  const text = new EventText();
  const end = Promise.withResolvers<string>();
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text.push(decoder.decode(chunk));
  };
  void read().then(
    () => end.resolve("closed"),
    (error: unknown) => end.resolve(String(error)),
  );
  return { text, end: end.promise };
}

describe("a stream of events", () => {
  it("begins with a comment, shows every entry as a page of the journal does, and ends after the last one", async () => {
    const host = new MemoryHost({ workflows: [wait] });
    const probe = await host.start(wait, { input: { at: new Date(5) } });
    const { text, end } = follow(await open(probe));
    await host.settle();
    expect([text.comments, text.events.map(({ type }) => type)]).toEqual([
      1,
      ["started", "attempt-started", "step-completed", "timer-set"],
    ]);
    await host.advance(600 * SECOND_MS);
    expect(await end).toBe("closed");
    expect(text.isTorn).toBe(false);
    const facts = await probe.facts();
    expect(text.events.map(({ id, type }) => [id, type])).toEqual(facts.map(({ entry, type }) => [entry, type]));
    expect(text.events[0]?.data).toMatchObject({
      entry: 0,
      type: "started",
      input: { at: "1970-01-01T00:00:00.005Z" },
    });
    expect(text.events.at(-1)).toMatchObject({
      type: "completed",
      data: { value: { at: "1970-01-01T00:00:00.005Z" } },
    });
  });

  it("sends a comment every 15 seconds", async () => {
    const host = new MemoryHost({ workflows: [wait] });
    const { text } = follow(await open(await host.start(wait)));
    await host.settle();
    for (let comments = 1; comments <= 4; comments += 1) {
      expect(text.comments).toBe(comments);
      await host.advance(15 * SECOND_MS);
    }
  });

  it("begins at any entry, and says where there is nothing any more", async () => {
    const host = new MemoryHost({ workflows: [wait] });
    const probe = await host.start(wait);
    const late = follow(await open(probe, 4));
    await host.settle();
    expect(late.text.events).toEqual([]);
    await host.advance(600 * SECOND_MS);
    expect(late.text.events.map(({ id }) => id)).toEqual([4, 5]);
    expect((await readEvents(await open(probe, 5))).events.map(({ id }) => id)).toEqual([5]);
    const { service } = probe.object;
    expect(await service.events({ from: 6, form: FORM, isOpened: true })).toEqual({ kind: "over" });
    expect(await service.events({ from: 5, form: FORM, isOpened: false })).toEqual({ kind: "events" });
    expect(await service.events({ from: 7, form: FORM, isOpened: true })).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("knows no execution that is not there, and stores nothing for it", async () => {
    const host = new MemoryHost({ workflows: [wait] });
    const object = host.object(wait, "nobody");
    expect(await object.service.events({ from: 0, form: FORM, isOpened: true })).toEqual({ kind: "absent" });
    expect(object.isEmpty).toBe(true);
  });

  it("writes nothing for its viewers", async () => {
    const rows = async (viewers: number) => {
      const host = new MemoryHost({ workflows: [wait] });
      const probe = await host.start(wait);
      for (let viewer = 0; viewer < viewers; viewer += 1) follow(await open(probe));
      await host.runToEnd();
      return [probe.object.rowsWritten, probe.object.alarmsSet];
    };
    expect(await rows(100)).toEqual(await rows(0));
  });

  it("keeps nothing for a reader that does not read, and drops it after 30 seconds", async () => {
    const host = new MemoryHost({ workflows: [texts] });
    const probe = await host.start(texts, { input: 50 });
    const stream = await open(probe);
    const reader = stream.getReader();
    const first = await reader.read();
    const second = await reader.read();
    const chunk = (second.value?.length ?? 0) + (first.value?.length ?? 0);
    expect(chunk).toBeLessThan(LIMITS.eventChunkLength + 61_000);
    await host.advance(29 * SECOND_MS);
    await reader.read();
    await host.advance(30 * SECOND_MS);
    await expect(reader.read()).rejects.toThrow(/must be read within 30 s: the next one is entry \d+/);
    expect(host.clock.nextAt).toBeUndefined();
  });

  it("is read whole by a slow reader that goes on reading", async () => {
    const host = new MemoryHost({ workflows: [texts] });
    const probe = await host.start(texts, { input: 20 });
    const text = new EventText();
    for await (const chunk of await open(probe)) {
      text.push(new TextDecoder().decode(chunk));
      await host.advance(20 * SECOND_MS);
    }
    expect(text.events.map(({ id }) => id)).toEqual((await probe.facts()).map(({ entry }) => entry));
  });

  it("leaves nothing behind when its reader goes", async () => {
    const host = new MemoryHost({ workflows: [wait] });
    const probe = await host.start(wait);
    const reader = (await open(probe)).getReader();
    await reader.read();
    const pending = reader.read().then(() => reader.read());
    await host.settle();
    await reader.cancel();
    await pending;
    expect(host.clock.nextAt).toBeUndefined();
  });

  it("ends when the execution is purged", async () => {
    const host = new MemoryHost({ workflows: [wait] });
    const probe = await host.start(wait);
    await probe.command("terminate");
    const reader = (await open(probe)).getReader();
    await reader.read();
    await probe.object.service.purge();
    expect((await reader.read()).done).toBe(true);
  });

  it("refuses the viewer that is one too many, and lets the next in when one has gone", async () => {
    const host = new MemoryHost({ workflows: [wait] });
    const probe = await host.start(wait);
    const streams: ReadableStream<Uint8Array>[] = [];
    for (let viewer = 0; viewer < LIMITS.viewers; viewer += 1) streams.push(await open(probe));
    const refusal = await probe.object.service.events({ from: 0, form: FORM, isOpened: true });
    expect(refusal).toMatchObject({ kind: "refused", code: "VIEWER_LIMIT" });
    await streams[0]?.cancel();
    expect((await probe.object.service.events({ from: 0, form: FORM, isOpened: true })).kind).toBe("events");
  });

  it("links a large value, and shows values as the codec writes them to who wants them so", async () => {
    const large = defineWorkflow({ name: "large" }, async ({ step }) => {
      await step.run("large", () => "x".repeat(70_000));
      return new Date(5);
    });
    const host = new MemoryHost({ workflows: [large] });
    const probe = await host.start(large);
    const plain = await readEvents(await open(probe));
    const link = { $value: "/journal/2/value", length: 70_004 };
    expect(plain.events.map(({ data }) => data["value"])).toEqual([
      undefined,
      undefined,
      link,
      "1970-01-01T00:00:00.005Z",
    ]);
    const form = { ...FORM, form: "values" } as const;
    const answer = await probe.object.service.events({ from: 3, form, isOpened: true });
    const values = await readEvents(answer.kind === "events" ? (answer.stream ?? null) : null);
    expect(values.events[0]?.data["value"]).toEqual([["Date", "1970-01-01T00:00:00.005Z"]]);
  });
});
