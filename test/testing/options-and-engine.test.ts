import { defineWorkflow, type RetryPolicy } from "stepwell";
import { createTestEngine, type TestEngineOptions } from "stepwell/testing";
import * as z from "zod";
import { describe, expect, it } from "vitest";

const THREE: RetryPolicy = { initialInterval: "1s", backoffCoefficient: 2, maximumAttempts: 3 };

/** Does this each time that it is called, and counts the calls. */
function counted<T>(work: (call: number) => T) {
  const calls: number[] = [];
  return {
    calls,
    fn: () => {
      calls.push(calls.length + 1);
      return work(calls.length);
    },
  };
}

function fail(): never {
  throw new Error("the card service is down");
}

const empty = defineWorkflow({ name: "empty" }, async () => "done");

describe("S62 the options of a test engine", () => {
  const refused: [string, Partial<Record<keyof TestEngineOptions | "clock", unknown>>, string][] = [
    ["no number of the clock", { now: Number.NaN }, "Cannot use now as it must be finite Unix milliseconds"],
    ["an endless clock", { now: Number.POSITIVE_INFINITY }, "current value is Infinity"],
    ["an invalid moment", { now: new Date("never") }, "current value is NaN"],
    ["a text for the clock", { now: "2026-11-30" }, 'current value is "2026-11-30"'],
    ["a bad retry policy", { retryPolicy: { maximumAttempts: 0 } }, "Cannot use retryPolicy.maximumAttempts"],
    ["a bad timeout", { stepTimeout: "1h" }, "Cannot use stepTimeout"],
    ["no workflows", { workflows: [] }, "Cannot use workflows as it must be an array of at least 1 workflow"],
    ["an option that does not exist", { clock: 1 }, "Cannot use options.clock"],
    ["bindings that are none", { env: "DB" }, "Cannot use env as it must be an object of bindings"],
    ["a fetch that is none", { fetch: "GET" }, 'Cannot use fetch as it must be a function: current value is "GET"'],
    ["no flag", { skipBackoff: "yes" }, "Cannot use skipBackoff as it must be true or false"],
    [
      "a log that is no function",
      { onLog: [] },
      "Cannot use onLog as it must be a function: current value is an array",
    ],
    ["too long a patience", { patience: "2m" }, "Cannot use patience as it must be 0 to 60000 milliseconds"],
  ];

  it.each(refused)("refuse %s, and say why", (_, options, message) => {
    // The cast: what a caller without types may do.
    const given = { workflows: [empty], ...options } as TestEngineOptions;
    expect(() => createTestEngine(given)).toThrow(message);
  });

  it("set the clock, which does not move by itself", async () => {
    expect(createTestEngine({ workflows: [empty] }).now).toBe(0);
    const now = new Date(Date.UTC(2026, 10, 30));
    const engine = createTestEngine({ workflows: [empty], now });
    await engine.start(empty);
    expect(engine.now).toBe(now.getTime());
  });

  it("give every step the policy of the deployment", async () => {
    const work = counted(fail);
    const workflow = defineWorkflow({ name: "once" }, ({ step }) => step.run("work", work.fn));
    const engine = createTestEngine({ workflows: [workflow], retryPolicy: { maximumAttempts: 1 } });
    expect((await engine.start(workflow)).state).toBe("failed");
    expect(work.calls).toHaveLength(1);
  });
});

describe("S63 the test engine is the engine", () => {
  it("retries within the budget, at the times of the backoff, and exhausts", async () => {
    const at: number[] = [];
    const workflow = defineWorkflow({ name: "retries", retryPolicy: THREE }, async ({ step }) => {
      await step.run("charge-card", () => {
        at.push(engine.now);
        fail();
      });
    });
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow);
    expect(execution.state).toBe("waiting");
    expect(execution.waitingFor).toEqual([
      { kind: "retry", name: "charge-card", until: 1_000, because: "backoff after attempt 1 of 3" },
    ]);
    await engine.advance("999ms");
    expect(at).toEqual([0]);
    await engine.advance(1);
    await engine.advance("2s");
    expect(at).toEqual([0, 1_000, 3_000]);
    expect(execution.outcome).toEqual({
      kind: "failed",
      declared: false,
      code: "STEP_EXHAUSTED",
      message: "Workflow Step charge-card exhausted its retries.",
      details: { step: "charge-card", attempts: 3 },
    });
  });

  it("keeps signals that come early, and takes each once under its key", async () => {
    const signals = { go: z.object({ by: z.string() }) };
    const workflow = defineWorkflow({ name: "signals", signals }, async ({ sleep, awaitSignal }) => {
      await sleep("1h");
      return [(await awaitSignal("go")).value.by, await awaitSignal("go", { timeout: "1m" })];
    });
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow);
    await execution.signal("go", { by: "ada" }, { idempotencyKey: "click" });
    await execution.signal("go", { by: "ada" }, { idempotencyKey: "click" });
    await engine.runToEnd();
    expect(execution.outcome).toEqual({ kind: "completed", value: ["ada", { received: false }] });
    expect(engine.now).toBe(3_660_000);
  });

  it("pauses, resumes, cancels and terminates", async () => {
    const workflow = defineWorkflow({ name: "commands" }, async ({ sleep, step, cancelled }) => {
      try {
        await sleep("1h");
      } catch (error) {
        if (!cancelled(error)) throw error;
        await step.run("compensate", () => "undone");
        throw error;
      }
    });
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow);
    await execution.pause("lunch");
    expect([execution.state, execution.failure]).toEqual([
      "paused",
      { name: "Paused", code: "PAUSED", message: "lunch" },
    ]);
    await engine.advance("2h");
    expect(execution.state).toBe("paused");
    await execution.resume();
    expect(execution.outcome).toEqual({ kind: "completed", value: undefined });

    const cancelledOne = await engine.start(workflow);
    await cancelledOne.cancel("not wanted any more");
    expect(cancelledOne.outcome).toEqual({ kind: "cancelled" });
    expect(cancelledOne.steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "sleep cancelled",
      "compensate completed",
    ]);
    const terminated = await engine.start(workflow);
    await terminated.terminate();
    expect([terminated.state, terminated.steps.length]).toEqual(["cancelled", 1]);
    await expect(terminated.pause()).rejects.toMatchObject({ name: "OperationRefused", code: "EXECUTION_ENDED" });
  });

  it("moves timers only with its clock", async () => {
    const workflow = defineWorkflow({ name: "timers" }, async ({ sleep, now }) => {
      await sleep("1d");
      return now();
    });
    const engine = createTestEngine({ workflows: [workflow], now: 5 });
    const execution = await engine.start(workflow);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(execution.state).toBe("waiting");
    await engine.advance("23h");
    expect(execution.state).toBe("waiting");
    await engine.advance("1h");
    expect(execution.outcome).toEqual({ kind: "completed", value: 86_400_005 });
  });
});
