import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import type { MakeHost } from "../support/host.ts";
import { every, Hits } from "../support/hits.ts";

const SECOND = 1_000;
const DOUBLING: RetryPolicy = {
  initialInterval: "1s",
  backoffCoefficient: 2,
  maximumInterval: "30s",
  maximumAttempts: 3,
};

export function describeRetriesOfSeveral(makeHost: MakeHost): void {
  describe.each([
    ["in one object", false],
    ["with the object lost every half second", true],
  ])("retries of several steps, %s", (_, evicts) => {
    const pass = async (host: ReturnType<MakeHost>, probe: { evict(): Promise<void> }, ms: number) => {
      if (!evicts) return await host.advance(ms);
      for (let passed = 0; passed < ms; passed += 500) {
        await host.advance(500);
        await probe.evict();
      }
    };

    it("S19 case 1: two parallel steps of three attempts make six, each exhausted by its own", async () => {
      const flow = defineWorkflow({ name: "two" }, async ({ step, exhausted }) => {
        const settled = await Promise.allSettled([
          step.run({ name: "a", retryPolicy: DOUBLING }, hits.failing("a")),
          step.run({ name: "b", retryPolicy: DOUBLING }, hits.failing("b")),
        ]);
        return settled.map(
          (one) => one.status === "rejected" && exhausted(one.reason) && [one.reason.step, one.reason.attempts],
        );
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await pass(host, probe, 5 * SECOND);
      expect([hits.at("a"), hits.at("b")]).toEqual([
        [0, 1000, 3000],
        [0, 1000, 3000],
      ]);
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [
          ["a", 3],
          ["b", 3],
        ],
      });
    });

    it("S19 S20 a step that used two of three attempts leaves the next step three, from its own first interval", async () => {
      const flow = defineWorkflow({ name: "next" }, async ({ step }) => {
        const retryPolicy = { initialInterval: "1s", backoffCoefficient: 3, maximumAttempts: 3 } as const;
        await step.run({ name: "a", retryPolicy }, hits.failing("a", 1));
        await step.run({ name: "b", retryPolicy }, hits.failing("b", 2));
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await pass(host, probe, 6 * SECOND);
      expect([hits.at("a"), hits.at("b")]).toEqual([
        [0, 1000],
        [1000, 2000, 5000],
      ]);
      expect((await probe.view()).state).toBe("completed");
    });

    it("S22 several steps failing in one go each keep their own time", async () => {
      const flow = defineWorkflow({ name: "several" }, async ({ step }) => {
        await Promise.allSettled([
          step.run({ name: "slow", retryPolicy: every("10s", 3) }, hits.failing("slow")),
          step.run({ name: "fast", retryPolicy: every("1s", 23) }, hits.failing("fast")),
        ]);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await pass(host, probe, 23 * SECOND);
      expect(hits.at("slow")).toEqual([0, 10_000, 20_000]);
      expect(hits.at("fast")).toEqual(Array.from({ length: 23 }, (__, i) => i * SECOND));
      expect((await probe.view()).state).toBe("completed");
    });

    it("S22 twenty steps with twenty intervals are each retried at their own times", async () => {
      const intervals = Array.from({ length: 20 }, (__, i) => 500 * (i + 1));
      const flow = defineWorkflow({ name: "twenty" }, async ({ step }) => {
        const steps = intervals.map((ms) => {
          return step.run({ name: `s${ms}`, retryPolicy: every(ms, 4) }, hits.failing(`s${ms}`, 3));
        });
        return await Promise.all(steps);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await pass(host, probe, 31 * SECOND);
      for (const ms of intervals) expect(hits.at(`s${ms}`)).toEqual([0, ms, 2 * ms, 3 * ms]);
      expect((await probe.view()).state).toBe("completed");
    });

    it("S23 a step of one attempt beside a retrying one runs once, and a slow sibling's effect is not repeated", async () => {
      const flow = defineWorkflow({ name: "beside" }, async ({ step }) => {
        return await Promise.all([
          step.run({ name: "once", retryPolicy: { maximumAttempts: 1 } }, hits.ok("once")),
          step.run({ name: "retries", retryPolicy: every("2s", 5) }, hits.failing("retries", 3)),
          step.run({ name: "waits", retryPolicy: every("3500ms", 2) }, hits.failing("waits", 1)),
        ]);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await pass(host, probe, 7 * SECOND);
      expect(hits.at("once")).toEqual([0]);
      expect(hits.at("retries")).toEqual([0, 2000, 4000, 6000]);
      expect(hits.at("waits")).toEqual([0, 3500]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["once", "retries", "waits"] });
    });

    it("S71 after a retry only the failed step runs again, and later steps run for the first time", async () => {
      const flow = defineWorkflow({ name: "chain" }, async ({ step }) => [
        await step.run("a", hits.ok("a")),
        await step.run("b", hits.failing("b", 2)),
        await step.run("c", hits.ok("c")),
      ]);
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await pass(host, probe, 4 * SECOND);
      expect([hits.count("a"), hits.count("b"), hits.count("c")]).toEqual([1, 3, 1]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["a", "b", "c"] });
    });
  });

  describe("retries of several steps", () => {
    it("S23 the success of a slow sibling is kept while another step retries", async () => {
      const flow = defineWorkflow({ name: "slow-sibling" }, async ({ step }) => {
        return await Promise.all([
          step.run({ name: "retries", retryPolicy: every("1s", 4) }, hits.failing("retries", 3)),
          step.run("slow", async () => {
            hits.add("slow");
            await host.delay(1500);
            return "slow";
          }),
        ]);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.advance(1700);
      await probe.evict();
      await host.runToEnd();
      expect(hits.at("slow")).toEqual([0]);
      expect(hits.at("retries")).toEqual([0, 1000, 2000, 3000]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["retries", "slow"] });
    });

    it("a long attempt holds back neither a sibling's retries nor its completion", async () => {
      const flow = defineWorkflow({ name: "long" }, async ({ step }) => {
        await Promise.all([
          step.run("long", async () => await host.delay(50 * SECOND)),
          step.run({ name: "x", retryPolicy: every("1s", 5) }, hits.failing("x", 4)),
        ]);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.advance(5 * SECOND);
      expect(hits.at("x")).toEqual([0, 1000, 2000, 3000, 4000]);
      expect((await probe.view()).steps).toMatchObject({ running: 1, completed: 1 });
      await host.runToEnd();
      expect((await probe.view()).state).toBe("completed");
    });

    it("case 2: each of several failures decides its own wake, and the alarm is the earliest", async () => {
      const flow = defineWorkflow({ name: "wakes" }, async ({ step }) => {
        const slow = {
          initialInterval: "10s",
          backoffCoefficient: 2,
          maximumInterval: "60s",
          maximumAttempts: 3,
        } as const;
        await Promise.all([
          step.run({ name: "slow", retryPolicy: slow }, hits.failing("slow", 1)),
          step.run({ name: "fast", retryPolicy: { ...slow, initialInterval: "1s" } }, hits.failing("fast", 1)),
        ]);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const startedAt = host.now();
      const probe = await host.start(flow);
      expect(await probe.alarm()).toBe(startedAt + SECOND);
      await host.advance(SECOND);
      expect(await probe.alarm()).toBe(startedAt + 10 * SECOND);
      await host.advance(60 * SECOND);
      expect([hits.at("fast"), hits.at("slow")]).toEqual([
        [0, 1000],
        [0, 10_000],
      ]);
    });

    it("case 3: a far wait does not hide a near one", async () => {
      const flow = defineWorkflow({ name: "near" }, async ({ step, sleep }) => {
        await Promise.all([
          step.run({ name: "x", retryPolicy: every("60s", 2) }, hits.failing("x", 1)),
          sleep("5s").then(async () => await step.run("y", hits.ok("y"))),
        ]);
        hits.add("end");
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(await probe.alarm()).toBe(host.now() + 5 * SECOND);
      await host.runToEnd();
      expect([hits.at("y"), hits.at("x"), hits.at("end")]).toEqual([[5000], [0, 60_000], [60_000]]);
    });

    it("case 27: a fan-out with retries keeps every result at its index", async () => {
      const failures = [0, 1, 0, 2, 1];
      let written: unknown;
      const flow = defineWorkflow({ name: "fan" }, async ({ step }) => {
        const results = await Promise.all(
          failures.map((times, i) =>
            step.run({ name: `up${i}`, retryPolicy: every("1s", 5) }, hits.failing(`up${i}`, times)),
          ),
        );
        await step.run("write", () => {
          hits.add("write");
          written = results;
        });
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      await host.start(flow);
      await host.runToEnd();
      expect(written).toEqual(["up0", "up1", "up2", "up3", "up4"]);
      expect(hits.at("write")).toEqual([2000]);
      expect(failures.map((__, i) => hits.count(`up${i}`))).toEqual([1, 2, 1, 3, 2]);
    });
  });
}
