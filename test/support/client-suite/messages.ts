import { describe, expect, it } from "vitest";
import type { ExecutionHandle, JournalEntry } from "stepwell/client";
import { large, second, tick } from "../client-workflows.ts";
import { refusalOf } from "../refusal-of.ts";
import { all, startOrder, type Way } from "./way.ts";

export function describeMessages(way: Way): void {
  const { client, freshId } = way;

  describe(`a signal ${way.name}`, () => {
    it("counts once under one key, and each time without one", async () => {
      const handle = await startOrder(way);
      for (let time = 0; time < 2; time += 1) await handle.signal("note", "keyed", { idempotencyKey: "k" });
      for (let time = 0; time < 2; time += 1) await handle.signal("note", "free");
      expect((await handle.status()).unreadSignals).toBe(3);
    });

    it("that waits is answered when the execution has made of it what it can", async () => {
      const handle = await startOrder(way);
      await handle.signal("approval", { approved: true }, { wait: "10s" });
      expect((await handle.status()).state).toBe("completed");
      expect((await refusalOf(handle.signal("approval", { approved: true }))).code).toBe("EXECUTION_ENDED");
    });

    it("is refused where it is not declared or does not fit", async () => {
      const handle: ExecutionHandle = await startOrder(way);
      const send = (name: string, value: unknown) => refusalOf(handle.signal(name as never, value));
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

  describe(`a journal ${way.name}`, () => {
    // When the directory acknowledges what, nobody can say.
    const isOwn = ({ type }: JournalEntry) => type !== "reported";
    const types = (entries: readonly JournalEntry[]) => entries.filter(isOwn).map(({ type }) => type);

    it("is read whole, or from an entry on", async () => {
      const handle = await client.start(tick, undefined, { id: freshId(), wait: "10s" });
      const entries = await all(handle.journal());
      expect(types(entries)).toEqual(["started", "attempt-started", "step-completed", "completed"]);
      expect(entries.map(({ entry }) => entry)).toEqual([...entries.keys()]);
      const later = await all(handle.journal({ from: 2 }));
      expect(later.slice(0, entries.length - 2)).toEqual(entries.slice(2));
      expect(await all(handle.journal({ from: 9 }))).toEqual([]);
      expect(await refusalOf(all(handle.journal({ from: -1 })))).toMatchObject({
        status: 422,
        code: "VALIDATION_ERROR",
        issues: [{ path: "from" }],
      });
    });

    it("is followed while the execution goes on, to its end", async () => {
      const handle = await startOrder(way);
      const seen: string[] = [];
      for await (const { type } of handle.journal({ follow: true })) {
        if (type !== "reported") seen.push(type);
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

  describe(`a fork ${way.name}`, () => {
    it("is another execution, made once for its id", async () => {
      const handle = await startOrder(way);
      const id = freshId();
      const fork = await handle.fork({ id, before: 1 });
      expect([fork.id, (await fork.status()).id]).toEqual([id, id]);
      expect((await handle.fork({ id, before: 1 })).id).toBe(id);
    });

    it("is refused before a step that the execution does not have", async () => {
      const handle = await startOrder(way);
      const refusal = await refusalOf(handle.fork({ before: "nowhere" }));
      expect(refusal).toMatchObject({ status: 422, code: "VALIDATION_ERROR" });
    });
  });
}
