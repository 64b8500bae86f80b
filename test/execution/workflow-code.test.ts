import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";

const SECOND_MS = 1_000;
const signals = { go: staticSchema<number>() };

describe("what the code of a workflow does outside its operations", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on("unhandledRejection", note);
  });
  afterEach(() => void process.off("unhandledRejection", note));

  it("a rejection of an operation that nobody awaits, or awaits late, never surfaces as unhandled", async () => {
    const workflow = defineWorkflow({ name: "unheard", signals }, async ({ step, sleep, awaitSignal }) => {
      const once = { maximumAttempts: 1 };
      void step.run({ name: "a", retryPolicy: once }, () => Promise.reject(new Error("unheard")));
      void step.run("", () => 1);
      void sleep(Number.NaN);
      void awaitSignal("undeclared" as "go");
      const late = step.run({ name: "b", retryPolicy: once }, () => Promise.reject(new Error("late")));
      await sleep("1m");
      return await late.catch(() => "caught late");
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    const cancelled = await host.start(workflow);
    await cancelled.command("cancel");
    await probe.evict();
    await host.runToEnd();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "caught late" });
    expect(unhandled).toEqual([]);
  });

  it("an operation that is asked for after a foreign await is logged once as FOREIGN_AWAIT", async () => {
    const workflow = defineWorkflow({ name: "foreign", signals }, async ({ step }) => {
      await host.delay(SECOND_MS);
      await step.run("a", () => 1);
      await host.delay(SECOND_MS);
      await step.run("b", () => 1);
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.advance(5 * SECOND_MS);
    expect((await probe.outcome())?.kind).toBe("completed");
    expect(host.logs).toHaveLength(1);
    expect(host.logs[0]).toMatchObject({ level: "warn", fields: { code: "FOREIGN_AWAIT", execution: probe.id } });
  });

  it("log is silent while replaying", async () => {
    const workflow = defineWorkflow({ name: "logs", signals }, async ({ log, step, awaitSignal }) => {
      log.info("begins");
      await step.run("a", () => 1);
      log.warn("half way", { done: 1 });
      await awaitSignal("go");
      log.error("over");
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await probe.evict();
    await probe.ring();
    await probe.evict();
    await probe.signal("go", 1);
    expect((await probe.outcome())?.kind).toBe("completed");
    expect(host.logs.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "info begins",
      "warn half way",
      "error over",
    ]);
    expect(host.logs[1]?.fields).toMatchObject({ workflow: "logs", execution: probe.id, done: 1 });
  });

  it("case 102: two thousand steps of 2 KiB write one row each, of bounded size", async () => {
    const workflow = defineWorkflow({ name: "long" }, async ({ step }) => {
      for (let i = 0; i < 2_000; i += 1) await step.run("piece", () => "x".repeat(2_048));
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
    expect(probe.object.rowsWritten).toBeLessThanOrEqual(2_002);
    expect(Math.max(...probe.object.rows.map(({ entries }) => entries.length))).toBeLessThan(3_000);
  });
});
