import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { CancelledError, StepTimeout } from "../../src/steps/errors.ts";
import type { MakeHost } from "../support/host.ts";
import { errorOf, every, Hits } from "../support/hits.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Rejects as `fetch` does when its signal aborts. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new DOMException("The operation was aborted.", "AbortError")));
  });
}

export function describeTimeouts(makeHost: MakeHost): void {
  describe("timeouts", () => {
    it("S25 the timeout of an attempt is from one second to ten minutes", async () => {
      const refused: unknown[] = [];
      const flow = defineWorkflow({ name: "bounds" }, async ({ step }) => {
        for (const timeout of [999, "601s", 0, -1, Number.NaN, "soon"] as const) {
          refused.push(await errorOf(step.run({ name: "a", timeout: timeout as number }, hits.ok("refused"))));
        }
        for (const timeout of [1_000, "10m"] as const) await step.run({ name: "b", timeout }, hits.ok("accepted"));
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      await host.start(flow);
      expect([hits.count("refused"), hits.count("accepted")]).toEqual([0, 2]);
      for (const error of refused) expect((error as Error).message).toContain("timeout");
    });

    it("S25 case 117: a step that never settles fails after the default of 60 seconds, and is retried", async () => {
      const flow = defineWorkflow({ name: "hangs" }, async ({ step }) => {
        return await step.run({ name: "x", retryPolicy: every("1s", 2) }, async () => {
          hits.add("x");
          await new Promise(() => {});
        });
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0, 61 * SECOND]);
      const { endedAt, startedAt } = await probe.view();
      expect((endedAt ?? 0) - startedAt).toBe(121 * SECOND);
      const failed = (await probe.facts()).filter(({ type }) => type === "attempt-failed");
      expect(failed).toMatchObject([{ failure: { name: "StepTimeout" } }, { failure: { name: "StepTimeout" } }]);
    });

    it("case 117: a step that resolves with a thenable gives what that settles with, or times out", async () => {
      const flow = defineWorkflow({ name: "thenables" }, async ({ step, exhausted }) => {
        const retryPolicy = { maximumAttempts: 1 };
        const never = { then: () => {} };
        const value = await step.run("settles", async () => ({
          then: (resolve: (value: number) => void) => resolve(5),
        }));
        return [value, exhausted(await errorOf(step.run({ name: "never", retryPolicy, timeout: "2s" }, () => never)))];
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [5, true] });
    });

    it("S26 on expiry the signal aborts with a StepTimeout and the attempt fails, although the callback ignores it", async () => {
      let reason: unknown;
      let cause: unknown;
      const flow = defineWorkflow({ name: "expires" }, async ({ step }) => {
        const run = step.run({ name: "x", timeout: "3s", retryPolicy: { maximumAttempts: 1 } }, async ({ signal }) => {
          signal.addEventListener("abort", () => {
            hits.add("abort");
            ({ reason } = signal);
          });
          await host.delay(10 * SECOND);
          hits.add("finished");
          return "late";
        });
        ({ cause } = (await errorOf(run)) as Error);
        hits.add("failed");
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.advance(20 * SECOND);
      expect([hits.at("abort"), hits.at("failed"), hits.at("finished")]).toEqual([[3000], [3000], [10_000]]);
      expect([StepTimeout.is(reason), StepTimeout.is(cause)]).toEqual([true, true]);
      expect((await probe.facts()).map(({ type }) => type)).toEqual([
        "started",
        "attempt-started",
        "attempt-failed",
        "completed",
      ]);
    });

    it("S27 the timer is withdrawn when an attempt ends: its signal does not abort later", async () => {
      const signals: AbortSignal[] = [];
      const flow = defineWorkflow({ name: "ends" }, async ({ step, sleep }) => {
        const step10 = { timeout: "10s", retryPolicy: every("1s", 3) } as const;
        await step.run({ name: "returns", ...step10 }, ({ signal }) => void signals.push(signal));
        await step.run({ name: "throws", ...step10 }, ({ signal, attempt }) => {
          signals.push(signal);
          if (attempt === 1) throw new Error("fails");
        });
        await step.run({ name: "rejects", ...step10 }, async ({ signal, attempt }) => {
          signals.push(signal);
          await host.delay(10);
          if (attempt === 1) throw new Error("fails");
        });
        await sleep("1h");
      });
      const host = makeHost({ workflows: [flow] });
      await host.start(flow);
      await host.advance(30 * MINUTE);
      expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false, false, false]);
    });

    it("S27 a callback that throws synchronously is a failed attempt, and is retried", async () => {
      const flow = defineWorkflow({ name: "throws" }, async ({ step }) => {
        return await step.run({ name: "x", retryPolicy: every("1s", 3) }, hits.failing("x", 2));
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0, 1000, 2000]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "x" });
    });

    it("S28 case 113: a step of nearly ten minutes finishes", async () => {
      const flow = defineWorkflow({ name: "long" }, async ({ step }) => {
        return await step.run({ name: "x", timeout: "10m", retryPolicy: every("1s", 2) }, async () => {
          hits.add("x");
          await host.delay(9 * MINUTE + 50 * SECOND);
          return "done";
        });
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "done" });
    });

    it("S28 of a step that hangs for ten minutes its own timeout reports, not a guard of the engine", async () => {
      const flow = defineWorkflow({ name: "hangs-long" }, async ({ step, sleep }) => {
        // So that the attempt lives in the event of an alarm, as it does after any wait.
        await sleep("1s");
        const run = step.run({ name: "x", timeout: "10m", retryPolicy: { maximumAttempts: 1 } }, async () => {
          hits.add("x");
          await host.delay(60 * MINUTE);
        });
        const { cause } = (await errorOf(run)) as Error;
        return [StepTimeout.is(cause), hits.now];
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.count("x")).toBe(1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, 10 * MINUTE + SECOND] });
    });

    it("case 17: a step's own timeout is no cancellation, and is retried", async () => {
      const flow = defineWorkflow({ name: "own" }, async ({ step, exhausted, cancelled }) => {
        const run = step.run({ name: "x", timeout: 1000, retryPolicy: every("1s", 3) }, async ({ signal }) => {
          hits.add("x");
          return await untilAborted(signal);
        });
        const error = await errorOf(run);
        return [exhausted(error), cancelled(error)];
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0, 2000, 4000]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, false] });
    });

    it("S46 case 17: a cancellation during an attempt is one, never an exhaustion, and the workflow may compensate", async () => {
      let reason: unknown;
      const flow = defineWorkflow({ name: "cancels" }, async ({ step, exhausted, cancelled }) => {
        const run = step.run({ name: "x", timeout: "30s", retryPolicy: every("1s", 3) }, async ({ signal }) => {
          hits.add("x");
          signal.addEventListener("abort", () => {
            ({ reason } = signal);
          });
          return await untilAborted(signal);
        });
        const error = await errorOf(run);
        seen.push(exhausted(error), cancelled(error));
        await step.run("compensate", hits.ok("compensate"));
        throw error;
      });
      const seen: boolean[] = [];
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.advance(500);
      await probe.command("cancel");
      await host.runToEnd();
      expect(seen).toEqual([false, true]);
      expect(CancelledError.is(reason)).toBe(true);
      expect([hits.at("x"), hits.at("compensate")]).toEqual([[0], [500]]);
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
    });

    it("case 112: what an attempt does after its timeout is dropped", async () => {
      const flow = defineWorkflow({ name: "overlap" }, async ({ step }) => {
        return await step.run(
          { name: "x", timeout: 1000, retryPolicy: every("1s", 3) },
          async ({ attempt, signal }) => {
            signal.addEventListener("abort", () => {
              hits.add(`abort ${attempt}`);
            });
            hits.add("x");
            // Attempt 1 ends while attempt 2 is still in flight.
            await host.delay(attempt === 1 ? 2500 : 900);
            return attempt === 1 ? "old" : "new";
          },
        );
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.advance(2700);
      expect((await probe.view()).state).toBe("running");
      await host.advance(10 * SECOND);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "new" });
      expect([hits.at("x"), hits.at("abort 1"), hits.at("abort 2")]).toEqual([[0, 2000], [1000], []]);
      expect((await probe.facts()).filter(({ type }) => type === "step-completed")).toHaveLength(1);
    });
  });
}
