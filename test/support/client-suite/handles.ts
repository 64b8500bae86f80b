import { describe, expect, it } from "vitest";
import { ExecutionCancelled, ExecutionFailed, ResultTimeout } from "stepwell/client";
import { order, slow } from "../client-workflows.ts";
import { refusalOf } from "../refusal-of.ts";
import { all, delay, startOrder, type Way } from "./way.ts";

const SECOND_MS = 1_000;

export function describeHandles(way: Way): void {
  const { client, freshId } = way;

  describe(`a handle ${way.name}`, () => {
    it("has the value that its workflow returns", async () => {
      const handle = await startOrder(way);
      await handle.signal("approval", { approved: true });
      const value = await handle.result({ timeout: "20s" });
      expect(value).toEqual({ sku: "lamp", price: 4_900, at: new Date((await handle.status()).startedAt) });
      expect(await client.get(order, handle.id).result()).toEqual(value);
    });

    it("throws a declared error as ExecutionFailed, with real values in its details", async () => {
      const handle = await startOrder(way);
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
      const handle = await startOrder(way);
      await handle.cancel("not wanted any more");
      await expect(handle.result()).rejects.toSatisfy(ExecutionCancelled.is);
      expect(await handle.awaitOutcome()).toEqual({ kind: "cancelled" });
      // Again: no effect.
      await handle.cancel();
    });

    it("throws ResultTimeout in time, and the execution goes on", async () => {
      const handle = await startOrder(way);
      for (const timeout of [0, 300, "1.2s"] as const) {
        const startedAt = Date.now();
        await expect(handle.result({ timeout })).rejects.toSatisfy(ResultTimeout.is);
        expect(Date.now() - startedAt).toBeGreaterThanOrEqual(Number.parseFloat(String(timeout)) - 5);
      }
      expect((await handle.status()).state).toBe("waiting");
    });

    it("hears of the end as soon as it comes", async () => {
      const handle = await startOrder(way);
      const outcome = handle.awaitOutcome();
      await delay(50);
      const endedAt = Date.now();
      await handle.signal("approval", { approved: true });
      expect((await outcome).kind).toBe("completed");
      expect(Date.now() - endedAt).toBeLessThan(10 * SECOND_MS);
    });

    it("stops to wait when its signal aborts", async () => {
      const handle = await startOrder(way);
      const controller = new AbortController();
      const result = handle.result({ signal: controller.signal });
      await delay(20);
      controller.abort(new Error("enough"));
      await expect(result).rejects.toThrow("enough");
    });

    it("shows the whole state, with links", async () => {
      const handle = await startOrder(way);
      const { links, ...status } = await handle.status();
      expect(status).toMatchObject({
        id: handle.id,
        workflow: "order",
        state: "waiting",
        startedAt: expect.any(Number),
        attributes: {},
        progress: { price: 4_900 },
        waitingFor: [{ kind: "signal", name: "approval", because: "no timeout" }],
        steps: { running: 0, waiting: 0, completed: 1, exhausted: 0, failed: 0, cancelled: 0, abandoned: 0 },
        unreadSignals: 0,
        usage: { entries: expect.any(Number), operations: 2 },
      });
      expect(links).toMatchObject({ self: `/v1/workflows/order/executions/${handle.id}` });
    });

    it("pauses and resumes, twice without effect, and terminates", async () => {
      const handle = await startOrder(way);
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
      const handle = await startOrder(way);
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
}
