import { exports } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { ObjectHost } from "../support/object-host.ts";
import { plainObject, runPlain } from "../support/plain-object.ts";
import { registerApp } from "../workers/registry.ts";

interface Row {
  readonly seq: number;
  readonly bytes: number;
  readonly types: readonly string[];
}

/** The rows of a journal, with the types of their entries. */
function rowsOf(_: unknown, { storage }: DurableObjectState): Row[] {
  const rows = storage.sql.exec<{ seq: number; entries: string }>("SELECT seq, entries FROM journal ORDER BY seq");
  return rows.toArray().map(({ seq, entries }) => ({
    seq,
    bytes: new TextEncoder().encode(entries).length,
    // The cast: the engine wrote it.
    types: (JSON.parse(entries) as { readonly type: string }[]).map(({ type }) => type),
  }));
}

describe("a commit", () => {
  it("holds the completion of a step that fetches together with the start of the next, and nothing comes between", async () => {
    const seen: number[] = [];
    const fetches = defineWorkflow({ name: "fetches" }, async ({ step }) => {
      for (let i = 0; i < 3; i += 1) {
        await step.run("fetch", async () => {
          const response = await exports.default.fetch("https://service.test/");
          seen.push(response.status);
          return await response.text();
        });
      }
    });
    registerApp(() => new Response("ok"));
    const stub = plainObject(fetches);
    const { view } = await runPlain(fetches, stub);
    expect(view.state).toBe("completed");
    expect(seen).toEqual([200, 200, 200]);
    expect((await runInDurableObject(stub, rowsOf)).map(({ types }) => types)).toEqual([
      ["started", "attempt-started"],
      ["step-completed", "attempt-started"],
      ["step-completed", "attempt-started"],
      ["step-completed", "completed"],
    ]);
  });

  it("is several rows where it is larger than a row may be", async () => {
    const large = defineWorkflow({ name: "large" }, async ({ step }) => {
      // Three bytes each, below what goes into a table of its own.
      await Promise.all(Array.from({ length: 40 }, () => step.run("one", () => "€".repeat(60_000))));
    });
    const host = new ObjectHost({ workflows: [large] });
    const probe = await host.start(large);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
    const rows = await probe.object.inside(rowsOf);
    expect(rows.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(40 * 180_000);
    expect(rows.length).toBeGreaterThan(7);
    for (const { bytes } of rows) expect(bytes).toBeLessThanOrEqual(LIMITS.rowBytes);
    let next = 0;
    for (const { seq, types } of rows) {
      expect(seq).toBe(next);
      next += types.length;
    }
  });
});
