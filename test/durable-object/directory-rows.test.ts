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
