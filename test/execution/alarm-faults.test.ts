import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

describe("alarms over storage that fails", () => {
  it("case 36: an execution whose storage fails ten times in a row finishes, with a bounded number of wakes", async () => {
    const hits: string[] = [];
    const workflow = defineWorkflow({ name: "failing" }, async ({ sleep, step }) => {
      await sleep("10s");
      return await step.run("after", () => hits.push("after"));
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    let failures = 0;
    host.faults.beforeWrite = (_, kind) => {
      if (kind !== "append" || failures === 10) return;
      failures += 1;
      throw new Error("the disk is full");
    };
    await host.advance(10 * SECOND_MS);
    const alarmsBefore = probe.object.alarmsSet;
    await host.advance(60 * MINUTE_MS);
    expect(failures).toBe(10);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
    expect(hits).toEqual(["after"]);
    expect(probe.object.alarmsSet - alarmsBefore).toBeLessThan(60);
  });

  it("case 202: while nothing can be written, it is tried again with growing delays, and what is stored can be read", async () => {
    const workflow = defineWorkflow({ name: "full" }, async ({ sleep }) => await sleep("10s"));
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    let tries = 0;
    host.faults.beforeWrite = (_, kind) => {
      if (kind !== "append" && kind !== "blob") return;
      tries += 1;
      throw new Error("the disk is full");
    };
    await host.advance(60 * MINUTE_MS);
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(120);
    const page = await probe.object.service.journal({ from: 0, limit: 10 }).catch(() => undefined);
    expect(page?.kind === "page" && page.entries).toContain("timer-set");
    delete host.faults.beforeWrite;
    await host.advance(2 * MINUTE_MS);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
  });
});
