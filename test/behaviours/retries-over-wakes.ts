import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import type { MakeHost } from "../support/host.ts";
import { errorOf, every, Hits } from "../support/hits.ts";

const SECOND = 1_000;
const SIGNALS = { go: staticSchema<number>() };

export function describeRetriesOverWakes(makeHost: MakeHost): void {
  describe("retries over wake-ups, deploys and repeated starts", () => {
    it("case 21: a deploy that changes the policy leaves a retry that waits its time, and the step its budget", async () => {
      const deployed = (retryPolicy: RetryPolicy) =>
        defineWorkflow({ name: "deployed", signals: SIGNALS }, async ({ step, awaitSignal }) => {
          void awaitSignal("go");
          const error = await errorOf(step.run({ name: "x", retryPolicy }, hits.failing("x")));
          await step.run({ name: "y", retryPolicy }, hits.failing("y", 1));
          return String(error);
        });
      const before = deployed(every("60s", 3));
      const host = makeHost({ workflows: [before] });
      const hits = new Hits(host);
      const probe = await host.start(before);
      await host.deploy({ workflows: [deployed(every("1s", 9))], retryPolicy: { initialInterval: "2s" } });
      await host.advance(5 * SECOND);
      await probe.signal("go", 1);
      expect(hits.at("x")).toEqual([0]);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0, 60_000, 120_000]);
      expect(hits.at("y")).toEqual([120_000, 121_000]);
      expect((await probe.view()).state).toBe("completed");
    });

    it("case 28: an exhaustion that is journaled stays one, although a deploy raises the budget", async () => {
      const seen: unknown[] = [];
      const deployed = (maximumAttempts: number) =>
        defineWorkflow({ name: "deployed" }, async ({ step, sleep }) => {
          const error = await errorOf(
            step.run({ name: "x", retryPolicy: every("1s", maximumAttempts) }, hits.failing("x")),
          );
          seen.push({ ...(error as object), text: String(error) });
          await sleep("1h");
          throw error;
        });
      const before = deployed(2);
      const host = makeHost({ workflows: [before] });
      const hits = new Hits(host);
      const probe = await host.start(before);
      await host.advance(10 * SECOND);
      await host.deploy({ workflows: [deployed(9)] });
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0, 1000]);
      expect(seen).toHaveLength(2);
      expect(seen[1]).toEqual(seen[0]);
      expect(await probe.outcome()).toMatchObject({ code: "STEP_EXHAUSTED", details: { step: "x", attempts: 2 } });
    });

    it("case 22: of forty executions with four retrying steps each, none drops a retry over evictions", async () => {
      const flow = defineWorkflow({ name: "drops" }, async ({ step, execution }) => {
        const steps = [0, 1, 2, 3].map((i) => {
          const retryPolicy = every(10 + ((i * 131 + execution.id.length * 37) % 490), 3);
          return step.run({ name: `s${i}`, retryPolicy }, hits.failing(`${execution.id} ${i}`, 2));
        });
        return (await Promise.all(steps)).length;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probes = [];
      const dropped: string[] = [];
      for (let i = 0; i < 40; i += 1) probes.push(await host.start(flow, { id: `e${"-".repeat(i)}` }));
      for (let passed = 0; passed < 1100; passed += 100) {
        await host.advance(100);
        for (const [i, probe] of probes.entries()) {
          if ((i + passed / 100) % 3 === 0) await probe.evict();
          const { state, nextWakeAt } = await probe.view();
          if (state === "waiting" && (nextWakeAt === undefined || nextWakeAt !== (await probe.alarm())))
            dropped.push(probe.id);
        }
      }
      expect(dropped).toEqual([]);
      for (const probe of probes) expect(await probe.outcome()).toEqual({ kind: "completed", value: 4 });
      for (const probe of probes) expect([0, 1, 2, 3].map((i) => hits.count(`${probe.id} ${i}`))).toEqual([3, 3, 3, 3]);
    });

    it("case 23: a wake that comes early starts nothing and leaves the alarm at its time", async () => {
      const flow = defineWorkflow({ name: "early" }, async ({ step, sleep }) => {
        await Promise.all([
          sleep("60s").then(() => hits.add("slept")),
          step.run({ name: "x", retryPolicy: every("60s", 2) }, hits.failing("x", 1)),
        ]);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const due = host.now() + 60 * SECOND;
      const probe = await host.start(flow);
      await host.advance(59 * SECOND);
      for (let i = 0; i < 2; i += 1) {
        await probe.ring();
        expect(await probe.alarm()).toBe(due);
        await probe.evict();
        await probe.ring();
        expect(await probe.alarm()).toBe(due);
      }
      expect([hits.count("x"), hits.count("slept")]).toEqual([1, 0]);
      await host.advance(SECOND);
      expect([hits.at("x"), hits.at("slept")]).toEqual([[0, 60_000], [60_000]]);
      expect((await probe.view()).state).toBe("completed");
    });

    it("a wake that comes late or twice starts what is due once", async () => {
      const flow = defineWorkflow({ name: "late" }, async ({ step }) => {
        await Promise.all([
          step.run({ name: "x", retryPolicy: every("10s", 2) }, hits.failing("x", 1)),
          step.run({ name: "y", retryPolicy: every("1h", 2) }, hits.failing("y", 1)),
        ]);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await probe.spoilAlarm(host.now() + 600 * SECOND);
      await host.advance(600 * SECOND);
      await probe.ring();
      await probe.ring();
      expect([hits.at("x"), hits.at("y")]).toEqual([[0, 600_000], [0]]);
    });

    it("S74 the same start twice at once gives one execution", async () => {
      const flow = defineWorkflow({ name: "twice" }, async ({ step, input }) => [
        input,
        await step.run("x", async () => {
          hits.add("x");
          await host.delay(SECOND);
        }),
      ]);
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const start = () => host.start(flow, { id: "same", input: { a: 1 } });
      const probes = await Promise.all([start(), start(), start()]);
      await host.runToEnd();
      probes.push(await start());
      for (const probe of probes)
        expect(await probe.outcome()).toEqual({ kind: "completed", value: [{ a: 1 }, undefined] });
      expect(hits.count("x")).toBe(1);
      expect((await probes[0]?.facts())?.filter(({ type }) => type === "started")).toHaveLength(1);
    });

    it("S75 a signal that arrives just before the execution parks is received, and twice with one key it counts once", async () => {
      const flow = defineWorkflow({ name: "parks", signals: SIGNALS }, async ({ step, awaitSignal }) => {
        await step.run("x", async () => await host.delay(SECOND));
        return [await awaitSignal("go", { timeout: "1h" }), await awaitSignal("go", { timeout: "1h" })];
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      await host.advance(SECOND - 1);
      expect(await probe.signal("go", 1, "key")).toBe("accepted");
      expect(await probe.signal("go", 1, "key")).toBe("accepted");
      await host.advance(SECOND);
      expect((await probe.view()).waitingFor).toMatchObject([{ kind: "signal", name: "go#2" }]);
      expect(await probe.signal("go", 1, "key")).toBe("accepted");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [{ received: true, value: 1 }, { received: false }],
      });
    });

    it("case 118: an execution goes on although nobody waits for it, and each step runs once", async () => {
      const flow = defineWorkflow({ name: "alone" }, async ({ step }) => {
        for (const name of ["a", "b", "c"]) {
          await step.run(name, async () => {
            hits.add(name);
            await host.delay(SECOND);
          });
        }
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect((await probe.view()).state).toBe("running");
      await host.runToEnd();
      expect((await probe.view()).state).toBe("completed");
      expect([hits.at("a"), hits.at("b"), hits.at("c")]).toEqual([[0], [1000], [2000]]);
    });
  });
}
