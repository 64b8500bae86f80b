import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { Duration } from "../../src/steps/duration.ts";
import { retryAfter } from "../../src/steps/retry-after.ts";
import { createTestEngine } from "../../src/testing/index.ts";
import { journalLanes } from "./journal-lanes.ts";
import type { Picture } from "./picture.ts";

/** Three steps at once, each of which fails by itself. */
async function parallelPicture(): Promise<Picture> {
  const quotes = defineWorkflow({ name: "quotes" }, async ({ step }) => {
    const quote = (name: string, initialInterval: Duration, failures: number) =>
      step.run({ name, retryPolicy: { initialInterval } }, async ({ attempt }) => {
        await engine.delay("1s");
        if (attempt <= failures) throw new Error("The service is down.");
        return attempt;
      });
    await Promise.all([quote("quick", "1s", 3), quote("patient", "6s", 2), quote("lucky", "1s", 0)]);
  });
  const engine = createTestEngine({ workflows: [quotes], patience: 0 });
  const execution = await engine.start(quotes, undefined);
  await engine.runToEnd();
  return { title: "Three parallel steps, each with a backoff of its own", lanes: journalLanes(execution.journal) };
}

/** A service that says when to come back, among ordinary failures. */
async function retryAfterPicture(): Promise<Picture> {
  const polite = defineWorkflow({ name: "polite" }, async ({ step }) => {
    await step.run("call", async ({ attempt }) => {
      await engine.delay("1s");
      if (attempt === 3) throw retryAfter("20s", new Error("429"));
      if (attempt < 5) throw new Error("503");
    });
  });
  const engine = createTestEngine({ workflows: [polite], patience: 0 });
  const execution = await engine.start(polite, undefined);
  await engine.runToEnd();
  return {
    title:
      "A step whose third attempt is told to come back in twenty seconds, and whose fourth waits as the fourth would have",
    lanes: journalLanes(execution.journal),
  };
}

/** A whole execution: a failure, a service that says when, a sleep, a signal. */
async function orderPicture(): Promise<Picture> {
  const order = defineWorkflow(
    { name: "order", signals: { approval: { "~standard": anything } } },
    async ({ step, sleep, awaitSignal }) => {
      await step.run("reserve-stock", async ({ attempt }) => {
        await engine.delay("2s");
        if (attempt === 1) throw new Error("503");
      });
      await step.run("charge-card", async ({ attempt }) => {
        await engine.delay("3s");
        if (attempt === 1) throw retryAfter("15s", new Error("429"));
      });
      await sleep("10s");
      await awaitSignal("approval", { timeout: "24h" });
      await step.run("ship", () => engine.delay("4s"));
    },
  );
  const engine = createTestEngine({ workflows: [order], patience: 0 });
  const execution = await engine.start(order, undefined);
  await engine.advance("50s");
  await execution.signal("approval", true);
  await engine.runToEnd();
  return {
    title: "An order: a step that is retried, one that obeys a Retry-After, a sleep, a signal, and the last step",
    lanes: journalLanes(execution.journal),
    happenings: [{ at: 50_000, label: "the signal arrives" }],
  };
}

const anything = { version: 1, vendor: "pictures", validate: (value: unknown) => ({ value }) } as const;

/** What steps do while all goes well with their object, by the names of the pictures. */
export function stepPictures(): Readonly<Record<string, Promise<Picture>>> {
  return { "parallel-steps": parallelPicture(), "retry-after": retryAfterPicture(), order: orderPicture() };
}
