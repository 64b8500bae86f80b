import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";

const SECOND_MS = 1_000;
const signals = { go: staticSchema<number>() };

describe("an execution over a deploy", () => {
  it("keeps the terms of its steps, though they would not fit on top of the new deployment's", async () => {
    const at: number[] = [];
    const workflow = defineWorkflow({ name: "terms", signals }, async ({ step, awaitSignal }) => {
      await step.run({ name: "x", retryPolicy: { maximumInterval: "2s" } }, ({ attempt }) => {
        at.push(host.now());
        if (attempt < 4) throw new Error("no");
      });
      await awaitSignal("go");
      const refused = step.run({ name: "y", retryPolicy: { maximumInterval: "2s" } }, () => 1);
      return await refused.catch((error: unknown) => error instanceof RangeError && error.message);
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.deploy({ workflows: [workflow], retryPolicy: { initialInterval: "30s" } });
    await host.advance(10 * SECOND_MS);
    expect(at).toEqual([0, 1, 3, 5].map((s) => s * SECOND_MS));
    await probe.signal("go", 1);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: expect.stringContaining("maximumInterval") });
  });

  it("case 188: S50 pauses when its workflow is not deployed any more, and goes on when it is again", async () => {
    const first = defineWorkflow({ name: "versioned", version: "1" }, async ({ sleep }) => (await sleep("1m"), "one"));
    const second = defineWorkflow({ name: "versioned", version: "2" }, async ({ sleep }) => (await sleep("1m"), "two"));
    const host = new MemoryHost({ workflows: [first] });
    const old = await host.start(first, { id: "old" });
    await host.deploy({ workflows: [second] });
    await host.advance(60 * SECOND_MS);
    const { state, reason } = await old.view();
    expect(state).toBe("paused");
    expect(reason).toMatchObject({ code: "VERSION_NOT_DEPLOYED", message: expect.stringContaining("version 1") });
    expect(await old.alarm()).toBeUndefined();
    await host.deploy({ workflows: [first, second] });
    expect(await old.command("resume")).toBe("done");
    expect(await old.outcome()).toEqual({ kind: "completed", value: "one" });
  });

  it("case 192: a journal with an entry of an unknown type is paused and its data untouched", async () => {
    const workflow = defineWorkflow({ name: "newer" }, async ({ sleep }) => await sleep("1m"));
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await probe.evict();
    const rows = probe.object.rows as { seq: number; entries: string }[];
    rows.push({ seq: (await probe.facts()).length, entries: `[{"type":"invented-later","at":5}]` });
    await probe.evict();
    const stored = JSON.stringify(probe.object.rows);
    await host.advance(60 * SECOND_MS);
    const { state, reason } = await probe.view();
    expect(state).toBe("paused");
    expect(reason).toMatchObject({ code: "JOURNAL_UNREADABLE", message: expect.stringContaining("invented-later") });
    expect(JSON.stringify(probe.object.rows)).toBe(stored);
  });
});
