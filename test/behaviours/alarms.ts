import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Duration } from "../../src/steps/duration.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const signals = { s: staticSchema<string>() };

export function describeAlarms(makeHost: MakeHost): void {
  describe("alarms", () => {
    it.each([{ order: ["10s", "60s"] as const }, { order: ["60s", "10s"] as const }])(
      "case 31: of the sleeps $order the alarm stands at the earlier, then at the later",
      async ({ order }) => {
        const workflow = defineWorkflow({ name: "two" }, async ({ sleep }) => {
          await Promise.all(order.map((duration) => sleep(duration)));
        });
        const host = makeHost({ workflows: [workflow] });
        const start = host.now();
        const probe = await host.start(workflow);
        expect(await probe.alarm()).toBe(start + 10 * SECOND_MS);
        await host.advance(10 * SECOND_MS);
        expect(await probe.alarm()).toBe(start + 60 * SECOND_MS);
        await host.advance(50 * SECOND_MS);
        expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      },
    );

    it.each(["in memory", "evicted"])(
      "case 32: any touch of an execution %s restores an alarm that is gone",
      async (how) => {
        const workflow = defineWorkflow({ name: "gone", signals }, async ({ sleep }) => await sleep("60s"));
        const host = makeHost({ workflows: [workflow] });
        const due = host.now() + 60 * SECOND_MS;
        const probe = await host.start(workflow, { id: "a" });
        const touches = [
          () => probe.view(),
          () => host.start(workflow, { id: "a" }),
          () => probe.signal("s", "x"),
          () => probe.command("resume"),
          () => probe.facts(),
        ];
        for (const touch of touches) {
          if (how === "evicted") await probe.evict();
          await probe.spoilAlarm(undefined);
          await touch();
          await host.advance(0);
          expect(await probe.alarm()).toBe(due);
        }
      },
    );

    it("restores an alarm that was moved to a later time, and one that shows a time gone by", async () => {
      const workflow = defineWorkflow({ name: "moved" }, async ({ sleep }) => await sleep("60s"));
      const host = makeHost({ workflows: [workflow] });
      const due = host.now() + 60 * SECOND_MS;
      const probe = await host.start(workflow);
      await host.advance(10 * SECOND_MS);
      for (const wrong of [due + HOUR_MS, host.now() - SECOND_MS]) {
        await probe.evict();
        await probe.spoilAlarm(wrong);
        await probe.view();
        await host.advance(0);
        expect(await probe.alarm()).toBe(due);
      }
    });

    it("case 33: what fell due an hour ago without an alarm happens at the next touch, once", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "missed" }, async ({ step }) => {
        await step.run({ name: "x", retryPolicy: { initialInterval: "10s" } }, ({ attempt }) => {
          hits.push(`x${attempt}`);
          if (attempt === 1) throw new Error("no");
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.spoilAlarm(undefined);
      await probe.evict();
      await host.advance(HOUR_MS);
      expect(hits).toEqual(["x1"]);
      await probe.view();
      expect(hits).toEqual(["x1", "x2"]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
    });

    it("case 37: after the retention the alarm purges the execution, and never rings again", async () => {
      const workflow = defineWorkflow({ name: "purged", retention: "2h" }, async () => "done");
      const host = makeHost({ workflows: [workflow], retention: "1d" });
      const start = host.now();
      const probe = await host.start(workflow);
      expect(await probe.alarm()).toBe(start + 2 * HOUR_MS);
      await host.advance(2 * HOUR_MS - 1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "done" });
      await host.advance(1);
      expect(await probe.facts()).toEqual([]);
      expect(await probe.alarm()).toBeUndefined();
      await host.advance(365 * DAY_MS);
      expect(await probe.facts()).toEqual([]);
      expect(await probe.alarm()).toBeUndefined();
    });

    it("S59 an execution can be read for 7 days after its end, unless the deployment or its workflow says otherwise", async () => {
      const plain = defineWorkflow({ name: "plain" }, async () => "done");
      for (const { retention, lasts } of [
        { retention: undefined, lasts: 7 * DAY_MS },
        { retention: "1h", lasts: HOUR_MS },
      ]) {
        const host = makeHost({ workflows: [plain], ...(retention !== undefined && { retention }) });
        const probe = await host.start(plain);
        expect(await probe.alarm()).toBe(host.now() + lasts);
      }
    });

    it("case 232: what arrives at a purged execution finds none, and brings nothing back", async () => {
      const workflow = defineWorkflow({ name: "late", retention: "1h", signals }, async () => "done");
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.command("resume")).toBe("EXECUTION_ENDED");
      await host.advance(HOUR_MS);
      expect(await probe.command("resume")).toBe("absent");
      expect(await probe.signal("s", "x")).toBe("absent");
      expect(await probe.facts()).toEqual([]);
      expect(await probe.alarm()).toBeUndefined();
    });

    it("case 41: looking at a sleeping execution writes nothing and leaves the alarm", async () => {
      const workflow = defineWorkflow({ name: "month" }, async ({ sleep }) => await sleep("30d"));
      const host = makeHost({ workflows: [workflow] });
      const due = host.now() + 30 * DAY_MS;
      const probe = await host.start(workflow);
      const facts = await probe.facts();
      for (let round = 0; round < 10; round += 1) {
        await probe.evict();
        for (let look = 0; look < 5; look += 1) expect((await probe.view()).state).toBe("waiting");
        expect(await probe.alarm()).toBe(due);
      }
      expect(await probe.facts()).toEqual(facts);
    });

    it("case 42: after a step the alarm is withdrawn where only a message can move the execution", async () => {
      const workflow = defineWorkflow({ name: "lease", signals }, async ({ step, awaitSignal }) => {
        await step.run("work", () => host.delay(5 * SECOND_MS));
        await awaitSignal("s");
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      expect(await probe.alarm()).toBe(start + SECOND_MS);
      await host.advance(5 * SECOND_MS);
      expect((await probe.view()).state).toBe("waiting");
      expect(await probe.alarm()).toBeUndefined();
    });

    it("never has its alarm more than 30 seconds ahead while a long step runs", async () => {
      const hits: number[] = [];
      const workflow = defineWorkflow({ name: "long" }, async ({ step }) => {
        await step.run({ name: "work", timeout: "10m" }, async () => {
          hits.push(host.now());
          await host.delay(300 * SECOND_MS);
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      for (let round = 0; round < 30; round += 1) {
        expect(await probe.alarm()).toBeLessThanOrEqual(host.now() + 30 * SECOND_MS);
        await host.advance(9_999);
      }
      await host.advance(300);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(hits).toHaveLength(1);
    });

    it("case 43: three hundred sleeps and steps that fell due together all happen at one late wake", async () => {
      const hits = new Set<number>();
      const workflow = defineWorkflow({ name: "many" }, async ({ step, sleep }) => {
        const one = async (i: number) => {
          await sleep(SECOND_MS + (i % 7));
          return await step.run("one", () => void hits.add(i));
        };
        await Promise.all(Array.from({ length: 300 }, (_, i) => one(i)));
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.spoilAlarm(host.now() + HOUR_MS);
      await host.advance(HOUR_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(hits.size).toBe(300);
    });

    it("case 47: what fell due while no alarm rang settles in the order of the due times, and so it does on replay", async () => {
      const orders: string[][] = [];
      const workflow = defineWorkflow({ name: "late", signals }, async ({ sleep, awaitSignal }) => {
        const order: string[] = [];
        orders.push(order);
        const timed = awaitSignal("s", { timeout: "15s" }).then(() => order.push("timeout"));
        await Promise.all([
          timed,
          sleep("20s").then(() => order.push("last")),
          sleep("10s").then(() => order.push("sleep")),
        ]);
        await awaitSignal("s");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.spoilAlarm(host.now() + 3 * HOUR_MS);
      await host.advance(3 * HOUR_MS);
      await probe.evict();
      await probe.signal("s", "go");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(orders).toEqual([
        ["sleep", "timeout", "last"],
        ["sleep", "timeout", "last"],
      ]);
    });

    it("case 23: an alarm that rings early, twice, changes nothing", async () => {
      const workflow = defineWorkflow({ name: "early" }, async ({ sleep, now, execution }) => {
        await sleep("60s");
        return now() - execution.startedAt;
      });
      const host = makeHost({ workflows: [workflow] });
      const due = host.now() + 60 * SECOND_MS;
      const probe = await host.start(workflow);
      await host.advance(59 * SECOND_MS);
      for (const isEvicted of [false, false, true, true]) {
        if (isEvicted) await probe.evict();
        await probe.ring();
        expect((await probe.view()).state).toBe("waiting");
        expect(await probe.alarm()).toBe(due);
      }
      await host.advance(SECOND_MS);
      await probe.ring();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 60_000 });
    });
  });
}

interface Slot {
  readonly kind: "sleep" | "signal" | "step";
  readonly dueMs: number;
}

/** Numbers that look random and are the same in every test run. */
function* drawn(seed: number): Generator<number, never> {
  for (let value = seed; ;) {
    value = (value * 48_271) % 2_147_483_647;
    yield value;
  }
}

export function describeAlarmBursts(makeHost: MakeHost): void {
  describe("alarms in a burst", () => {
    it("case 48: after each of many moves the alarm stands at the earliest thing due", async () => {
      const draw = drawn(7);
      const kinds = ["sleep", "signal", "step"] as const;
      const slots = Array.from({ length: 150 }, (_, i): Slot => {
        return { kind: kinds[i % 3] ?? "sleep", dueMs: 1 + (draw.next().value % (10 * 60 * SECOND_MS)) };
      });
      const workflow = defineWorkflow({ name: "burst", signals }, async ({ step, sleep, awaitSignal }) => {
        const wait = async ({ kind, dueMs }: Slot, i: number): Promise<unknown> => {
          if (kind === "sleep") return await sleep(dueMs);
          if (kind === "signal") return await awaitSignal("s", { timeout: dueMs });
          const initialInterval: Duration = dueMs;
          const retryPolicy = { initialInterval, maximumAttempts: 2 };
          return await step.run({ name: `s${i}`, retryPolicy }, ({ attempt }) => {
            if (attempt === 1) throw new Error("no");
          });
        };
        await Promise.all(slots.map(wait));
        await sleep("1d");
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      const open = new Set(slots);
      while (open.size > 0) {
        for (const slot of open) if (start + slot.dueMs <= host.now()) open.delete(slot);
        if (open.size === 0) break;
        const action = draw.next().value % 4;
        if (action === 0) {
          await probe.signal("s", "x");
          const oldest = [...open].find(({ kind }) => kind === "signal");
          if (oldest !== undefined) open.delete(oldest);
        } else if (action === 1) await probe.evict();
        else await host.advance(draw.next().value % (20 * SECOND_MS));
        for (const slot of open) if (start + slot.dueMs <= host.now()) open.delete(slot);
        if (open.size === 0) break;
        expect(await probe.alarm()).toBe(start + Math.min(...[...open].map(({ dueMs }) => dueMs)));
      }
      expect((await probe.view()).waitingFor).toHaveLength(1);
    });
  });
}
