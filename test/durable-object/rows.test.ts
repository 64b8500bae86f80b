import { describe, expect, it } from "vitest";
import { defineWorkflow, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { ObjectHost } from "../support/object-host.ts";

const DAY_MS = 86_400_000;

function sequence(steps: number): AnyWorkflow {
  return defineWorkflow({ name: `sequence-${steps}` }, async ({ step }) => {
    let sum = 0;
    for (let i = 0; i < steps; i += 1) sum += await step.run("one", async () => 1);
    return sum;
  });
}

/** Runs a workflow to its end: the rows that the platform bills, alarms included, and those of the journal among them. */
async function rowsOf(workflow: AnyWorkflow, end = "completed") {
  const host = new ObjectHost({ workflows: [workflow] });
  const probe = await host.start(workflow);
  await host.runToEnd();
  const outcome = await probe.outcome();
  if (outcome?.kind !== end) throw new Error(`It ended as ${JSON.stringify(outcome)}.`);
  const journal = await probe.object.inside((_, { storage }) => {
    return storage.sql.exec<{ rows: number }>("SELECT count(*) AS rows FROM journal").one().rows;
  });
  const counted = await probe.object.inside((execution) => execution.rowsWritten());
  return { rows: probe.object.rowsWritten, journal, counted };
}

describe("rows written", () => {
  it("are at most 16 for ten steps that never wait, from the start to the alarm of the purge", async () => {
    const { rows, journal, counted } = await rowsOf(sequence(10));
    expect(rows).toBeGreaterThan(10);
    expect(rows).toBeLessThanOrEqual(16);
    expect(journal).toBeLessThanOrEqual(12);
    expect(counted).toBe(rows);
  });

  it("case 238: grow by one with each step of a sequence", async () => {
    const { rows: fifty } = await rowsOf(sequence(50));
    const { rows: hundred } = await rowsOf(sequence(100));
    expect(hundred - fifty).toBe(50);
  });

  it("are at most five in the journal where a hundred steps start and end together", async () => {
    const together = defineWorkflow({ name: "together" }, async ({ step }) => {
      await Promise.all(Array.from({ length: 100 }, () => step.run("one", async () => 1)));
    });
    const { journal } = await rowsOf(together);
    expect(journal).toBeLessThanOrEqual(5);
  });

  it("are one for each rollback, and none for its mere presence", async () => {
    const undoable = (steps: number, fails: boolean) =>
      defineWorkflow({ name: "undoable" }, async ({ step }) => {
        for (let i = 0; i < steps; i += 1)
          await step.run(
            "one",
            () => 1,
            async () => {},
          );
        if (fails) throw new NonRetryableError("no");
      });
    const { journal: five } = await rowsOf(undoable(5, true), "failed");
    const { journal: fifteen } = await rowsOf(undoable(15, true), "failed");
    expect(fifteen - five).toBe(20);
    const { rows: completed } = await rowsOf(undoable(10, false));
    const { rows: without } = await rowsOf(sequence(10));
    expect(completed).toBe(without);
  });

  it("are at most four more for a retry", async () => {
    const flaky = (failures: number) =>
      defineWorkflow({ name: "flaky" }, async ({ step }) => {
        await step.run("one", ({ attempt }) => {
          if (attempt <= failures) throw new Error("Not yet.");
        });
      });
    const { rows: without } = await rowsOf(flaky(0));
    const { rows: once } = await rowsOf(flaky(1));
    const { rows: twice } = await rowsOf(flaky(2));
    expect(once - without).toBeGreaterThan(0);
    expect(once - without).toBeLessThanOrEqual(4);
    expect(twice - once).toBeLessThanOrEqual(4);
  });

  it("are at most three more for a wait", async () => {
    const sleepy = (waits: number) =>
      defineWorkflow({ name: "sleepy" }, async ({ step, sleep }) => {
        await step.run("before", () => {});
        for (let i = 0; i < waits; i += 1) await sleep("1h");
        await step.run("after", () => {});
      });
    const { rows: without } = await rowsOf(sleepy(0));
    const { rows: once } = await rowsOf(sleepy(1));
    const { rows: twice } = await rowsOf(sleepy(2));
    expect(once - without).toBeLessThanOrEqual(3);
    expect(twice - once).toBeGreaterThan(0);
    expect(twice - once).toBeLessThanOrEqual(3);
  });

  it("case 128: are none for anything that is asked of an unknown id, and nothing is left behind", async () => {
    const workflow = sequence(1);
    const object = new ObjectHost({ workflows: [workflow] }).object(workflow, "unknown");
    const answers = await object.inside(async (execution) => [
      await execution.view(),
      await execution.result(0),
      await execution.signal({ name: "s", value: "[1]", waitMs: 0 }),
      await execution.command({ command: "cancel" }),
      await execution.journal({ from: 0, limit: 10 }),
      await execution.value(0),
      await execution.purge(),
    ]);
    expect(answers.map(({ kind }) => kind)).toEqual(Array.from({ length: 7 }, () => "absent"));
    expect(object.rowsWritten).toBe(0);
    const tables = await object.inside((_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master").toArray(),
    );
    expect(tables).toEqual([]);
    expect(await object.alarm()).toBeUndefined();
  });

  it("case 41: are none for fifty evictions of an execution that sleeps 30 days, each followed by a look", async () => {
    const month = defineWorkflow({ name: "month" }, async ({ sleep }) => await sleep("30 days"));
    const host = new ObjectHost({ workflows: [month] });
    const due = host.now() + 30 * DAY_MS;
    const probe = await host.start(month);
    const before = probe.object.rowsWritten;
    for (let i = 0; i < 50; i += 1) {
      await probe.evict();
      expect((await probe.view()).state).toBe("waiting");
    }
    expect(probe.object.rowsWritten).toBe(before);
    expect(probe.object.rings).toBe(0);
    expect(await probe.alarm()).toBe(due);
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
  });
});
