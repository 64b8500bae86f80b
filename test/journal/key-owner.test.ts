import { expect, it } from "vitest";
import { keyOwner } from "../../src/journal/key-owner.ts";
import { START_AT, started } from "../support/journal-entries.ts";

it("keys derive from the workflow, the id and the time of the start", () => {
  expect(keyOwner(started())).toBe(`order/order-1/${START_AT}`);
  expect(keyOwner(started({ at: START_AT + 1 }))).not.toBe(keyOwner(started()));
});
