import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import type { Host, MakeHost, Probe } from "../support/host.ts";
import { every, Hits } from "../support/hits.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

interface Failing {
  readonly host: Host;
  readonly hits: Hits;
  readonly probe: Probe;
}

export function describeRetries(makeHost: MakeHost): void {
  /** An execution whose one step fails so often, by default always. */
  async function startFailing(retryPolicy: RetryPolicy | undefined, times?: number): Promise<Failing> {
    const step = retryPolicy === undefined ? "x" : { name: "x", retryPolicy };
    const flow = defineWorkflow(
      { name: "fails" },
      async ({ step: { run } }) => await run(step, hits.failing("x", times)),
    );
    const host = makeHost({ workflows: [flow] });
    const hits = new Hits(host);
    return { host, hits, probe: await host.start(flow) };
  }

  describe("backoff", () => {
    it("S11 the default delays are 1, 2, 4, 8, 16, 32 and then 60 seconds: 19 delays, 843 seconds in all", async () => {
      const { host, hits } = await startFailing(undefined);
      await host.runToEnd();
      const seconds = [1, 2, 4, 8, 16, 32, ...Array.from({ length: 13 }, () => 60)];
      expect(hits.gaps("x")).toEqual(seconds.map((s) => s * SECOND));
      expect(hits.at("x").at(-1)).toBe(843 * SECOND);
    });

    it("S11 the delay before retry k is the initial interval times the coefficient to the power of k-1, up to the cap", async () => {
      const policy = {
        initialInterval: "200ms",
        backoffCoefficient: 1.5,
        maximumInterval: "1s",
        maximumAttempts: 7,
      } as const;
      const { host, hits } = await startFailing(policy);
      await host.runToEnd();
      expect(hits.gaps("x")).toEqual([200, 300, 450, 675, 1000, 1000]);
    });

    it.each([[0], ["0s"]] as const)("case 6: a delay of %j retries at once", async (initialInterval) => {
      const policy = { initialInterval, backoffCoefficient: 2, maximumInterval: 0, maximumAttempts: 3 } as const;
      const { hits, probe } = await startFailing(policy, 2);
      expect(hits.at("x")).toEqual([0, 0, 0]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "x" });
    });

    it("case 7: after more failures than a number has bits every delay is at the cap", async () => {
      const policy = {
        initialInterval: "1s",
        backoffCoefficient: 2,
        maximumInterval: "30s",
        maximumAttempts: 80,
      } as const;
      const { host, hits } = await startFailing(policy);
      await host.runToEnd();
      const gaps = hits.gaps("x");
      expect(gaps).toHaveLength(79);
      expect(gaps.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 30].map((s) => s * SECOND));
      expect(new Set(gaps.slice(5))).toEqual(new Set([30 * SECOND]));
    });

    it("case 7: no delay is NaN or negative where the interval is 0 or the factor huge", async () => {
      const none = await startFailing({ initialInterval: 0, backoffCoefficient: 100, maximumAttempts: 80 });
      expect(new Set(none.hits.at("x"))).toEqual(new Set([0]));
      expect(none.hits.count("x")).toBe(80);
      const huge = {
        initialInterval: "1h",
        backoffCoefficient: 100,
        maximumInterval: "1d",
        maximumAttempts: 80,
      } as const;
      const { host, hits } = await startFailing(huge);
      await host.runToEnd();
      expect(hits.gaps("x")).toEqual([HOUR, ...Array.from({ length: 78 }, () => 24 * HOUR)]);
    });

    it("jitter takes off at most its share, and not the same for every attempt", async () => {
      const { host, hits } = await startFailing({ ...every("10s", 40), jitter: 0.5 });
      await host.runToEnd();
      const gaps = hits.gaps("x");
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5 * SECOND);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(10 * SECOND);
      expect(new Set(gaps).size).toBeGreaterThan(30);
    });
  });

  describe("the budget of a step", () => {
    it("S12 is spent at the first limit reached", async () => {
      const attempts = await startFailing({ ...every("1s", 3), maximumDuration: "1h" });
      await attempts.host.runToEnd();
      expect(attempts.hits.at("x")).toEqual([0, 1000, 2000]);
      const duration = await startFailing({ ...every("1s", 100), maximumDuration: "2500ms" });
      await duration.host.runToEnd();
      expect(duration.hits.at("x")).toEqual([0, 1000, 2000, 3000]);
    });

    it("S13 counts an attempt when it starts, so that one that was interrupted counts", async () => {
      const failures: unknown[] = [];
      const flow = defineWorkflow({ name: "interrupted" }, async ({ step, exhausted }) => {
        const retryPolicy = every("1s", 2);
        const error: unknown = await step
          .run({ name: "x", retryPolicy }, async ({ lastFailure }) => {
            failures.push(lastFailure?.name);
            if (hits.add("x") === 1) await host.delay(30 * SECOND);
            throw new Error("fails");
          })
          .catch((thrown: unknown) => thrown);
        return exhausted(error) ? error.attempts : error;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.advance(5 * SECOND);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 2 });
      expect(failures).toEqual([undefined, "StepInterrupted"]);
      // The lease of five seconds of work is at most as long, and then comes the backoff.
      expect(hits.at("x").at(1)).toBeLessThanOrEqual(11 * SECOND);
    });

    it("S14 is compared before the next delay is added", async () => {
      const beyond = await startFailing({ ...every("8s", 100), maximumDuration: "10s" });
      await beyond.host.runToEnd();
      expect(beyond.hits.at("x")).toEqual([0, 8000, 16_000]);
      const equal = await startFailing({ ...every("8s", 100), maximumDuration: "8s" });
      await equal.host.runToEnd();
      expect(equal.hits.at("x")).toEqual([0, 8000]);
    });

    it("S15 an attempt scheduled beyond the duration still runs, once", async () => {
      const flow = defineWorkflow({ name: "late" }, async ({ step, retryAfter }) => {
        await step.run({ name: "x", retryPolicy: { maximumDuration: "10s" } }, () => {
          if (hits.add("x") === 1) throw retryAfter("1h");
          throw new Error("fails");
        });
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0, HOUR]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "STEP_EXHAUSTED" });
    });

    it("S15 time paused does not count", async () => {
      const { host, hits, probe } = await startFailing({ ...every("4s", 100), maximumDuration: "10s" });
      await host.advance(SECOND);
      await probe.command("pause");
      await host.advance(HOUR);
      expect(hits.count("x")).toBe(1);
      await probe.command("resume");
      await host.runToEnd();
      expect(hits.at("x").map((time) => time / SECOND)).toEqual([0, 3601, 3605, 3609, 3613]);
    });

    it("S16 of one attempt never retries", async () => {
      const { host, hits, probe } = await startFailing({ maximumAttempts: 1 });
      expect((await probe.view()).state).toBe("failed");
      await host.advance(HOUR);
      expect(hits.at("x")).toEqual([0]);
    });

    it("S17 a failure within the budget never reaches the workflow's code", async () => {
      const caught: string[] = [];
      const flow = defineWorkflow({ name: "catches" }, async ({ step }) => {
        for (const [name, times] of [
          ["recovers", 2],
          ["spent", 3],
        ] as const) {
          try {
            await step.run({ name, retryPolicy: every("1s", 3) }, hits.failing(name, times));
          } catch {
            caught.push(name);
          }
        }
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      await host.start(flow);
      await host.runToEnd();
      expect(caught).toEqual(["spent"]);
      expect([hits.count("recovers"), hits.count("spent")]).toEqual([3, 3]);
    });

    it("S72 a lost object and a sleep between failures change neither budget nor backoff", async () => {
      const flow = defineWorkflow({ name: "lost" }, async ({ step, sleep }) => {
        const retryPolicy = { initialInterval: "1s", maximumAttempts: 4 } as const;
        const settled = await Promise.allSettled([
          step.run({ name: "x", retryPolicy }, hits.failing("x")),
          sleep("2500ms").then(async () => await step.run("y", hits.ok("y"))),
        ]);
        return settled.map(({ status }) => status);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      for (let i = 0; i < 16; i += 1) {
        await host.advance(500);
        await probe.evict();
      }
      expect(hits.at("x")).toEqual([0, 1000, 3000, 7000]);
      expect(hits.at("y")).toEqual([2500]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["rejected", "fulfilled"] });
    });

    it("S73 a retry is not started after the execution's end", async () => {
      const flow = defineWorkflow({ name: "leaves", signals: { go: staticSchema<null>() } }, async (context) => {
        const { step, awaitSignal } = context;
        void step.run({ name: "x", retryPolicy: every("1h", 5) }, hits.failing("x"));
        await awaitSignal("go");
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(await probe.alarm()).toBe(host.now() + HOUR);
      await probe.signal("go", null);
      const { endedAt, nextWakeAt, steps } = await probe.view();
      expect([endedAt, nextWakeAt, steps.abandoned]).toEqual([host.now(), undefined, 1]);
      await host.advance(2 * HOUR);
      expect(hits.at("x")).toEqual([0]);
    });
  });
}
