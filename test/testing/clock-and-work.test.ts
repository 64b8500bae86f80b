import { defineWorkflow, type StepContext } from "stepwell";
import { createTestEngine, stepContext, type LogLine } from "stepwell/testing";
import * as z from "zod";
import { describe, expect, it } from "vitest";

declare global {
  namespace Cloudflare {
    interface Env {
      readonly GREETING: string;
    }
  }
}

describe("an interruption", () => {
  const named = defineWorkflow({ name: "named", retryPolicy: { initialInterval: 0 } }, async ({ step }) => {
    for (let i = 0; i < 3; i += 1) await step.run("ship", () => i);
    await step.run("ship#x", () => "another");
  });
  const attemptsWith = async (arrange: (engine: ReturnType<typeof createTestEngine>) => void) => {
    const engine = createTestEngine({ workflows: [named], skipBackoff: true });
    arrange(engine);
    const execution = await engine.start(named, undefined, { id: "n-1" });
    expect(execution.state).toBe("completed");
    return execution.steps.map(({ attempts }) => attempts);
  };

  it("comes at the next attempt that ends, or at the one that is named", async () => {
    expect(await attemptsWith((engine) => engine.interrupt("ship"))).toEqual([2, 1, 1, 1]);
    expect(await attemptsWith((engine) => engine.interrupt("ship", { occurrence: 3 }))).toEqual([1, 1, 2, 1]);
    expect(await attemptsWith((engine) => engine.interrupt("ship", { attempt: 2 }))).toEqual([1, 1, 1, 1]);
    const both = [{ occurrence: 2 }, { occurrence: 2, attempt: 2 }];
    expect(await attemptsWith((engine) => both.forEach((at) => engine.interrupt("ship", at)))).toEqual([1, 3, 1, 1]);
    expect(await attemptsWith((engine) => engine.get(named, "n-1").interrupt("ship"))).toEqual([2, 1, 1, 1]);
    expect(await attemptsWith((engine) => engine.get(named, "n-2").interrupt("ship"))).toEqual([1, 1, 1, 1]);
  });

  it("may be that of a rollback", async () => {
    const undone: number[] = [];
    const workflow = defineWorkflow({ name: "undone", errors: { NO: z.object({}) } }, async ({ step, errors }) => {
      await step.run(
        "book",
        () => 1,
        (value) => undone.push(value),
      );
      throw errors.NO({});
    });
    const engine = createTestEngine({ workflows: [workflow], skipBackoff: true });
    engine.interrupt("book", { rollback: true });
    const execution = await engine.start(workflow);
    expect([undone, execution.steps[0]?.attempts, execution.state]).toEqual([[1, 1], 1, "failed"]);
  });

  it("is refused where it can never come", () => {
    const engine = createTestEngine({ workflows: [named] });
    expect(() => engine.interrupt("")).toThrow("Cannot use name as it must be a string of 1 to 128 characters");
    expect(() => engine.interrupt("ship", { attempt: 0 })).toThrow(
      "Cannot use attempt as it must be an integer from 1",
    );
    // The casts: what a caller without types may do.
    expect(() => engine.interrupt("ship", { occurrence: "1" } as never)).toThrow('current value is "1"');
    expect(() => engine.interrupt("ship", { rollback: 1 } as never)).toThrow("Cannot use rollback as it must be true");
    expect(() => engine.interrupt("ship", { step: 1 } as never)).toThrow("Cannot use options.step");
  });
});

describe("what an engine gives its workflows", () => {
  it("is env, and a fetch, and what they log", async () => {
    const logged: LogLine[] = [];
    const asked: string[] = [];
    const workflow = defineWorkflow({ name: "surroundings" }, async ({ env, step, log }) => {
      log.info("begins", { greeting: env.GREETING });
      const answer = await step.fetch("call", "https://shop.example/stock");
      return await answer.text();
    });
    const engine = createTestEngine({
      workflows: [workflow],
      env: { GREETING: "hello" },
      fetch: async (input) => {
        asked.push(String(input));
        return new Response("three");
      },
      onLog: (line) => logged.push(line),
    });
    const execution = await engine.start(workflow);
    expect(execution.outcome).toEqual({ kind: "completed", value: "three" });
    expect(asked).toEqual(["https://shop.example/stock"]);
    expect(logged).toMatchObject([{ level: "info", message: "begins", fields: { greeting: "hello" } }]);
  });
});

describe("the work of steps", () => {
  it("is waited for in real time while it ends by itself", async () => {
    const workflow = defineWorkflow({ name: "real" }, ({ step }) =>
      step.run("read", async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return "read";
      }),
    );
    const engine = createTestEngine({ workflows: [workflow], patience: "1m" });
    expect((await engine.start(workflow)).outcome).toEqual({ kind: "completed", value: "read" });
    expect(engine.now).toBe(0);
  });

  it("S26 that never ends is left to its timeout", async () => {
    const workflow = defineWorkflow({ name: "hangs", retryPolicy: { maximumAttempts: 2 } }, ({ step }) =>
      step.run({ name: "hang", timeout: "10s" }, () => new Promise(() => {})),
    );
    const engine = createTestEngine({ workflows: [workflow], patience: 2 });
    const execution = await engine.start(workflow);
    expect(execution.state).toBe("running");
    await engine.advance("10s");
    expect(execution.steps).toMatchObject([{ state: "waiting", attempts: 1, lastFailure: { name: "StepTimeout" } }]);
    await engine.runToEnd();
    expect(execution.outcome).toMatchObject({ code: "STEP_EXHAUSTED" });
    expect(engine.now).toBe(21_000);
  });

  it("is not waited for as long where it hung before", async () => {
    const workflow = defineWorkflow({ name: "hangs-often", retryPolicy: { maximumAttempts: 5 } }, ({ step }) =>
      step.run({ name: "hang", timeout: "1s" }, () => new Promise(() => {})),
    );
    const engine = createTestEngine({ workflows: [workflow], patience: 500 });
    const startedAt = performance.now();
    const execution = await engine.start(workflow);
    await engine.runToEnd();
    expect(execution.steps).toMatchObject([{ state: "exhausted", attempts: 5 }]);
    // Once 500 ms, four times 50 ms; and the machine's own time.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it("may take time by the clock of the test, and no real time then", async () => {
    const ended: [string, number][] = [];
    const workflow = defineWorkflow({ name: "delays" }, ({ step }) =>
      Promise.all(
        (["5s", "2s"] as const).map((length) =>
          step.run(length, async () => {
            await engine.delay(length);
            ended.push([length, engine.now]);
          }),
        ),
      ),
    );
    const engine = createTestEngine({ workflows: [workflow], patience: "1m" });
    const execution = await engine.start(workflow);
    expect(execution.state).toBe("running");
    await engine.runToEnd();
    expect(ended).toEqual([
      ["2s", 2_000],
      ["5s", 5_000],
    ]);
    expect(execution.state).toBe("completed");
  });
});

describe("the clock of a test", () => {
  const daily = defineWorkflow({ name: "daily" }, async ({ sleep, now }) => {
    for (let day = 0; day < 365; day += 1) await sleep("1d");
    return now();
  });

  it("runs through a year of daily sleeps", async () => {
    const engine = createTestEngine({ workflows: [daily] });
    const execution = await engine.start(daily);
    await engine.runToEnd();
    expect(execution.outcome).toEqual({ kind: "completed", value: 365 * 86_400_000 });
  });

  it("moves several executions in the order of what is due", async () => {
    const seen: string[] = [];
    const ticking = defineWorkflow({ name: "ticking", input: z.int() }, async ({ input, sleep }) => {
      for (let i = 0; i < 3; i += 1) {
        await sleep(input * 1_000);
        seen.push(`${input} at ${engine.now}`);
      }
    });
    const engine = createTestEngine({ workflows: [ticking] });
    await engine.start(ticking, 2);
    await engine.start(ticking, 3);
    await engine.advance("6s");
    expect(seen).toEqual(["2 at 2000", "3 at 3000", "2 at 4000", "2 at 6000", "3 at 6000"]);
  });

  it("moves by a duration, and never back", async () => {
    const engine = createTestEngine({ workflows: [daily] });
    await expect(engine.advance(-1)).rejects.toThrow("Cannot use duration as it must not be negative");
    await expect(engine.advance("1 month" as never)).rejects.toThrow("Cannot use duration as it must be a duration");
    await engine.advance("1d");
    expect(engine.now).toBe(86_400_000);
  });
});

describe("the context for a step's function alone", () => {
  const charge = async ({ attempt, idempotencyKey, key, signal, log }: StepContext) => {
    log.info("charging");
    return [attempt, idempotencyKey === stepContext().idempotencyKey, key("a") === key("b"), signal.aborted];
  };

  it("is that of a first attempt, but for what is given", async () => {
    expect(await charge(stepContext())).toEqual([1, true, false, false]);
    const given = { attempt: 3, idempotencyKey: "k", signal: AbortSignal.abort() };
    expect(await charge(stepContext(given))).toEqual([3, false, false, true]);
    expect(stepContext({ lastFailure: { name: "Error", message: "no" } }).lastFailure?.message).toBe("no");
  });

  it("refuses what no step's context has", () => {
    // The cast: what a caller without types may do.
    expect(() => stepContext({ attempts: 3 } as never)).toThrow("Cannot use overrides.attempts");
  });
});
