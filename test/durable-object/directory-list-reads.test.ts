import { describe, expect, it } from "vitest";
import { listRows } from "../../src/durable-object/directory-list.ts";
import { DirectoryTable } from "../../src/durable-object/directory-table.ts";
import type { ListRequest } from "../../src/execution/wire-directory.ts";
import { report } from "../support/report.ts";
import { ShardHost } from "../support/shard-host.ts";

const EXECUTIONS = 400;
const PAGE = 5;
/** A page, a row ahead for each stream of a workflow and a state, and a step for each of them. */
const READS = 40;

/** Two workflows in two states each. */
async function fill(host: ShardHost): Promise<void> {
  await host.inside((_, { storage }) => {
    const table = new DirectoryTable(storage, () => host.clock.now());
    for (let i = 0; i < EXECUTIONS; i += 1) {
      const workflow = i % 2 === 0 ? "invoice" : "order";
      const state = i % 4 < 2 ? "completed" : "waiting";
      table.put(report({ id: `e-${i}`, workflow, state, startedAt: i + 1, createdAt: i + 1 }));
    }
  });
}

/** As the platform bills them. */
async function readsOf(host: ShardHost, request: Partial<ListRequest>): Promise<number> {
  return await host.inside((_, { storage: { sql } }) => {
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    const exec: SqlStorage["exec"] = (...given) => {
      const cursor = sql.exec(...given);
      cursors.push(cursor);
      // The cast: a caller says what the columns are.
      return cursor as never;
    };
    // The cast: a list uses nothing else.
    const page = listRows({ exec } as SqlStorage, { order: "newest", attributes: {}, limit: PAGE, ...request });
    expect(page.executions).toHaveLength(PAGE);
    return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  });
}

describe("what a list reads of a large shard", () => {
  it.each([
    ["of the newest", {}],
    ["of a workflow", { workflow: "order" }],
    ["of a state", { state: "waiting" }],
    ["of a workflow and a state", { workflow: "order", state: "waiting" }],
    ["of a state, from the middle on", { state: "waiting", after: { startedAt: 200, workflow: "order", id: "e-199" } }],
  ] as const)("is hardly more than the page: %s", async (_, request) => {
    const host = await ShardHost.open();
    await fill(host);
    expect(await readsOf(host, request)).toBeLessThan(READS);
  });
});
