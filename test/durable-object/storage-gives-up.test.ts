import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { decodeValue } from "../../src/journal/value.ts";
import { errorOf } from "../support/hits.ts";
import { plainObject, startRequest } from "../support/plain-object.ts";

const MIB = 1_024 * 1_024;

/** SQL that fails once: at the n-th statement that begins so. */
function failStatement({ sql }: DurableObjectStorage, statement: string, nth: number): void {
  const exec = sql.exec.bind(sql);
  let seen = 0;
  sql.exec = <T extends Record<string, SqlStorageValue>>(query: string, ...bindings: unknown[]) => {
    if (query.startsWith(statement) && (seen += 1) === nth) throw new Error("disk I/O error: SQLITE_IOERR");
    return exec<T>(query, ...bindings);
  };
}

describe("a start whose storage fails in the middle", () => {
  it.each([
    ["INSERT INTO journal", 1],
    ["CREATE TABLE blobs", 1],
    ["INSERT INTO blobs", 1],
    ["INSERT INTO blobs", 2],
  ])("stores nothing of it, and another start of that id has its own input whole: %s (%i)", async (statement, nth) => {
    const length = defineWorkflow<string>({ name: "length" }, async ({ input }) => [input.length, input.at(-1)]);
    const stub = plainObject(length);
    const tables = await runInDurableObject(stub, async (execution, { storage }) => {
      failStatement(storage, statement, nth);
      // Longer than the next one: a part of it that stayed would be a part of the next.
      const refused = await errorOf(execution.start(startRequest(length, { input: `${"x".repeat(1.2 * MIB)}y` })));
      expect(refused).toMatchObject({ message: "disk I/O error: SQLITE_IOERR" });
      return storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('journal', 'blobs')").toArray();
    });
    expect(tables).toEqual([]);
    const request = startRequest(length, { input: `${"x".repeat(0.5 * MIB)}z`, waitMs: 10_000 });
    const { outcome } = await runInDurableObject(stub, async (execution) => {
      const answer = await execution.start(request);
      if (answer.kind === "refused") throw new Error(answer.message);
      expect(answer.created).toBe(true);
      return answer.view;
    });
    if (outcome?.kind !== "completed") throw new Error(`It ended as ${JSON.stringify(outcome)}.`);
    expect(decodeValue(outcome.value)).toEqual([0.5 * MIB + 1, "z"]);
  });
});
