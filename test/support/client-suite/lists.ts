import type { ExecutionSummary } from "stepwell/client";
import { describe, expect, it } from "vitest";
import { order } from "../client-workflows.ts";
import { refusalOf } from "../refusal-of.ts";
import { all, delay, INPUT, startOrder, waiting, type Way } from "./way.ts";

/** Lists, counts and what is deployed, over one way. */
export function describeLists(way: Way): void {
  const { client, freshId } = way;

  /** The directory follows what happens by a moment. */
  async function listedAs(id: string, state: string): Promise<ExecutionSummary> {
    for (;;) {
      const found = (await all(client.list({ workflow: order, idPrefix: id }))).find((one) => one.id === id);
      if (found?.state === state) return found;
      await delay(5);
    }
  }

  describe(`what is deployed ${way.name}`, () => {
    it("is told with its signals, errors and schemas, in the order of registration", async () => {
      const workflows = await client.workflows();
      const names = workflows.map(({ name, version }) => [name, ...(version === undefined ? [] : [version])].join(" "));
      expect(names).toEqual(["order", "echo", "tick", "slow", "large", "versioned 1", "versioned 2"]);
      const [first, , tick] = workflows;
      expect(first).toMatchObject({ signals: ["approval", "note"], errors: ["REJECTED"] });
      expect(first?.schemas.input).toMatchObject({ type: "object", required: ["sku"] });
      expect(tick?.schemas).toStrictEqual({ signals: {}, errors: {} });
    });
  });

  describe(`a list ${way.name}`, () => {
    it("has an execution with its state, its times, its attributes and its code", async () => {
      const id = freshId();
      const terms = { id, attributes: { customer: `c-${id}`, express: true } };
      const handle = await waiting(await client.start(order, INPUT, terms));
      const summary = await listedAs(id, "waiting");
      const { startedAt } = await handle.status();
      expect(summary).toEqual({ id, workflow: "order", state: "waiting", startedAt, attributes: terms.attributes });
      await handle.pause();
      expect(await listedAs(id, "paused")).toMatchObject({ code: "PAUSED" });
      await handle.resume();
      await handle.terminate();
      const { endedAt } = await handle.status();
      expect(await listedAs(id, "cancelled")).toMatchObject({ endedAt });
    });

    it("finds by attributes, state and time, and comes in both orders", async () => {
      const customer = freshId();
      const ids: string[] = [];
      for (let i = 0; i < 3; i += 1) {
        const id = freshId();
        ids.push(id);
        await client.start(order, INPUT, { id, attributes: { customer } });
        await listedAs(id, "waiting");
      }
      const found = async (filter: Parameters<typeof client.list>[0]) =>
        (await all(client.list({ attributes: { customer }, ...filter }))).map(({ id }) => id);
      const oldest = await found({ order: "oldest" });
      expect(oldest.toSorted()).toEqual(ids.toSorted());
      expect(await found({})).toEqual(oldest.toReversed());
      expect(await found({ state: "waiting", workflow: "order" })).toHaveLength(3);
      expect(await found({ state: "failed" })).toEqual([]);
      expect(await found({ workflow: "large" })).toEqual([]);
      const summaries = await all(client.list({ attributes: { customer } }));
      const last = Math.max(...summaries.map(({ startedAt }) => startedAt));
      expect(await found({ startedAfter: new Date(last + 1) })).toEqual([]);
      expect((await found({ startedAfter: last })).length).toBeGreaterThan(0);
    });

    it("no longer has an execution that was deleted", async () => {
      const handle = await startOrder(way);
      await listedAs(handle.id, "waiting");
      await handle.terminate();
      await handle.delete();
      expect((await all(client.list({ idPrefix: handle.id }))).map(({ id }) => id)).not.toContain(handle.id);
    });

    it("has counts by workflow and state beside it", async () => {
      const handle = await startOrder(way);
      await listedAs(handle.id, "waiting");
      const { total, workflows } = await client.counts();
      expect(workflows["order"]?.waiting).toBeGreaterThan(0);
      expect(Object.keys(workflows)).toEqual(
        expect.arrayContaining(["order", "echo", "tick", "slow", "large", "versioned"]),
      );
      expect(total.waiting).toBe(Object.values(workflows).reduce((sum, one) => sum + one.waiting, 0));
      await handle.terminate();
    });

    it("is refused for a state that there is not", async () => {
      // The cast: the compiler would have said so.
      const refusal = await refusalOf(all(client.list({ state: "done" as "failed" })));
      expect(refusal).toMatchObject({ status: 422, code: "VALIDATION_ERROR" });
    });
  });
}
