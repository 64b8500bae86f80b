import { expect, it } from "vitest";
import { keyOwner, operationKey } from "../../src/journal/key-owner.ts";
import { forkedFrom, START_AT, started } from "../support/journal-entries.ts";

it("keys derive from the workflow, the id and the time of the start or of the fork", () => {
  expect(keyOwner(started())).toBe(`order/order-1/${START_AT}`);
  const forked = forkedFrom({ at: START_AT + 7 });
  expect(keyOwner(started({ id: "fork" }), forked)).toBe(`order/fork/${START_AT + 7}`);
  expect(keyOwner(started({ at: START_AT + 1 }))).not.toBe(keyOwner(started()));
});

it("keys of operations are those of the fork in a fork, and there are none before the start", () => {
  const forked = forkedFrom({ at: START_AT + 7 });
  const keys = [undefined, forked].map((fork) => operationKey({ started: started(), forked: fork }, "child 0"));
  expect(new Set(keys).size).toBe(2);
  expect(() => operationKey({ started: undefined, forked: undefined }, "child 0")).toThrow("has not started");
});
