import { describe, expect, it } from "vitest";
import { defineWorkflow, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { every, Hits } from "../support/hits.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { isAtRest, storedState } from "../support/stored-state.ts";
import { TurnEnds } from "../support/turn-ends.ts";

const SECOND_MS = 1_000;

const typesOf = (object: MemoryObject) =>
  object.rows.flatMap(({ entries }) => (JSON.parse(entries) as { readonly type: string }[]).map(({ type }) => type));

async function microtasks(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await Promise.resolve();
}

describe("a pause between the start of a rollback and its call", () => {
  /** After a death the engine waits for the start to be durable. The budget is two attempts: the death took one. */
  async function pausedInBetween(then?: { readonly resumeAfterMicrotasks: number }) {
    const ends = new TurnEnds();
    let hasPaused = false;
    const endTurn = async () => {
      await ends.end();
      if (!hasPaused || then === undefined) return;
      hasPaused = false;
      // The engine goes on in the same event, and the resume comes so far into what it does.
      void microtasks(then.resumeAfterMicrotasks).then(() => probe.object.service.command({ command: "resume" }));
    };
    const workflow = defineWorkflow({ name: "saga" }, async ({ step }) => {
      await step.run(
        { name: "x", retryPolicy: every("1s", 2) },
        () => "x",
        async () => {
          if (hits.add("undo") > 1) return;
          await host.delay(10);
          probe.object.kill();
          await new Promise(() => {});
        },
      );
      throw new NonRetryableError("over");
    });
    const host = new MemoryHost({ workflows: [workflow], endTurn });
    const hits = new Hits(host);
    const probe = await host.start(workflow, { id: "x" });
    const isInBetween = () => storedState(probe.object).rollbacks.get(0)?.attempts === 2 && hits.count("undo") === 1;
    ends.when(isInBetween, async () => {
      await probe.object.service.command({ command: "pause" });
      hasPaused = true;
    });
    await host.advance(60 * SECOND_MS);
    expect(ends.hasCome).toBe(true);
    return { host, hits, probe };
  }

  it("withdraws the attempt: it is not called, not charged, and comes after the resume", async () => {
    const { host, hits, probe } = await pausedInBetween();
    expect(hits.count("undo")).toBe(1);
    expect(await probe.view()).toMatchObject({ state: "paused", rollbacks: { pending: 1, running: 0 } });
    expect((await probe.facts()).at(-1)).toMatchObject({ type: "attempts-withdrawn", ops: [0] });
    expect(isAtRest(probe.object)).toBe(true);
    await probe.evict();
    await probe.command("resume");
    await host.runToEnd();
    expect(hits.count("undo")).toBe(2);
    expect((await probe.view()).rollbacks).toMatchObject({ rolledBack: 1 });
    expect((await probe.outcome())?.kind).toBe("failed");
  });

  it("that is soon over holds it back no longer, wherever the resume comes in", async () => {
    const ways = new Set<string>();
    for (let count = 0; count < 40; count += 1) {
      const { hits, probe } = await pausedInBetween({ resumeAfterMicrotasks: count });
      expect([count, hits.count("undo")]).toEqual([count, 2]);
      expect((await probe.view()).rollbacks).toMatchObject({ rolledBack: 1 });
      ways.add(typesOf(probe.object).includes("attempts-withdrawn") ? "withdrawn" : "called");
    }
    expect(ways.size).toBe(2);
  });
});

describe("a cancellation and rollbacks", () => {
  const saga = (undone: string[], end: () => Promise<unknown>) =>
    defineWorkflow({ name: "saga", version: "1" }, async ({ step, sleep }) => {
      await step.run(
        { name: "x", retryPolicy: every("10s", 3) },
        () => "x",
        (value, { attempt }) => {
          if (attempt === 1) throw new Error("not yet");
          undone.push(value);
        },
      );
      await sleep("1s");
      return await end();
    });
  const other = defineWorkflow({ name: "saga", version: "2" }, async () => 1);

  it("that came too late does not end an execution that cannot go on rolling back now", async () => {
    const undone: string[] = [];
    let isOver = false;
    const workflow = saga(undone, async () => {
      isOver = true;
      throw new NonRetryableError("over", { code: "OVER" });
    });
    const ends = new TurnEnds();
    const host = new MemoryHost({ workflows: [workflow], endTurn: ends.end });
    const probe = await host.start(workflow);
    ends.when(
      () => isOver,
      () => probe.object.service.command({ command: "cancel" }),
    );
    await host.advance(SECOND_MS);
    expect(typesOf(probe.object).slice(-4)).toEqual([
      "cancel-requested",
      "ending",
      "rollback-started",
      "rollback-failed",
    ]);
    await host.deploy({ workflows: [other] });
    await host.advance(20 * SECOND_MS);
    expect(await probe.view()).toMatchObject({ state: "paused", reason: { code: "VERSION_NOT_DEPLOYED" } });
    await host.deploy({ workflows: [workflow] });
    expect(await probe.command("cancel")).toBe("done");
    expect((await probe.view()).state).toBe("paused");
    await probe.command("resume");
    expect(undone).toEqual(["x"]);
    expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "OVER" });
  });

  it("that cannot be told, as the code is not deployed, says what it leaves undone", async () => {
    const undone: string[] = [];
    const workflow = saga(undone, async () => 1);
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.deploy({ workflows: [other] });
    await host.advance(SECOND_MS);
    expect((await probe.view()).reason?.code).toBe("VERSION_NOT_DEPLOYED");
    await probe.command("cancel");
    expect(await probe.outcome()).toEqual({ kind: "cancelled" });
    expect((await probe.facts()).find(({ type }) => type === "rollback-not-run")).toMatchObject({
      op: 0,
      reason: expect.stringMatching(/^VERSION_NOT_DEPLOYED: .+ version 1/),
    });
    expect(undone).toEqual([]);
  });
});

describe("the end before rollbacks", () => {
  it("warns of what is abandoned, and keeps no more of the author's words than an entry may carry", async () => {
    const workflow = defineWorkflow({ name: "saga" }, async ({ step }) => {
      await step.run(
        { name: "x", retryPolicy: every("1s", 1) },
        () => "x",
        () => Promise.reject(new Error("m".repeat(3_000_000))),
      );
      step.run("mail", () => new Promise(() => {})).catch(() => {});
      throw new NonRetryableError("m".repeat(3_000_000));
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    expect((await probe.view()).reason?.message).toHaveLength(LIMITS.failureMessageBytes);
    expect(Math.max(...probe.object.rows.map(({ entries }) => entries.length))).toBeLessThan(LIMITS.inlineValueBytes);
    expect(host.logs).toMatchObject([{ level: "warn", fields: { code: "ABANDONED", steps: ["mail"] } }]);
  });

  /** The object is lost while the rollback waits, and other code is deployed. */
  async function onTheWayBack(now: (setProgress: (value: unknown) => void) => unknown) {
    const over = () => {
      throw new NonRetryableError("over");
    };
    let end: typeof now = over;
    const output = { "~standard": { version: 1 as const, vendor: "test", validate: async () => ({ value: 1 }) } };
    const workflow: AnyWorkflow = defineWorkflow({ name: "saga", output }, async ({ step, setProgress }) => {
      await step.run({ name: "x", retryPolicy: every("10s", 3) }, () => "x", hits.failing("undo", 1));
      end(setProgress);
      return over === end ? over() : 1;
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const hits = new Hits(host);
    const probe = await host.start(workflow);
    end = now;
    await probe.evict();
    await host.advance(20 * SECOND_MS);
    return { hits, probe };
  }

  it("is not that of code that returns on the way back to it, when its schema has answered", async () => {
    const { hits, probe } = await onTheWayBack(() => {});
    expect((await probe.facts()).find(({ type }) => type === "paused")).toMatchObject({
      code: "JOURNAL_MISMATCH",
      asked: "return",
    });
    expect(hits.count("undo")).toBe(1);
  });

  it("is the last that code can say: progress on the way back to it is not journaled", async () => {
    const { hits, probe } = await onTheWayBack((setProgress) => {
      setProgress("late");
      throw new NonRetryableError("over");
    });
    expect(hits.count("undo")).toBe(2);
    expect(typesOf(probe.object)).not.toContain("progress");
    expect((await probe.outcome())?.kind).toBe("failed");
  });

  it("comes before the rollbacks alone: a listener of a rollback's signal that asks for more ends it", async () => {
    const workflow = defineWorkflow({ name: "saga" }, async ({ step, sleep }) => {
      await step.run(
        { name: "x", timeout: "1s", retryPolicy: every("1s", 3) },
        () => "x",
        async (_, { signal }) => {
          signal.addEventListener("abort", () => void sleep("5s").catch(() => {}));
          await new Promise(() => {});
        },
      );
      throw new NonRetryableError("over");
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.runToEnd();
    expect((await probe.facts()).filter(({ type }) => type === "rollback-failed")).toMatchObject([
      { attempt: 1, spent: "terminal", failure: { code: "NESTED_STEP" } },
    ]);
    expect((await probe.view()).usage.operations).toBe(1);
  });
});
