import { describe, expect, it } from "vitest";
import { SqliteJournal } from "../../src/durable-object/sqlite-journal.ts";
import { SqliteStaging } from "../../src/durable-object/sqlite-staging.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { ObjectHost } from "../support/object-host.ts";

const idle = defineWorkflow({ name: "idle" }, async () => {});
const rows = [{ seq: 0, entries: "[]" }];
const parts = [{ id: 0, part: 0, data: new ArrayBuffer(1) }];

describe("the copy of another journal", () => {
  it("knows whether something is in it, whatever was thrown away in the same life of its object", async () => {
    const object = new ObjectHost({ workflows: [idle] }).objectOf({ workflow: "idle", id: "x" });
    const seen = await object.inside((_, { storage }) => {
      const journal = new SqliteJournal(storage);
      const staging = new SqliteStaging(storage, journal);
      const used = [staging.isUsed];
      for (const act of [
        () => staging.add(rows, parts),
        () => staging.discard(),
        // Nothing is left to be thrown away.
        () => staging.discard(),
        () => staging.add(rows, []),
        () => staging.adopt(),
      ]) {
        act();
        used.push(staging.isUsed);
      }
      return { used, found: journal.read(0), next: new SqliteStaging(storage, new SqliteJournal(storage)).isUsed };
    });
    expect(seen).toEqual({ used: [false, true, false, false, true, false], found: rows, next: false });
  });
});
