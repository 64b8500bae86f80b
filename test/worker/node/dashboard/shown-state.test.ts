import { expect, it } from "vitest";
import { shownState } from "../../../../src/worker/dashboard/model/shown-state.ts";

it.each([
  ["waiting", "running", "running"],
  ["running", "waiting", "waiting"],
  ["paused", "waiting", "paused"],
  ["waiting", "paused", "waiting"],
  ["failed", "running", "failed"],
  ["waiting", undefined, "waiting"],
] as const)("a journal that is %s with a view that says %s is shown as %s", (journal, view, shown) => {
  expect(shownState(journal, view)).toBe(shown);
});
