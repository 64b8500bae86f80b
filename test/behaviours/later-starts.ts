import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const HOUR_MS = 3_600_000;
const signals = { s: staticSchema<string>() };

export function describeLaterStarts(makeHost: MakeHost): void {
  describe("startAt", () => {
    it("the execution exists and waits; its code first runs at that time, whatever was lost meanwhile", async () => {
      const ran: number[] = [];
      const workflow = defineWorkflow({ name: "later" }, async ({ now, execution }) => {
        ran.push(host.now());
        return [now(), execution.startedAt];
      });
      const host = makeHost({ workflows: [workflow] });
      const started = host.now();
      const startAt = started + 24 * HOUR_MS;
      const probe = await host.start(workflow, { startAt });
      expect(await probe.view()).toMatchObject({
        state: "waiting",
        startedAt: started,
        waitingFor: [{ kind: "start", until: startAt, because: "startAt" }],
        nextWakeAt: startAt,
        usage: { entries: 1 },
      });
      expect(await probe.alarm()).toBe(startAt);
      await probe.evict();
      await host.advance(12 * HOUR_MS);
      await probe.ring();
      expect(await probe.alarm()).toBe(startAt);
      await host.advance(12 * HOUR_MS - 1);
      expect(ran).toEqual([]);
      await host.advance(1);
      expect(ran).toEqual([startAt]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [startAt, started] });
    });

    it("case 32: a lost alarm is restored by the next look, and a start that is overdue is made up for", async () => {
      const workflow = defineWorkflow({ name: "healed" }, async () => "ran");
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow, { startAt: host.now() + HOUR_MS });
      await probe.spoilAlarm(undefined);
      await probe.view();
      expect(await probe.alarm()).toBe(host.now() + HOUR_MS);
      await probe.spoilAlarm(undefined);
      await probe.evict();
      await host.advance(2 * HOUR_MS);
      expect((await probe.view()).outcome).toBeDefined();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "ran" });
    });

    it("a replay after the start does not wait for it again, and sees the same time", async () => {
      const workflow = defineWorkflow({ name: "replays" }, async ({ now, sleep }) => {
        const began = now();
        await sleep("1h");
        return now() - began;
      });
      const host = makeHost({ workflows: [workflow] });
      const startAt = host.now() + HOUR_MS;
      const probe = await host.start(workflow, { startAt });
      await host.advance(HOUR_MS);
      await probe.evict();
      expect((await probe.view()).waitingFor).toMatchObject([{ kind: "sleep", until: startAt + HOUR_MS }]);
      await host.advance(HOUR_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: HOUR_MS });
      expect((await probe.facts()).filter(({ type }) => type === "run-started")).toHaveLength(1);
    });

    it("a time that has passed is now", async () => {
      const workflow = defineWorkflow({ name: "past" }, async () => "ran");
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow, { startAt: host.now() });
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "ran" });
      expect((await probe.facts())[0]).not.toHaveProperty("startAt");
    });

    it("S53: a signal that comes before is kept, and wakes nothing", async () => {
      const ran: string[] = [];
      const workflow = defineWorkflow({ name: "early-signal", signals }, async ({ awaitSignal }) => {
        ran.push("ran");
        return (await awaitSignal("s")).value;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow, { startAt: host.now() + HOUR_MS });
      expect(await probe.signal("s", "early")).toBe("accepted");
      expect(ran).toEqual([]);
      expect(await probe.view()).toMatchObject({ state: "waiting", unreadSignals: 1 });
      await host.advance(HOUR_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "early" });
    });

    it.each(["cancel", "terminate"] as const)(
      "%s before it ends the execution; its code never runs",
      async (command) => {
        const ran: string[] = [];
        const workflow = defineWorkflow({ name: "never" }, async () => void ran.push("ran"));
        const host = makeHost({ workflows: [workflow] });
        const ended = host.now();
        const probe = await host.start(workflow, { startAt: ended + HOUR_MS });
        expect(await probe.command(command, "not needed")).toBe("done");
        expect(await probe.view()).toMatchObject({ state: "cancelled", endedAt: ended, waitingFor: [] });
        expect(await probe.command("cancel")).toBe("done");
        await host.advance(2 * HOUR_MS);
        expect(ran).toEqual([]);
        expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      },
    );

    it.each([
      { at: "before it", resumedAfterMs: 0.5 * HOUR_MS, ranAfterMs: HOUR_MS },
      { at: "after it", resumedAfterMs: 2 * HOUR_MS, ranAfterMs: 2 * HOUR_MS },
    ])("case 62: paused, the code runs at no time; resumed $at, it runs when it is due", async (given) => {
      const ran: number[] = [];
      const workflow = defineWorkflow({ name: "paused" }, async () => void ran.push(host.now()));
      const host = makeHost({ workflows: [workflow] });
      const started = host.now();
      const probe = await host.start(workflow, { startAt: started + HOUR_MS });
      await probe.command("pause");
      expect(await probe.alarm()).toBeUndefined();
      await host.advance(given.resumedAfterMs);
      expect(ran).toEqual([]);
      await probe.evict();
      await probe.command("resume");
      await host.runToEnd();
      expect(ran).toEqual([started + given.ranAfterMs]);
    });

    it("a deadline counts from it", async () => {
      const workflow = defineWorkflow({ name: "both", deadline: "1h" }, async ({ sleep }) => await sleep("2h"));
      const host = makeHost({ workflows: [workflow] });
      const startAt = host.now() + 24 * HOUR_MS;
      const probe = await host.start(workflow, { startAt });
      expect((await probe.view()).deadlineAt).toBe(startAt + HOUR_MS);
      await host.runToEnd();
      expect(await probe.view()).toMatchObject({ state: "failed", endedAt: startAt + HOUR_MS });
    });
  });
}
