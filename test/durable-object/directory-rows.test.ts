import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Probe } from "../support/host.ts";
import type { LiveObject } from "../support/live-object.ts";
import { ObjectHost } from "../support/object-host.ts";
import { describe, expect, it } from "vitest";
import { report } from "../support/report.ts";
import { ShardHost } from "../support/shard-host.ts";

describe("rows of the directory", () => {
  it("are at most five for an execution that never waits, and one for its purge", async () => {
    const shard = await ShardHost.open();
    await shard.told(report({ id: "first" }));
    expect(await shard.rowsOf(report({ id: "a", state: "running", sequence: 2 }))).toBe(3);
    expect(await shard.rowsOf(report({ id: "a", state: "completed", sequence: 9, endedAt: 5, purgeAt: 1e15 }))).toBe(2);
    const before = await shard.rowsWritten();
    await shard.inside((object) => object.remove({ workflow: "order", id: "a", createdAt: 1 }));
    expect((await shard.rowsWritten()) - before).toBe(1);
  });

  it("are two where the state changes, one where it stays, and one more for each attribute", async () => {
    const shard = await ShardHost.open();
    await shard.told(report({ id: "a", sequence: 2 }));
    expect(await shard.rowsOf(report({ id: "a", sequence: 3, state: "paused" }))).toBe(2);
    expect(await shard.rowsOf(report({ id: "a", sequence: 4, state: "paused" }))).toBe(1);
    expect(await shard.rowsOf(report({ id: "a", sequence: 5, state: "paused", attributes: { a: 1, b: "x" } }))).toBe(3);
    expect(await shard.rowsOf(report({ id: "a", sequence: 6, state: "paused", attributes: { a: 2, b: "x" } }))).toBe(3);
  });

  it("are none for late and repeated reports", async () => {
    const shard = await ShardHost.open();
    await shard.told(report({ id: "a", sequence: 5, state: "paused" }));
    for (const sequence of [1, 4, 5]) expect(await shard.rowsOf(report({ id: "a", sequence }))).toBe(0);
    expect(await shard.rowsOf(report({ id: "a", sequence: 9, createdAt: 0 }))).toBe(0);
    expect(await shard.listed()).toMatchObject([{ id: "a", state: "paused" }]);
  });

  it("are none for a look at a directory that was never told anything", async () => {
    const shard = await ShardHost.open();
    expect(await shard.inside((object) => object.counts())).toEqual([]);
    expect(await shard.listed()).toEqual([]);
    const tables = await shard.inside((_, { storage }) => storage.sql.exec("SELECT name FROM sqlite_master").toArray());
    expect(tables).toEqual([]);
  });
});

describe("rows of an execution that is listed", () => {
  const sequence = defineWorkflow({ name: "sequence" }, async ({ step }) => {
    for (let i = 0; i < 10; i += 1) await step.run("one", async () => 1);
  });
  const listener = defineWorkflow({ name: "listener", signals: { go: staticSchema<number>() } }, async (context) => {
    await context.awaitSignal("go");
  });

  /** Of all objects together, the tables of the directory and its alarm left out. */
  async function rowsOf(directory: boolean, act: (host: ObjectHost) => Promise<{ readonly object: LiveObject }>) {
    const host = new ObjectHost({ workflows: [sequence, listener], directory });
    await host.start(sequence, { id: "first" });
    const before = (await host.shard?.rowsWritten()) ?? 0;
    const { object } = await act(host);
    return { own: object.rowsWritten, told: ((await host.shard?.rowsWritten()) ?? 0) - before };
  }

  it("are at most six more than without a directory, if it never waits, from its start to the alarm of its purge", async () => {
    const run = (host: ObjectHost) => host.start(sequence, { id: "second" });
    const listed = await rowsOf(true, run);
    const unlisted = await rowsOf(false, run);
    expect(unlisted.told).toBe(0);
    expect(listed.told).toBeGreaterThan(0);
    expect(listed.own + listed.told - unlisted.own).toBeLessThanOrEqual(6);
  });

  it("are at most three more for each further report: a pause, a resume, a signal that ends it", async () => {
    const acts = [
      (probe: Probe) => probe.command("pause"),
      (probe: Probe) => probe.command("resume"),
      (probe: Probe) => probe.signal("go", 1),
    ];
    const rows = async (directory: boolean, count: number) => {
      const { own, told } = await rowsOf(directory, async (host) => {
        const probe = await host.start(listener, { id: "l" });
        for (const act of acts.slice(0, count)) await act(probe);
        return probe;
      });
      return own + told;
    };
    const more: number[] = [];
    for (let count = 0; count <= acts.length; count += 1)
      more.push((await rows(true, count)) - (await rows(false, count)));
    for (const [index, rowsMore] of more.entries()) {
      expect(rowsMore - (more[index - 1] ?? 0)).toBeLessThanOrEqual(index === 0 ? 6 : 3);
    }
  });

  it("are none for a look at it after an eviction, in no object", async () => {
    const host = new ObjectHost({ workflows: [listener], directory: true });
    const probe = await host.start(listener, { id: "l" });
    const before = probe.object.rowsWritten + ((await host.shard?.rowsWritten()) ?? 0);
    for (let i = 0; i < 5; i += 1) {
      await probe.evict();
      await probe.view();
    }
    expect(probe.object.rowsWritten + ((await host.shard?.rowsWritten()) ?? 0)).toBe(before);
  });
});
