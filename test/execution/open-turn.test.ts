import { expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { MemoryHost } from "../support/memory-host.ts";

/** More microtasks than the engine waits for, and than a signal takes to arrive. */
const HOPS = 200;

it("delivers nothing in the turn in which an attempt was started that goes on", async () => {
  const events: string[] = [];
  const host: MemoryHost = new MemoryHost({
    workflows: [
      defineWorkflow({ name: "both", signals: { go: staticSchema<number>() } }, async ({ step, awaitSignal }) => {
        const heard = awaitSignal("go").then(() => events.push("heard"));
        await step.run("slow", async () => {
          const value = encodeValue(1, LIMITS.valueBytes);
          void host.object({ name: "both" }, "x").service.signal({ name: "go", value, waitMs: 0 });
          for (let hop = 0; hop < HOPS; hop += 1) await Promise.resolve();
          events.push("turn over");
          await new Promise((resolve) => setImmediate(resolve));
        });
        await heard;
      }),
    ],
  });
  const input = encodeValue(undefined, LIMITS.valueBytes);
  await host
    .object({ name: "both" }, "x")
    .service.start({ workflow: "both", id: "x", input, inputHash: "h", waitMs: 0 });
  await host.settle();
  expect(events).toEqual(["turn over", "heard"]);
});
