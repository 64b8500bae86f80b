import { describe, expect, it } from "vitest";
import { endTurn } from "../../src/testing/turn-end.ts";
import { drainedOf, turnCostMs } from "../support/turn-probe.ts";

/** 3 µs were seen in Node, 50 in workerd, where a timer takes 1,200. */
const MOST_MS = 0.6;

describe("the end of a turn outside of an object", () => {
  it("lets 20,000 chained microtasks run before it comes, 50 times of 50", async () => {
    expect(await drainedOf({ end: endTurn }, 50)).toEqual(Array.from({ length: 50 }, () => 20_000));
  });

  it("costs less than a timer", async () => {
    const cost = await turnCostMs({ end: endTurn });
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThan(MOST_MS);
  });
});
