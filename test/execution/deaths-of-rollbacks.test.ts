import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { every, Hits } from "../support/hits.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";

const START = Date.UTC(2100, 0, 1);
const NAMES = ["a", "b", "c"] as const;
const signals = { s: staticSchema<string>() };

const forever = async (): Promise<never> => await new Promise(() => {});

interface Saga {
  readonly host: MemoryHost;
  readonly hits: Hits;
  readonly workflow: AnyWorkflow;
  readonly object: MemoryObject;
}

/** Three steps; the rollback of the second takes its time, and fails once. The code fails when it gets a signal. */
function sagaOf(): Saga {
  const workflow = defineWorkflow({ name: "saga", signals }, async ({ step, awaitSignal }) => {
    for (const name of NAMES) {
      await step.run({ name, retryPolicy: every("1s", 4) }, hits.ok(name), async (value) => {
        const hit = hits.add(`undo ${value}`);
        if (name !== "b") return;
        await host.delay(200);
        if (hit === 1) throw new Error("not yet");
      });
    }
    await awaitSignal("s");
    throw new NonRetryableError("over", { code: "OVER" });
  });
  const host = new MemoryHost({ workflows: [workflow], now: START });
  const hits = new Hits(host);
  return { host, hits, workflow, object: host.object(workflow, "x") };
}

/** The object dies just before that storage operation, counted from the request that ends the execution. */
async function endWithDeath({ host, workflow, object }: Saga, end: "failed" | "cancelled", death: number) {
  await host.start(workflow, { id: "x" });
  await host.advance(1_000);
  const at = object.operations + death;
  let died = false;
  host.faults.beforeWrite = (operation) => {
    if (operation !== at) return;
    died = true;
    object.kill();
  };
  const ask = async () => {
    if (end === "cancelled") await object.service.command({ command: "cancel" });
    else await object.service.signal({ name: "s", value: encodeValue("now", 100), key: "once", waitMs: 0 });
  };
  ask().catch(() => {});
  await host.settle();
  // Whoever got no answer asks again.
  if (died) ask().catch(() => {});
  await host.settle();
  await host.advance(60_000);
  return died;
}

function check({ object, hits }: Saga, end: "failed" | "cancelled"): void {
  const state = storedState(object);
  expect(state.end?.type).toBe(end);
  expect([...state.rollbacks.values()].map(({ name, phase }) => [name, phase])).toEqual([
    ["c", "completed"],
    ["b", "completed"],
    ["a", "completed"],
  ]);
  for (const name of NAMES) {
    expect(hits.count(name)).toBe(1);
    const least = name === "b" ? 2 : 1;
    expect(hits.count(`undo ${name}`)).toBeGreaterThanOrEqual(least);
    expect(hits.count(`undo ${name}`)).toBeLessThanOrEqual(least + 1);
  }
  expect(isAtRest(object)).toBe(true);
  expect(object.alarm).toBe(wantedAlarm(object));
}

describe("deaths around rollbacks", () => {
  it.each(["failed", "cancelled"] as const)(
    "before any storage operation leave an execution %s, and rolled back",
    async (end) => {
      let explored = 0;
      for (let death = 1; ; death += 1) {
        const saga = sagaOf();
        const died = await endWithDeath(saga, end, death);
        check(saga, end);
        if (!died) break;
        explored += 1;
      }
      expect(explored).toBeGreaterThan(10);
    },
  );

  it.each([true, false])(
    "one that kills its object spends its own budget, and the rest still run; at once: %s",
    async (atOnce) => {
      const undone: string[] = [];
      const workflow = defineWorkflow({ name: "kills" }, async ({ step }) => {
        await step.run(
          "a",
          () => "a",
          (value) => void undone.push(value),
        );
        await step.run(
          { name: "b", retryPolicy: every("1s", 3) },
          () => "b",
          async () => {
            hits.add("b");
            if (!atOnce) await host.delay(10);
            host.objects.get("kills/x")?.kill();
            return await forever();
          },
        );
        await step.run(
          "c",
          () => "c",
          (value) => void undone.push(value),
        );
        throw new NonRetryableError("over");
      });
      const host = new MemoryHost({ workflows: [workflow], now: START });
      const hits = new Hits(host);
      const probe = await host.start(workflow, { id: "x" });
      await host.advance(60_000);
      expect(hits.count("b")).toBeGreaterThanOrEqual(3);
      expect(hits.count("b")).toBeLessThanOrEqual(4);
      expect(undone.at(-1)).toBe("a");
      expect((await probe.outcome())?.kind).toBe("failed");
      expect((await probe.view()).rollbacks).toMatchObject({ rolledBack: 2, exhausted: 1 });
      const failed = (await probe.facts()).flatMap((fact) =>
        fact.type === "rollback-failed" && fact.op === 1 ? [fact.failure] : [],
      );
      expect(failed.map(({ name }) => name)).toEqual(["StepInterrupted", "StepInterrupted", "StepInterrupted"]);
      expect(failed[0]?.message).toBe("Attempt 1 of the rollback of b was lost with its object.");
    },
  );

  it("the end needs no code where every rollback has its outcome", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "paused" }, async ({ step }) => {
      calls += 1;
      await step.run(
        "x",
        () => "x",
        () => host.delay(1_000),
      );
      throw new NonRetryableError("over");
    });
    const host = new MemoryHost({ workflows: [workflow], now: START });
    const probe = await host.start(workflow);
    // What is in flight at a pause may end, and nothing comes after it.
    await probe.command("pause");
    await host.advance(5_000);
    await probe.evict();
    await probe.command("resume");
    expect((await probe.outcome())?.kind).toBe("failed");
    expect((await probe.view()).rollbacks).toMatchObject({ rolledBack: 1 });
    expect(calls).toBe(1);
  });
});
