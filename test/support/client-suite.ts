import { describe, expect, it } from "vitest";
import type { AnyWorkflow } from "stepwell";
import {
  type Client,
  ExecutionCancelled,
  ExecutionFailed,
  type ExecutionHandle,
  type JournalEntry,
  RequestRefused,
  ResultTimeout,
} from "stepwell/client";
import { echo, large, order, second, slow, tick } from "./client-workflows.ts";

const AT = Date.UTC(2026, 5, 15, 12);
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INPUT = { sku: "lamp", lines: [{ cents: 4_900 }] };
const SECOND_MS = 1_000;

export const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Where it waits for a signal, all that it does before is done. */
async function waiting<W extends AnyWorkflow>(handle: ExecutionHandle<W>): Promise<ExecutionHandle<W>> {
  while ((await handle.status()).state !== "waiting") await delay(5);
  return handle;
}

async function refusalOf(promise: Promise<unknown>): Promise<RequestRefused> {
  const fault: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!RequestRefused.is(fault)) throw new Error(`It was not refused: ${String(fault)}`);
  return fault;
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function cyclic(): unknown {
  const value: Record<string, unknown> = { list: [] };
  (value["list"] as unknown[]).push(value);
  return value;
}

const VALUES: readonly (readonly [string, unknown])[] = [
  ["text", "é🦁\u0000\ud83e"],
  ["numbers", [0, -0, 1.5, Number.NaN, Infinity, -Infinity]],
  ["undefined", undefined],
  ["undefined inside", { a: undefined, b: [undefined] }],
  ["a bigint", 2n ** 70n],
  ["a Date", new Date(AT)],
  [
    "a Map",
    new Map<unknown, unknown>([
      ["a", 1n],
      [new Date(AT), new Set([2])],
    ]),
  ],
  ["bytes", new Uint8Array([0, 127, 255])],
  ["a view of its own kind", new BigInt64Array([-1n])],
  ["a buffer", new Uint8Array([1, 2]).buffer],
  ["a RegExp", /a\/b/giu],
  ["a URL", new URL("https://example.com/a?b=c")],
  ["holes", [1, , 3]],
  ["a key __proto__", JSON.parse('{"__proto__":1}')],
  ["a cycle", cyclic()],
  ["an error", new RangeError("too far", { cause: new Error("inner") })],
];

/**
 * What holds for a client whichever way it reaches executions. `prefix` keeps the ids of one way apart from those of
 * another.
 */
export function describeClient(prefix: string, open: () => Client): void {
  const client = open();
  let count = 0;
  const freshId = () => `${prefix}-${(count += 1)}`;
  const startOrder = async (id = freshId()) => await waiting(await client.start(order, INPUT, { id }));

  describe(`a start ${prefix}`, () => {
    it("creates an execution once; the same again is the same, another input is refused", async () => {
      const id = freshId();
      const one = await client.start(order, INPUT, { id });
      const same = await client.start<typeof order>("order", { lines: [{ cents: 4_900 }], sku: "lamp" }, { id });
      expect([one.id, one.created, same.id, same.created]).toEqual([id, true, id, false]);
      const refusal = await refusalOf(client.start(order, { sku: "desk" }, { id }));
      expect([refusal.status, refusal.code, refusal.problem.title]).toEqual([409, "ID_CONFLICT", "The id is taken"]);
    });

    it("without an id gets a UUID of version 7", async () => {
      const handles = await Promise.all([client.start(tick), client.start(tick)]);
      expect(handles.map(({ id, created }) => [UUID_7.test(id), created])).toEqual([
        [true, true],
        [true, true],
      ]);
      expect(handles[0]?.id).not.toBe(handles[1]?.id);
    });

    it("with a key alone is the same by that key, which determines the id", async () => {
      const idempotencyKey = `click ${freshId()}`;
      const one = await client.start(tick, undefined, { idempotencyKey });
      const again = await client.start(tick, undefined, { idempotencyKey });
      expect([one.id, one.created, again.id, again.created]).toEqual([again.id, true, one.id, false]);
      expect(one.id).toMatch(/^k-[\w-]{32}$/);
    });

    it("that waits has the outcome if there is one by then", async () => {
      const ended = await client.start(tick, undefined, { id: freshId(), wait: "10s" });
      expect(ended.outcome).toEqual({ kind: "completed", value: 1 });
      const startedAt = Date.now();
      const open = await client.start(order, INPUT, { id: freshId(), wait: "1s" });
      expect(open.outcome).toBeUndefined();
      expect(Date.now() - startedAt).toBeGreaterThanOrEqual(SECOND_MS - 5);
    });

    it("has its terms: when it begins, its deadline and its attributes", async () => {
      const startAt = new Date(Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + 86_400_000);
      const attributes = { customer: "c-7", express: true, lines: 2 };
      const handle = await client.start(tick, undefined, { id: freshId(), startAt, deadline: "2h", attributes });
      expect(await handle.status()).toMatchObject({
        state: "waiting",
        attributes,
        nextWakeAt: startAt.getTime(),
        deadlineAt: startAt.getTime() + 7_200_000,
        waitingFor: [{ kind: "start", until: startAt.getTime(), because: "startAt" }],
      });
      await handle.cancel();
      expect(await handle.awaitOutcome()).toEqual({ kind: "cancelled" });
    });

    it.each([
      [
        "an input that does not fit",
        { input: { sku: "", lines: [{ cents: 1.5 }] } },
        422,
        "VALIDATION_ERROR",
        "input.sku",
      ],
      ["an input without a form", { input: { sku: () => "lamp" } }, 422, "VALIDATION_ERROR", ".sku"],
      ["an input that is too large", { input: "x".repeat(9 * 1_024 * 1_024) }, 413, "VALUE_TOO_LARGE", undefined],
      ["an id of other characters", { options: { id: "a/b" } }, 422, "INVALID_ID", undefined],
      ["an id of dots", { options: { id: ".." } }, 422, "INVALID_ID", undefined],
      ["an id that is no text", { options: { id: 5 } }, 422, "VALIDATION_ERROR", "id"],
      ["a start that is too far ahead", { options: { startAt: 8e15 } }, 422, "VALIDATION_ERROR", "startAt"],
      ["a start that is no moment", { options: { startAt: new Date(Number.NaN) } }, 422, "VALIDATION_ERROR", "startAt"],
      ["a deadline in months", { options: { deadline: "1 month" } }, 422, "VALIDATION_ERROR", "deadline"],
      ["attributes that are none", { options: { attributes: { a: [1] } } }, 422, "VALIDATION_ERROR", "attributes"],
      ["an option that nobody knows", { options: { colour: "red" } }, 422, "VALIDATION_ERROR", "colour"],
      ["a workflow that nobody has", { workflow: "nobody" }, 404, "NOT_FOUND", undefined],
    ] as const)(
      "is refused with %s",
      async (
        _name,
        {
          workflow = "order",
          input = INPUT,
          options = {},
        }: {
          readonly workflow?: string;
          readonly input?: unknown;
          readonly options?: object;
        },
        status,
        code,
        path,
      ) => {
        const refusal = await refusalOf(client.start(workflow, input, { id: freshId(), ...options }));
        expect([refusal.status, refusal.code, refusal.issues?.[0]?.path]).toEqual([status, code, path]);
        expect(refusal.problem).toMatchObject({ status, code, detail: refusal.message });
      },
    );

    it("is not sent where its signal has aborted", async () => {
      const id = freshId();
      const signal = AbortSignal.abort(new Error("not needed"));
      await expect(client.start(tick, undefined, { id, signal })).rejects.toThrow("not needed");
      expect((await refusalOf(client.get(tick, id).status())).code).toBe("NOT_FOUND");
    });
  });

  describe(`a value ${prefix}`, () => {
    it.each(VALUES)("is what it is on every way: %s", async (_name, value) => {
      const handle = await waiting(await client.start(echo, value, { id: freshId() }));
      expect((await handle.status()).progress).toStrictEqual(value);
      await handle.signal("next", value);
      expect(await handle.result()).toStrictEqual({ kept: value, value });
      const byType = new Map((await all(handle.journal())).map((entry) => [entry.type, entry]));
      expect(byType.get("started")?.["input"]).toStrictEqual(value);
      expect(byType.get("progress")?.["value"]).toStrictEqual(value);
      expect(byType.get("step-completed")?.["value"]).toStrictEqual(value);
      expect(byType.get("signal-received")?.["value"]).toStrictEqual(value);
      expect(byType.get("completed")?.["value"]).toStrictEqual({ kept: value, value });
      const failing = await client.start(echo, value, { id: freshId() });
      await failing.signal("next", "fail");
      expect(await failing.awaitOutcome()).toStrictEqual({
        kind: "failed",
        declared: true,
        code: "BAD",
        message: "BAD",
        details: { kept: value },
      });
      expect((await failing.status()).outcome).toStrictEqual(await failing.awaitOutcome());
    });
  });

  describe(`a handle ${prefix}`, () => {
    it("has the value that its workflow returns", async () => {
      const handle = await startOrder();
      await handle.signal("approval", { approved: true });
      const value = await handle.result({ timeout: "20s" });
      expect(value).toEqual({ sku: "lamp", price: 4_900, at: new Date((await handle.status()).startedAt) });
      expect(await client.get(order, handle.id).result()).toEqual(value);
    });

    it("throws a declared error as ExecutionFailed, with real values in its details", async () => {
      const handle = await startOrder();
      await handle.signal("approval", { approved: false });
      const fault: unknown = await handle.result().catch((error: unknown) => error);
      expect(ExecutionFailed.is(fault)).toBe(true);
      expect(fault).toMatchObject({
        name: "ExecutionFailed",
        declared: true,
        code: "REJECTED",
        message: "lamp is rejected",
      });
      expect(fault).toMatchObject({ details: { sku: "lamp", at: expect.any(Date) } });
    });

    it("throws the engine's own failure as ExecutionFailed too", async () => {
      const handle = await client.start(slow, undefined, { id: freshId(), deadline: 50 });
      const fault: unknown = await handle.result({ timeout: "20s" }).catch((error: unknown) => error);
      expect(fault).toMatchObject({
        declared: false,
        code: "DEADLINE_EXCEEDED",
        details: { deadlineAt: expect.any(Number) },
      });
    });

    it("throws a cancellation as ExecutionCancelled", async () => {
      const handle = await startOrder();
      await handle.cancel("not wanted any more");
      await expect(handle.result()).rejects.toSatisfy(ExecutionCancelled.is);
      expect(await handle.awaitOutcome()).toEqual({ kind: "cancelled" });
      // Again: no effect.
      await handle.cancel();
    });

    it("throws ResultTimeout in time, and the execution goes on", async () => {
      const handle = await startOrder();
      for (const timeout of [0, 300, "1.2s"] as const) {
        const startedAt = Date.now();
        await expect(handle.result({ timeout })).rejects.toSatisfy(ResultTimeout.is);
        expect(Date.now() - startedAt).toBeGreaterThanOrEqual(Number.parseFloat(String(timeout)) - 5);
      }
      expect((await handle.status()).state).toBe("waiting");
    });

    it("hears of the end as soon as it comes", async () => {
      const handle = await startOrder();
      const outcome = handle.awaitOutcome();
      await delay(50);
      const endedAt = Date.now();
      await handle.signal("approval", { approved: true });
      expect((await outcome).kind).toBe("completed");
      expect(Date.now() - endedAt).toBeLessThan(10 * SECOND_MS);
    });

    it("stops to wait when its signal aborts", async () => {
      const handle = await startOrder();
      const controller = new AbortController();
      const result = handle.result({ signal: controller.signal });
      await delay(20);
      controller.abort(new Error("enough"));
      await expect(result).rejects.toThrow("enough");
    });

    it("shows the whole state, with links", async () => {
      const handle = await startOrder();
      const { links, ...status } = await handle.status();
      expect(status).toEqual({
        id: handle.id,
        workflow: "order",
        state: "waiting",
        startedAt: expect.any(Number),
        attributes: {},
        progress: { price: 4_900 },
        waitingFor: [{ kind: "signal", name: "approval", because: "no timeout" }],
        steps: { running: 0, waiting: 0, completed: 1, exhausted: 0, failed: 0, cancelled: 0, abandoned: 0 },
        unreadSignals: 0,
        usage: { entries: 5, operations: 2, journalBytes: expect.any(Number) },
      });
      expect(links).toMatchObject({ self: `/v1/workflows/order/executions/${handle.id}` });
    });

    it("pauses and resumes, twice without effect, and terminates", async () => {
      const handle = await startOrder();
      await handle.pause("the service is down");
      await handle.pause();
      expect(await handle.status()).toMatchObject({
        state: "paused",
        reason: { code: "PAUSED", message: "the service is down" },
      });
      await handle.resume();
      await handle.resume();
      expect((await handle.status()).state).not.toBe("paused");
      await handle.terminate("by hand");
      expect(await handle.awaitOutcome()).toEqual({ kind: "cancelled" });
      const refusal = await refusalOf(handle.pause());
      expect([refusal.status, refusal.code]).toEqual([409, "EXECUTION_ENDED"]);
    });

    it("is deleted after its end, and not before; then there is none", async () => {
      const handle = await startOrder();
      const early = await refusalOf(handle.delete());
      expect([early.status, early.code]).toEqual([409, "EXECUTION_NOT_ENDED"]);
      await handle.terminate();
      await handle.delete();
      const calls = [handle.status, handle.delete, handle.cancel, handle.result];
      for (const call of calls) expect(await refusalOf(call())).toMatchObject({ status: 404, code: "NOT_FOUND" });
    });

    it.each(["", ".", "..", "a/b", "é", "x".repeat(129)])("of the id %j reaches nothing", async (id) => {
      const handle = client.get(order, id);
      const calls = [handle.status, handle.delete, handle.cancel, handle.result, () => all(handle.journal())];
      for (const call of calls) expect(await refusalOf(call())).toMatchObject({ status: 422, code: "INVALID_ID" });
    });
  });

  describe(`a signal ${prefix}`, () => {
    it("counts once under one key, and each time without one", async () => {
      const handle = await startOrder();
      for (let time = 0; time < 2; time += 1) await handle.signal("note", "keyed", { idempotencyKey: "k" });
      for (let time = 0; time < 2; time += 1) await handle.signal("note", "free");
      expect((await handle.status()).unreadSignals).toBe(3);
    });

    it("that waits is answered when the execution has made of it what it can", async () => {
      const handle = await startOrder();
      await handle.signal("approval", { approved: true }, { wait: "10s" });
      expect((await handle.status()).state).toBe("completed");
      expect((await refusalOf(handle.signal("approval", { approved: true }))).code).toBe("EXECUTION_ENDED");
    });

    it("is refused where it is not declared or does not fit", async () => {
      const handle: ExecutionHandle = await startOrder();
      const send = (name: string, value: unknown) => refusalOf(handle.signal(name as never, value as never));
      expect(await send("other", 1)).toMatchObject({ status: 422, code: "UNSUPPORTED" });
      expect(await send("approval", { approved: "yes" })).toMatchObject({
        status: 422,
        code: "VALIDATION_ERROR",
        issues: [{ path: "approved" }],
      });
      expect(await send("a b", 1)).toMatchObject({ status: 422, code: "INVALID_ID" });
      expect(await send("approval", Symbol("s"))).toMatchObject({ status: 422, code: "VALIDATION_ERROR" });
      expect((await handle.status()).unreadSignals).toBe(0);
    });

    it("is read by the version of the code that the execution has", async () => {
      const handle = await client.start(second, undefined, { id: freshId() });
      await handle.signal("go", { word: "on" });
      expect(await handle.result()).toEqual(["second", "on"]);
      const none = client.get(second, freshId());
      expect((await refusalOf(none.signal("go", { word: "on" }))).code).toBe("NOT_FOUND");
    });
  });

  describe(`a journal ${prefix}`, () => {
    const types = (entries: readonly JournalEntry[]) => entries.map(({ entry, type }) => `${entry} ${type}`);

    it("is read whole, or from an entry on", async () => {
      const handle = await client.start(tick, undefined, { id: freshId(), wait: "10s" });
      const entries = await all(handle.journal());
      expect(types(entries)).toEqual(["0 started", "1 attempt-started", "2 step-completed", "3 completed"]);
      expect(await all(handle.journal({ from: 2 }))).toEqual(entries.slice(2));
      expect(await all(handle.journal({ from: 9 }))).toEqual([]);
      expect(await refusalOf(all(handle.journal({ from: -1 })))).toMatchObject({
        status: 422,
        code: "VALIDATION_ERROR",
        issues: [{ path: "from" }],
      });
    });

    it("is followed while the execution goes on, to its end", async () => {
      const handle = await startOrder();
      const seen: string[] = [];
      for await (const { type } of handle.journal({ follow: true })) {
        seen.push(type);
        if (type === "signal-awaited") await handle.signal("approval", { approved: true });
      }
      expect(seen).toEqual([
        "started",
        "attempt-started",
        "step-completed",
        "progress",
        "signal-awaited",
        "signal-received",
        "signal-taken",
        "completed",
      ]);
      expect(types(await all(handle.journal({ follow: true }))).length).toBe(8);
    });

    it("has a reference in place of a large value", async () => {
      const handle = await client.start(large, undefined, { id: freshId(), wait: "10s" });
      const completed = (await all(handle.journal())).find(({ type }) => type === "step-completed");
      expect(completed?.["value"]).toEqual({
        $value: `/v1/workflows/large/executions/${handle.id}/journal/2/value`,
        length: 100_004,
      });
      expect(await handle.result()).toBe("€".repeat(100_000));
    });
  });

  describe(`what there is not yet ${prefix}`, () => {
    it("is refused as what is unknown: forks and lists", async () => {
      const handle = await startOrder();
      const calls = [() => handle.fork({ before: "price" }), () => all(client.list())];
      for (const call of calls) expect(await refusalOf(call())).toMatchObject({ status: 404, code: "NOT_FOUND" });
    });
  });
}
