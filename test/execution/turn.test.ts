import { describe, expect, it } from "vitest";
import { drainedOf, turnCostMs } from "../support/turn-probe.ts";

/** Two microseconds were seen; another order of magnitude is a regression. */
const MOST_MS = 0.2;
const turn = { end: () => new Promise<void>((resolve) => setImmediate(resolve)) };

describe("the turn of an execution in Node", () => {
  it("lets 20,000 chained microtasks run before it ends, 50 times of 50", async () => {
    expect(await drainedOf(turn, 50)).toEqual(Array.from({ length: 50 }, () => 20_000));
  });

  it("costs less than 200 microseconds in the median", async () => {
    const cost = await turnCostMs(turn);
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThan(MOST_MS);
  });
});
