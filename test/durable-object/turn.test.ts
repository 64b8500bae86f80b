import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { objectTurn } from "../../src/durable-object/platform.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { drainedOf, turnCostMs } from "../support/turn-probe.ts";
import { plainObject } from "../support/plain-object.ts";

/** Ten to twelve microseconds were seen; another order of magnitude is a regression. */
const MOST_MS = 0.2;

describe("the turn of an object", () => {
  const idle = defineWorkflow({ name: "idle" }, async () => {});

  it("lets 20,000 chained microtasks run before it ends, 50 times of 50", async () => {
    const drained = await runInDurableObject(plainObject(idle), (_, state) => drainedOf(objectTurn(state), 50));
    expect(drained).toEqual(Array.from({ length: 50 }, () => 20_000));
  });

  it("costs less than 200 microseconds in the median", async () => {
    const cost = await runInDurableObject(plainObject(idle), (_, state) => turnCostMs(objectTurn(state)));
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThan(MOST_MS);
  });
});
