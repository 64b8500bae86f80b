import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { objectTurn } from "../../src/durable-object/platform.ts";
import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { plainObject, startRequest } from "../support/plain-object.ts";
import { medianOf, turnCostMs } from "../support/turn-probe.ts";
import type { Execution } from "../workers/worker.ts";

const ROUNDS = 7;
/** A turn on a machine that has nothing else to do. Where other work makes turns longer, it makes the replay longer too. */
const USUAL_TURN_MS = 0.012;
const WAIT_MS = 20_000;
const signals = { again: staticSchema<boolean>() };

/** Makes so many operations, and then one more with each signal. */
function operationsThenSignals(operations: number): AnyWorkflow {
  return defineWorkflow({ name: `replay-${operations}`, signals }, async ({ step, awaitSignal }) => {
    for (let left = operations; left > 0; left -= 100) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => step.run("one", () => i)));
    }
    for (;;) await awaitSignal("again");
  });
}

/** How long a new object takes from a signal to the next wait: it reads the journal and replays all of it. */
async function replayMs(stub: DurableObjectStub<Execution>): Promise<number> {
  await evictDurableObject(stub);
  const startedAt = performance.now();
  const answer = await stub.signal({ name: "again", value: "[true]", waitMs: WAIT_MS });
  const took = performance.now() - startedAt;
  expect(answer).toMatchObject({ kind: "accepted", view: { state: "waiting", unreadSignals: 0 } });
  return took;
}

async function started(operations: number): Promise<DurableObjectStub<Execution>> {
  const workflow = operationsThenSignals(operations);
  const stub = plainObject(workflow);
  await stub.start(startRequest(workflow));
  for (;;) {
    const found = await stub.view();
    if (found.kind === "found" && found.view.state === "waiting") return stub;
    await scheduler.wait(20);
  }
}

describe("a replay in a new object", () => {
  it("case 238: takes less than half a second for 10,000 operations, and for each of them about as long as for each of 1,000", async () => {
    const large = await started(10_000);
    const small = await started(1_000);
    const tookMs: number[] = [];
    const growth: number[] = [];
    // By turns, so that other work on the machine meets all of them.
    for (let round = 0; round < ROUNDS; round += 1) {
      const turnMs = await runInDurableObject(large, (_, state) => turnCostMs(objectTurn(state)));
      const largeMs = await replayMs(large);
      const smallMs = await replayMs(small);
      tookMs.push(largeMs / Math.max(1, turnMs / USUAL_TURN_MS));
      growth.push(largeMs / 10_000 / (smallMs / 1_000));
    }
    expect(medianOf(tookMs)).toBeLessThan(500);
    expect(medianOf(growth)).toBeLessThan(1.5);
  }, 120_000);
});
