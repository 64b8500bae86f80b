import { defineWorkflow } from "../../src/execution/workflow.ts";
import { createTestEngine } from "../../src/testing/index.ts";
import { journalLanes } from "./journal-lanes.ts";
import type { Picture } from "./picture.ts";

/** A cancellation in a sleep: the code gives back what it holds. */
async function cancelPicture(): Promise<Picture> {
  const hold = defineWorkflow({ name: "hold" }, async ({ step, sleep, cancelled }) => {
    await step.run("hold-seat", () => engine.delay("2s"));
    try {
      await sleep("7d");
    } catch (error) {
      if (cancelled(error)) await step.run("release-seat", () => engine.delay("2s"));
      throw error;
    }
  });
  const engine = createTestEngine({ workflows: [hold], patience: 0 });
  const execution = await engine.start(hold, undefined);
  await engine.advance("10s");
  await execution.cancel("not wanted any more");
  await engine.runToEnd();
  return {
    title: "A cancellation ends a sleep, and the code then runs the step that gives the seat back",
    lanes: journalLanes(execution.journal),
    happenings: [{ at: 10_000, label: "cancel" }],
  };
}

/** The last of three steps is spent, and what the others did is undone. */
async function rollbackPicture(): Promise<Picture> {
  const trip = defineWorkflow({ name: "trip" }, async ({ step }) => {
    await step.run("book-flight", takes2s, takes2s);
    await step.run("book-hotel", takes2s, async (_, { attempt }) => {
      await engine.delay("1s");
      if (attempt === 1) throw new Error("503");
    });
    await step.run({ name: "rent-car", retryPolicy: { maximumAttempts: 3 } }, async () => {
      await engine.delay("1s");
      throw new Error("no cars");
    });
  });
  const engine = createTestEngine({ workflows: [trip], patience: 0 });
  const takes2s = () => engine.delay("2s");
  const execution = await engine.start(trip, undefined);
  await engine.runToEnd();
  return {
    title: "Three steps of which the last is spent; then the rollbacks, the newest step first, one of them retried",
    lanes: journalLanes(execution.journal),
  };
}

/** A deadline that passes while an attempt runs: the code is told, and gives back what it holds. */
async function deadlinePicture(): Promise<Picture> {
  const checkout = defineWorkflow({ name: "checkout", deadline: "14s" }, async ({ step, sleep, cancelled }) => {
    await step.run("hold-seat", () => engine.delay("2s"));
    try {
      const slow = step.run("pay", async ({ attempt }) => {
        await engine.delay("2s");
        if (attempt < 3) throw new Error("503");
        await engine.delay("1m");
      });
      await Promise.all([slow, sleep("1h")]);
    } catch (error) {
      if (cancelled(error)) await step.run("release-seat", () => engine.delay("2s"));
      throw error;
    }
  });
  const engine = createTestEngine({ workflows: [checkout], patience: 0 });
  const execution = await engine.start(checkout, undefined);
  await engine.runToEnd();
  return {
    title: "A deadline that passes ends what is open, and the code then runs the step that gives the seat back",
    lanes: journalLanes(execution.journal),
    happenings: [{ at: 14_000, label: "the deadline" }],
  };
}

/** How executions end before they are done, by the names of the pictures. */
export function endPictures(): Readonly<Record<string, Promise<Picture>>> {
  return { cancel: cancelPicture(), deadline: deadlinePicture(), rollback: rollbackPicture() };
}
