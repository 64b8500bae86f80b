import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";

const MIB = 1_024 * 1_024;
const signals = { stop: staticSchema<string>() };

setFlagsFromString("--expose-gc");
// The cast: what the flag adds to a new context.
const collectGarbage = runInNewContext("gc") as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe("memory", () => {
  it("case 236: each decided race against one long-lived wait keeps less than a kibibyte, as native promises do", async () => {
    const growth = async (isRaced: boolean) => {
      let grown = 0;
      const workflow = defineWorkflow({ name: "stoppable", signals }, async ({ awaitSignal, sleep }) => {
        const stop = awaitSignal("stop");
        const before = heapUsed();
        for (let i = 0; i < 20_000; i += 1) await Promise.race(isRaced ? [stop, sleep(0)] : [sleep(0)]);
        grown = heapUsed() - before;
        return (await stop).value;
      });
      const host = new MemoryHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.signal("stop", "now");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "now" });
      return grown;
    };
    await growth(true);
    const withoutRaces = await growth(false);
    // An execution has at most 25,000 operations, so that is what bounds it.
    expect((await growth(true)) - withoutRaces).toBeLessThan(20_000 * 1_024);
  });

  it("case 236: each of many races that code without operations wins takes the same time", async () => {
    const timeOf = async (races: number) => {
      const workflow = defineWorkflow({ name: "busy", signals }, async ({ awaitSignal }) => {
        const stop = awaitSignal("stop");
        const work = async (i: number) => i;
        for (let i = 0; i < races; i += 1) await Promise.race([stop, work(i)]);
        return (await stop).value;
      });
      const host = new MemoryHost({ workflows: [workflow] });
      const before = process.cpuUsage();
      const probe = await host.start(workflow);
      const { user } = process.cpuUsage(before);
      await probe.signal("stop", "now");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "now" });
      return user;
    };
    await timeOf(1_000);
    // Eight times as many: sixty-four times the time, were it quadratic.
    expect((await timeOf(16_000)) / (await timeOf(2_000))).toBeLessThan(24);
  });

  it("case 237: five thousand executions that have ended hold nothing but their journals", async () => {
    const workflow = defineWorkflow({ name: "short" }, async ({ step, sleep }) => {
      await step.run("work", () => 1);
      await sleep(10);
      return "done";
    });
    const round = async (count: number) => {
      const host = new MemoryHost({ workflows: [workflow] });
      for (let i = 0; i < count; i += 1) await host.start(workflow);
      await host.advance(10);
      return [...host.objects.values()].filter((object) => object.hasEnded).length;
    };
    await round(100);
    const before = heapUsed();
    expect(await round(5_000)).toBe(5_000);
    expect(heapUsed() - before).toBeLessThan(2 * MIB);
  });
});
