import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";
import { storedState } from "../support/stored-state.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2100, 0, 1);
const signals = { go: staticSchema<string>() };

const hits: string[] = [];
const part = defineWorkflow({ name: "part", input: staticSchema<string>(), signals }, async (context) => {
  const { input, step, awaitSignal } = context;
  await step.run("hit", () => void hits.push(input));
  return (await awaitSignal("go")).value;
});

async function typesOf(probe: MemoryProbe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

describe("a pause", () => {
  it("sends nothing, and keeps what comes in", async () => {
    const whole = defineWorkflow({ name: "whole" }, async ({ runExecution }) => {
      return await Promise.all([runExecution(part, "a", { id: "a" }), runExecution(part, "b", { id: "b" })]);
    });
    const host = new MemoryHost({ workflows: [whole, part], now: START });
    host.network.fate = ({ to }) => (to === "part/b" ? "lost" : "delivered");
    const probe = await host.start(whole);
    await probe.command("pause");
    const { calls } = host.network;
    host.network.fate = () => "delivered";
    await host.advance(DAY);
    expect(host.network.calls).toBe(calls);
    expect(await probe.alarm()).toBeUndefined();
    await host.get(part, "a").signal("go", "1");
    expect((await typesOf(probe)).slice(-2)).toEqual(["paused", "child-ended"]);
    await probe.evict();
    await probe.command("resume");
    await host.get(part, "b").signal("go", "2");
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: ["1", "2"] });
  });

  it("does not let a child run twice whose start was not acknowledged before, though it is long gone", async () => {
    hits.length = 0;
    const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, awaitExecution }) => {
      const ref = await startExecution(part, "once", { id: "p" });
      return await awaitExecution(ref).catch((error: Error) => error.message);
    });
    const host = new MemoryHost({ workflows: [whole, part], now: START });
    host.network.fate = ({ method }) => (method === "start" ? "unanswered" : "delivered");
    const probe = await host.start(whole);
    await probe.command("pause");
    await host.get(part, "p").signal("go", "done");
    await host.advance(30 * DAY);
    expect(host.objectOf({ workflow: "part", id: "p" }).isEmpty).toBe(true);
    host.network.fate = () => "delivered";
    await probe.command("resume");
    await host.runToEnd();
    expect(hits).toEqual(["once"]);
    expect((await probe.facts()).find(({ type }) => type === "child-started")).toMatchObject({ op: 0, ended: true });
    expect(await probe.outcome()).toMatchObject({ kind: "completed", value: expect.stringContaining("part/p") });
  });
});

describe("a start that is cancelled before it was acknowledged", () => {
  it.each(["lost", "late", "unanswered"] as const)("leaves no child alive where it was %s", async (fate) => {
    hits.length = 0;
    const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, cancelled, step }) => {
      const wasCancelled = await startExecution(part, "child", { id: "p" }).then(() => false, cancelled);
      return await step.run("after", () => wasCancelled);
    });
    const host = new MemoryHost({ workflows: [whole, part], now: START });
    host.network.fate = ({ number }) => (number === 1 ? fate : "delivered");
    const probe = await host.start(whole);
    await probe.command("cancel");
    await host.advance(2 * MINUTE);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: true });
    expect(await host.get(part, "p").outcome()).toEqual({ kind: "cancelled" });
    // It had begun where only the answer was lost.
    expect(hits).toEqual(fate === "unanswered" ? ["child"] : []);
    expect(storedState(probe.object).outbox.size).toBe(0);
  });
});

describe("many messages", () => {
  it("are under way in bounded number, and their acknowledgements share rows", async () => {
    const children = 200;
    const whole = defineWorkflow({ name: "whole", signals }, async ({ startExecution, awaitSignal }) => {
      for (let i = 0; i < children; i += 1) void startExecution(part, "child", { id: `p-${i}` });
      await awaitSignal("go");
    });
    let most = 0;
    const host = new MemoryHost({ workflows: [whole, part], now: START });
    const probe = await host.start(whole);
    const { object } = probe;
    const before = object.rowsWritten;
    host.network.fate = () => {
      most = Math.max(most, host.network.callsOf(object.name));
      return "delivered";
    };
    await probe.signal("go", "on");
    expect(most).toBe(LIMITS.deliveriesInFlight);
    expect(storedState(object).outbox.size).toBe(0);
    expect(object.rowsWritten - before).toBeLessThanOrEqual(2 + Math.ceil(children / LIMITS.acknowledgementsHeld) + 1);
    for (let i = 0; i < children; i += 1) {
      expect(await host.get(part, `p-${i}`).outcome()).toEqual({ kind: "cancelled" });
    }
  });
});
