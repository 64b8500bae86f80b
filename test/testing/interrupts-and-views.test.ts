import { exhausted, defineWorkflow, StepInterrupted, type RetryPolicy } from "stepwell";
import { createTestEngine } from "stepwell/testing";
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

describe("S64 an engine that skips backoffs", () => {
  it("attempts again at once, and the clock stands still", async () => {
    const work = counted((call) => (call < 3 ? fail() : "paid"));
    const workflow = defineWorkflow({ name: "skips" }, ({ step, sleep }) =>
      Promise.all([step.run("charge-card", work.fn), sleep("1s")]),
    );
    const engine = createTestEngine({ workflows: [workflow], skipBackoff: true });
    const execution = await engine.start(workflow);
    expect(execution.steps).toMatchObject([
      { name: "charge-card", state: "completed", attempts: 3, value: "paid" },
      { name: "sleep", state: "waiting" },
    ]);
    expect(engine.now).toBe(0);
  });

  it("counts what it skips toward maximumDuration, a millisecond at least", async () => {
    const attemptsUnder = async (retryPolicy: RetryPolicy) => {
      const workflow = defineWorkflow({ name: "durations" }, ({ step }) => step.run("work", fail));
      const engine = createTestEngine({ workflows: [workflow], skipBackoff: true, retryPolicy });
      const execution = await engine.start(workflow);
      expect(execution.outcome).toMatchObject({ kind: "failed", code: "STEP_EXHAUSTED" });
      return execution.steps[0]?.attempts;
    };
    // Without skipping: at 0, 1, 3, 7 and 15 seconds.
    expect(await attemptsUnder({ maximumDuration: "10s" })).toBe(5);
    expect(await attemptsUnder({ initialInterval: 0, maximumDuration: 5 })).toBe(6);
  });

  it("attempts a failed run again at once, until it pauses", async () => {
    const workflow = defineWorkflow({ name: "broken" }, async () => fail());
    const engine = createTestEngine({ workflows: [workflow], skipBackoff: true });
    const execution = await engine.start(workflow);
    expect([execution.state, execution.attempts]).toEqual(["paused", 20]);
  });

  it("waits out what a service prescribed", async () => {
    const work = counted((call) => call);
    const workflow = defineWorkflow({ name: "prescribed" }, ({ step, retryAfter }) =>
      step.run("call", () => {
        if (work.fn() === 1) throw retryAfter("30s");
        return "ok";
      }),
    );
    const engine = createTestEngine({ workflows: [workflow], skipBackoff: true });
    const execution = await engine.start(workflow);
    expect(execution.steps).toMatchObject([{ state: "waiting", retryAt: 30_000 }]);
    await engine.advance("30s");
    expect(execution.outcome).toEqual({ kind: "completed", value: "ok" });
  });
});

describe("S65 an interruption", () => {
  const charge = counted((call) => `receipt ${call}`);
  const seen: unknown[] = [];
  const workflow = defineWorkflow({ name: "interrupted", retryPolicy: THREE }, async ({ step }) => {
    const receipt = await step.run("charge-card", charge.fn);
    seen.push(receipt);
    return receipt;
  });

  it("loses the object after the step's effect: the workflow never sees it, and the attempt counts", async () => {
    const engine = createTestEngine({ workflows: [workflow] });
    engine.interrupt("charge-card", { attempt: 1 });
    const execution = await engine.start(workflow);
    expect(charge.calls).toEqual([1]);
    expect(seen).toEqual([]);
    expect(execution.steps).toMatchObject([
      { name: "charge-card", state: "waiting", attempts: 1, retryAt: 1_000, lastFailure: { name: "StepInterrupted" } },
    ]);
    await engine.advance("1s");
    expect(execution.outcome).toEqual({ kind: "completed", value: "receipt 2" });
    expect(execution.steps).toMatchObject([{ state: "completed", attempts: 2, value: "receipt 2" }]);
    expect(seen).toEqual(["receipt 2"]);
    expect(execution.attempts).toBe(2);
  });

  it("spends the budget as any failure does", async () => {
    const engine = createTestEngine({ workflows: [workflow], skipBackoff: true });
    for (const attempt of [1, 2, 3]) engine.interrupt("charge-card", { attempt });
    const execution = await engine.start(workflow);
    expect(execution.outcome).toMatchObject({ code: "STEP_EXHAUSTED", details: { attempts: 3 } });
    const error = execution.steps[0]?.error;
    expect(exhausted(error) && StepInterrupted.is(error.cause)).toBe(true);
  });
});

describe("S66 the journal of a test", () => {
  const signals = { go: z.string() };
  const charge = counted((call) => (call === 1 ? fail() : call));
  const workflow = defineWorkflow({ name: "everything", signals, retryPolicy: THREE }, async (context) => {
    const { step, sleep, awaitSignal } = context;
    await step.run("charge-card", charge.fn);
    await step.run("ship", fail).catch(() => {});
    await sleep("1m");
    const first = await awaitSignal("go");
    await awaitSignal("go", { timeout: "1m" });
    await step.run("ship", () => `${first.value}!`);
  });

  it("shows every operation with its attempts, interruptions included and replays not, and its value or error", async () => {
    const engine = createTestEngine({ workflows: [workflow] });
    engine.interrupt("charge-card", { attempt: 2 });
    const execution = await engine.start(workflow);
    execution.evict();
    await engine.advance("1h");
    execution.evict();
    await execution.signal("go", "now");
    await engine.runToEnd();
    expect(execution.steps).toMatchObject([
      { name: "charge-card", kind: "step", state: "completed", attempts: 3, value: 3 },
      { name: "ship", kind: "step", state: "exhausted", attempts: 3, error: { name: "StepExhausted", step: "ship" } },
      { name: "sleep", kind: "sleep", state: "completed", attempts: 0 },
      { name: "go", kind: "signal", state: "completed", attempts: 0, value: { received: true, value: "now" } },
      { name: "go#2", kind: "signal", state: "completed", value: { received: false } },
      { name: "ship#2", kind: "step", state: "completed", attempts: 1, value: "now!" },
    ]);
    expect(execution.attempts).toBeGreaterThan(2);
  });

  it("has the entries, with their numbers and their values decoded", async () => {
    const at = new Date(7);
    const dated = defineWorkflow({ name: "dated" }, ({ step }) => step.run("read", () => ({ at, big: 5n })));
    const execution = await createTestEngine({ workflows: [dated] }).start(dated);
    expect(execution.journal).toMatchObject([
      { entry: 0, type: "started", at: 0, input: undefined },
      { entry: 1, type: "attempt-started", name: "read" },
      { entry: 2, type: "step-completed", value: { at, big: 5n } },
      { entry: 3, type: "completed", value: { at, big: 5n } },
    ]);
  });
});

describe("S67 an execution in a test", () => {
  it("shows its state, and its outcome once it has ended", async () => {
    const workflow = defineWorkflow({ name: "states" }, async ({ sleep }) => {
      await sleep("1s");
      return 7;
    });
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow);
    expect([execution.state, execution.outcome, execution.failure]).toEqual(["waiting", undefined, undefined]);
    await engine.runToEnd();
    expect([execution.state, execution.outcome]).toEqual(["completed", { kind: "completed", value: 7 }]);
  });

  it("shows what the exhausted step threw last, which callers never see", async () => {
    const workflow = defineWorkflow({ name: "spent", retryPolicy: { maximumAttempts: 1 } }, async ({ step }) => {
      await step.run("first", fail).catch(() => {});
      await step.run("second", () => {
        throw new TypeError("no such card", { cause: new Error("socket closed") });
      });
    });
    const execution = await createTestEngine({ workflows: [workflow] }).start(workflow);
    expect(execution.failure).toEqual({
      name: "TypeError",
      message: "no such card",
      causes: [{ name: "Error", message: "socket closed" }],
    });
    expect(JSON.stringify(execution.outcome)).not.toContain("no such card");
  });

  it("shows why it is paused, or what its last run failed with", async () => {
    const workflow = defineWorkflow({ name: "buggy", retryPolicy: THREE }, async () => {
      throw new TypeError("total is undefined");
    });
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow);
    expect([execution.state, execution.failure]).toEqual([
      "waiting",
      { name: "TypeError", message: "total is undefined" },
    ]);
    await engine.runToEnd();
    expect([execution.state, execution.failure]).toEqual([
      "paused",
      { name: "TypeError", message: "total is undefined", code: "RUN_FAILED" },
    ]);
  });

  it("shows where code and journal part", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "parts" }, async ({ step, sleep }) => {
      calls += 1;
      await step.run(calls === 1 ? "even" : "odd", () => 1);
      await sleep("1h");
    });
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow);
    execution.evict();
    await engine.runToEnd();
    expect(execution.failure).toMatchObject({
      code: "JOURNAL_MISMATCH",
      position: 0,
      recorded: "step even",
      asked: "step odd",
    });
  });

  it("counts the calls of the workflow's function, replays included", async () => {
    const workflow = defineWorkflow({ name: "replays" }, ({ sleep }) => sleep("1h"));
    const engine = createTestEngine({ workflows: [workflow] });
    const execution = await engine.start(workflow);
    expect(execution.attempts).toBe(1);
    execution.evict();
    await engine.runToEnd();
    expect(execution.attempts).toBe(2);
  });
});
