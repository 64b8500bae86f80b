import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import type { MakeHost } from "../support/host.ts";

const DAY_MS = 86_400_000;
const signals = { s: staticSchema<string>() };

export function describeRetention(makeHost: MakeHost): void {
  describe("retention", () => {
    it("case 226: case 227: is for executions that have ended: none that sleeps, waits or is paused is ever purged", async () => {
      const sleeping = defineWorkflow({ name: "sleeping", retention: "1d" }, async ({ sleep }) => await sleep("60d"));
      const waiting = defineWorkflow({ name: "waiting", signals, retention: "1d" }, async ({ awaitSignal }) => {
        return (await awaitSignal("s")).value;
      });
      const host = makeHost({ workflows: [sleeping, waiting] });
      const sleeper = await host.start(sleeping);
      const waiter = await host.start(waiting);
      const paused = await host.start(sleeping);
      await paused.command("pause");
      for (let day = 0; day < 59; day += 1) {
        await host.advance(DAY_MS);
        for (const probe of [sleeper, waiter, paused]) if (day % 10 === 0) await probe.evict();
      }
      expect(await sleeper.view()).toMatchObject({ state: "waiting" });
      expect(await paused.view()).toMatchObject({ state: "paused" });
      await waiter.signal("s", "late");
      expect(await waiter.outcome()).toEqual({ kind: "completed", value: "late" });
      await host.advance(DAY_MS);
      expect(await sleeper.view()).toMatchObject({ state: "completed" });
      await paused.command("resume");
      expect(await paused.view()).toMatchObject({ state: "completed" });
    });

    it("case 231: is the same for executions that failed or were cancelled, and counts from their end", async () => {
      const fails = defineWorkflow({ name: "fails", retention: "1d" }, async ({ sleep }) => {
        await sleep("3d");
        throw new NonRetryableError("No.");
      });
      const host = makeHost({ workflows: [fails] });
      const failed = await host.start(fails);
      const cancelled = await host.start(fails);
      await host.advance(3 * DAY_MS);
      await cancelled.command("cancel");
      expect(await failed.outcome()).toMatchObject({ kind: "failed" });
      await host.advance(DAY_MS - 1);
      expect(await failed.alarm()).toBe(host.now() + 1);
      expect(await failed.view()).toMatchObject({ state: "failed" });
      await host.advance(1);
      for (const probe of [failed, cancelled]) {
        await expect(probe.view()).rejects.toThrow("There is no execution");
        expect(await probe.alarm()).toBeUndefined();
      }
    });
  });
}
