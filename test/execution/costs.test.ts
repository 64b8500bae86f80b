import { describe, expect, it } from "vitest";
import { createDeployment } from "../../src/execution/deployment.ts";
import { ExecutionService } from "../../src/execution/execution-service.ts";
import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { hashText } from "../../src/journal/draw.ts";
import { canonicalText, encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { CountedPorts, type Counts } from "../support/counted-ports.ts";

const MINUTE_MS = 60_000;
const MANY = 20_000;
const FEW = 1_000;

function startRequest({ name: workflow }: AnyWorkflow) {
  const input = encodeValue(undefined, LIMITS.valueBytes);
  return { workflow, id: "counted", input, inputHash: hashText(canonicalText(undefined)), waitMs: MINUTE_MS };
}

/** What a workflow's execution costs from its start to its end, with somebody who waits for it. */
async function costOf(workflow: AnyWorkflow, platform = new CountedPorts()): Promise<Counts> {
  const service = new ExecutionService(platform.ports(), createDeployment({ workflows: [workflow] }));
  const answer = await service.start(startRequest(workflow));
  if (answer.kind !== "started") throw new Error(answer.message);
  expect(answer.view.outcome?.kind).toBe("completed");
  return platform.counts;
}

function sequence(steps: number, inStep: () => void = () => {}): AnyWorkflow {
  return defineWorkflow({ name: "sequence" }, async ({ step }) => {
    for (let i = 0; i < steps; i += 1) await step.run("one", async () => inStep());
  });
}

/** What each step costs between a short and a long execution. */
function perStep(few: Counts, many: Counts): Counts {
  const each = (count: keyof Counts) => (many[count] - few[count]) / (MANY - FEW);
  return {
    turns: each("turns"),
    syncs: each("syncs"),
    commits: each("commits"),
    bytes: each("bytes"),
    rowsRead: each("rowsRead"),
    alarms: each("alarms"),
    timers: each("timers"),
    looksAtClock: each("looksAtClock"),
  };
}

describe("what a step costs", () => {
  it("case 238: is one turn, one commit and nothing else of the platform, the 20,000th as the 1,000th", async () => {
    const few = { ...(await costOf(sequence(FEW))) };
    const many = { ...(await costOf(sequence(MANY))) };
    const each = perStep(few, many);
    expect(each).toMatchObject({ turns: 1, syncs: 0, commits: 1, rowsRead: 0, alarms: 0, timers: 0 });
    // Numbers grow by a digit, and so do occurrences.
    expect(each.bytes).toBeLessThan(200);
    expect(each.looksAtClock).toBeLessThanOrEqual(12);
  });

  it("is one turn, one commit and no timer where it waits for something outside", async () => {
    const answers = (steps: number) =>
      defineWorkflow({ name: "answers" }, async ({ step }) => {
        for (let i = 0; i < steps; i += 1) await step.run("one", () => new Promise((resolve) => setImmediate(resolve)));
      });
    const few = { ...(await costOf(answers(100))) };
    const many = { ...(await costOf(answers(600))) };
    const { turns, commits, timers, alarms } = many;
    expect({ turns: turns - few.turns, commits: commits - few.commits }).toEqual({ turns: 500, commits: 500 });
    expect({ timers: timers - few.timers, alarms: alarms - few.alarms }).toEqual({ timers: 0, alarms: 0 });
  });

  it("is no alarm of its own, however long the burst is: the lease doubles", async () => {
    const platform = new CountedPorts();
    // Twenty seconds, in which the platform finds no moment to ring.
    const { alarms } = await costOf(
      sequence(2_000, () => platform.clock.moveTo(platform.clock.now() + 10)),
      platform,
    );
    expect(alarms).toBeLessThanOrEqual(7);
  });

  it("is a turn for each delivery where many run at once, and three commits for all of them", async () => {
    const parallel = (steps: number) =>
      defineWorkflow({ name: "parallel" }, async ({ step }) => {
        await Promise.all(Array.from({ length: steps }, () => step.run("one", async () => {})));
      });
    const hundred = { ...(await costOf(parallel(100))) };
    const thousand = { ...(await costOf(parallel(1_000))) };
    expect((thousand.turns - hundred.turns) / 900).toBe(1);
    expect(hundred.commits).toBeLessThanOrEqual(4);
    expect(thousand.commits).toBe(hundred.commits);
  });
});

describe("what a retry costs", () => {
  it("is one wait for storage, after which what the attempt sends is held back by nothing", async () => {
    const platform = new CountedPorts();
    const seen: { readonly syncs: number; readonly unsynced: number; readonly alarm: number | undefined }[] = [];
    const workflow = defineWorkflow({ name: "retried" }, async ({ step }) => {
      await step.run({ name: "ask", retryPolicy: { initialInterval: 100, maximumAttempts: 3 } }, () => {
        seen.push({ syncs: platform.counts.syncs, unsynced: platform.unsynced, alarm: platform.alarm });
        throw new Error("The service is down.");
      });
    });
    const service = new ExecutionService(platform.ports(), createDeployment({ workflows: [workflow] }));
    await service.start({ ...startRequest(workflow), waitMs: 0 });
    while (service.isBusy) await new Promise((resolve) => setImmediate(resolve));
    const before = platform.counts.syncs;
    platform.clock.moveTo(platform.clock.now() + 100);
    await service.wake();
    const lease = platform.clock.now() + LIMITS.leaseFirstMs;
    expect(seen[1]).toEqual({ syncs: before + 1, unsynced: 0, alarm: lease });
  });
});

describe("what a replay costs", () => {
  it("is one turn for each delivery and one read of each row, and nothing is written again", async () => {
    const signals = { go: staticSchema<number>() };
    const workflow = defineWorkflow({ name: "replayed", signals }, async ({ step, awaitSignal }) => {
      for (let i = 0; i < FEW; i += 1) await step.run("one", async () => i);
      await awaitSignal("go");
    });
    const platform = new CountedPorts();
    const deployment = createDeployment({ workflows: [workflow] });
    const first = new ExecutionService(platform.ports(), deployment);
    await first.start({ ...startRequest(workflow), waitMs: 0 });
    while (first.isBusy) await new Promise((resolve) => setImmediate(resolve));
    const before = { ...platform.counts };
    const second = new ExecutionService(platform.ports(), deployment);
    const answer = await second.signal({ name: "go", value: "[1]", waitMs: MINUTE_MS });
    expect(answer).toMatchObject({ kind: "accepted", view: { outcome: { kind: "completed" } } });
    const { counts } = platform;
    expect(counts.rowsRead - before.rowsRead).toBeLessThanOrEqual(before.commits + 1);
    expect(counts.commits - before.commits).toBeLessThanOrEqual(3);
    expect(counts.turns - before.turns).toBeLessThanOrEqual(FEW + 5);
  });
});
