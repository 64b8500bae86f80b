import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JournalEntry } from "../../src/client/index.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { settled } from "../support/virtual-time.ts";
import { type Answer, document, down, problem, scripted, view } from "./scripted-server.ts";

const START = Date.UTC(2026, 10, 30, 12);
const JOURNAL = "GET /v1/workflows/order/executions/o-1/journal";
const RESULT = "GET /v1/workflows/order/executions/o-1/result";

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(() => {
  vi.useRealTimers();
});

function entry(number: number, fields: object = {}): JournalEntry {
  return { entry: number, type: "step-completed", at: 5, op: number, ...fields };
}

function page(entries: readonly object[], next: number | null = null): Answer {
  return document(200, { entries, next });
}

const waiting: Answer = async ({ headers }, signal) => {
  const seconds = Number(/^wait=(\d+)$/.exec(headers.get("prefer") ?? "")?.[1] ?? 0);
  await new Promise((resolve, reject) => {
    setTimeout(resolve, seconds * 1_000);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  return await document(202, view())({} as never, {} as never);
};
const ended = document(200, { kind: "completed", value: -1 });

/** Answers each path by its own script, the last answer of it again and again. */
function byPath(scripts: { readonly journal: readonly Answer[]; readonly result: readonly Answer[] }): Answer {
  const asked = { journal: 0, result: 0 };
  return async (got, signal) => {
    const kind = got.path.includes("/result") ? "result" : "journal";
    const answer = scripts[kind][Math.min(asked[kind], scripts[kind].length - 1)];
    asked[kind] += 1;
    return await (answer ?? down)(got, signal);
  };
}

async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** What an iteration gives while time passes as fast as it can. */
async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const { value, fault } = await settled(collected(items));
  if (value === undefined) throw fault;
  return value;
}

describe("a journal", () => {
  it("is read page by page, each only when it is needed", async () => {
    const { client, lines } = scripted(page([entry(0), entry(1)], 2), page([entry(2)]));
    const entries = client.get("order", "o-1").journal();
    expect(lines()).toEqual([]);
    const iterator = entries[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual(entry(0));
    expect((await iterator.next()).value).toEqual(entry(1));
    expect(lines()).toEqual([`${JOURNAL}?from=0&limit=1000`]);
    expect((await iterator.next()).value).toEqual(entry(2));
    expect((await iterator.next()).done).toBe(true);
    expect(lines()).toEqual([`${JOURNAL}?from=0&limit=1000`, `${JOURNAL}?from=2&limit=1000`]);
  });

  it("begins at the entry that is asked for", async () => {
    const { client, lines } = scripted(page([entry(7)]));
    expect(await all(client.get("order", "o-1").journal({ from: 7 }))).toEqual([entry(7)]);
    expect(lines()).toEqual([`${JOURNAL}?from=7&limit=1000`]);
  });

  it("has values as what they are, the reference of a large one as it is, and all else untouched", async () => {
    const value = new Map([[1n, new Uint8Array([7])]]);
    const flat: unknown = JSON.parse(encodeValue(value, 1_000));
    const large = { $value: "/v1/workflows/order/executions/o-1/journal/2/value", length: 70_004 };
    const entries = [
      entry(0, { type: "started", input: flat, attributes: { value: [1] }, policy: { details: [1] } }),
      entry(1, { type: "attempt-failed", error: flat, failure: { name: "Error", message: "m", value: [1] } }),
      entry(2, { value: large }),
      entry(3, { type: "ending", outcome: { type: "failed", code: "X", details: flat } }),
      entry(4, { type: "failed", details: -1 }),
    ];
    const { client } = scripted(page(entries));
    expect(await all(client.get("order", "o-1").journal())).toEqual([
      { ...entries[0], input: value },
      { ...entries[1], error: value },
      entries[2],
      { ...entries[3], outcome: { type: "failed", code: "X", details: value } },
      { ...entries[4], details: undefined },
    ]);
  });

  it("is followed until the execution has ended, with every entry once and in order", async () => {
    const { client, lines } = scripted(
      page([entry(0)], 1),
      page([entry(1)]),
      waiting,
      page([]),
      waiting,
      page([entry(2)]),
      ended,
      page([entry(3), entry(4)]),
    );
    const entries = await all(client.get("order", "o-1").journal({ follow: true }));
    expect(entries.map(({ entry: number }) => number)).toEqual([0, 1, 2, 3, 4]);
    expect(lines()).toEqual([
      `${JOURNAL}?from=0&limit=1000`,
      `${JOURNAL}?from=1&limit=1000`,
      RESULT,
      `${JOURNAL}?from=2&limit=1000`,
      RESULT,
      `${JOURNAL}?from=2&limit=1000`,
      RESULT,
      `${JOURNAL}?from=3&limit=1000`,
    ]);
  });

  it("that has ended is followed to its end, also from behind it", async () => {
    const { client } = scripted(page([]), ended, page([]));
    expect(await all(client.get("order", "o-1").journal({ follow: true, from: 9 }))).toEqual([]);
  });

  it("is looked at ever less often while nothing happens, and often again when something does", async () => {
    const quiet = Array.from({ length: 5 }, () => [waiting, page([])]).flat();
    const { client, got } = scripted(
      page([entry(0)]),
      ...quiet,
      waiting,
      page([entry(1)]),
      waiting,
      page([]),
      ended,
      page([]),
    );
    await all(client.get("order", "o-1").journal({ follow: true }));
    const looks = got.filter(({ path }) => path.includes("/journal")).map(({ at }) => at);
    const seconds = looks.slice(1).map((at, index) => (at - (looks[index] ?? 0)) / 1_000);
    expect(seconds).toEqual([1, 2, 4, 8, 8, 8, 1, 0]);
  });

  it("is followed through a network that fails, without gap or repeat", async () => {
    const failing = [down, problem(503, "UNAVAILABLE"), down];
    const journal = [...failing, page([entry(0)]), ...failing, page([entry(1)]), page([])];
    const { client } = scripted(byPath({ journal, result: [...failing, waiting, ...failing, ended] }));
    const entries = await all(client.get("order", "o-1").journal({ follow: true }));
    expect(entries.map(({ entry: number }) => number)).toEqual([0, 1]);
  });

  it("is refused as everything is, when it is read", async () => {
    const { client } = scripted(problem(404, "NOT_FOUND"));
    await expect(all(client.get("order", "o-1").journal({ follow: true }))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("is followed no further when the reader stops, or the signal aborts", async () => {
    const { client, got } = scripted(byPath({ journal: [page([entry(0)]), page([])], result: [waiting] }));
    for await (const one of client.get("order", "o-1").journal({ follow: true })) {
      expect(one).toEqual(entry(0));
      break;
    }
    expect([got.length, vi.getTimerCount()]).toEqual([1, 0]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 10_000);
    const { signal } = controller;
    const { fault, at } = await settled(collected(client.get("order", "o-1").journal({ follow: true, signal })));
    expect([fault, at - START]).toEqual([new Error("enough"), 10_000]);
  });
});

describe("a list", () => {
  const summary = (id: string) => ({
    id,
    workflow: "order",
    state: "paused",
    startedAt: 1,
    attributes: { value: [1] },
  });

  it("is read page by page by the cursor of the one before", async () => {
    const { client, lines } = scripted(
      document(200, { executions: [summary("a"), summary("b")], next: "b+/=&" }),
      document(200, { executions: [summary("c")], next: null }),
    );
    expect(await all(client.list())).toEqual([summary("a"), summary("b"), summary("c")]);
    expect(lines()).toEqual(["GET /v1/executions?limit=100", "GET /v1/executions?limit=100&cursor=b%2B%2F%3D%26"]);
  });

  it("takes every filter of the interface", async () => {
    const { client, got } = scripted(document(200, { executions: [], next: null }));
    const filter = {
      workflow: { name: "order" },
      state: "paused",
      attributes: { customer: "c 7", express: true, lines: 2 },
      startedAfter: 5,
      startedBefore: { valueOf: () => 7 } as Date,
      idPrefix: "o-",
      order: "oldest",
    } as const;
    expect(await all(client.list(filter))).toEqual([]);
    expect(Object.fromEntries(new URL(got[0]?.path ?? "", "http://x").searchParams)).toEqual({
      workflow: "order",
      state: "paused",
      "attribute.customer": "c 7",
      "attribute.express": "true",
      "attribute.lines": "2",
      startedAfter: "5",
      startedBefore: "7",
      idPrefix: "o-",
      order: "oldest",
      limit: "100",
    });
  });

  it("leaves absent filters out", async () => {
    const { client, lines } = scripted(document(200, { executions: [], next: null }));
    await all(client.list({ workflow: "order", state: undefined, startedAfter: undefined }));
    expect(lines()).toEqual(["GET /v1/executions?workflow=order&limit=100"]);
  });
});
