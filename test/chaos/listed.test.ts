import { expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { completed, started, stepCompleted, stepStarted } from "../support/journal-entries.ts";
import { compareLists } from "./listed.ts";
import type { Stored } from "./stored.ts";

const stored = (...entries: readonly Entry[]): Stored => ({
  rows: [],
  entries: [started(), ...entries],
  alarmAt: undefined,
});
const onDisk = new Map([["order/order-1", stored(stepStarted(0), stepCompleted(0), completed())]]);
const row = { workflow: "order", id: "order-1", state: "completed" } as const;

it("finds nothing where the list says what the journals say", () => {
  expect(compareLists([row], onDisk)).toEqual([]);
});

it.each([
  ["a state that is over", [{ ...row, state: "running" }], "order/order-1 is completed, and is listed as running"],
  ["an execution that is missing", [], "order/order-1 is completed, and is listed as nothing"],
  ["one that is there twice", [row, row], "order/order-1 is completed, and is listed as completed and completed"],
  ["one that does not exist", [row, { ...row, id: "ghost" }], "order/ghost is listed, and does not exist"],
] as const)("notices %s", (_, listed, fault) => {
  expect(compareLists(listed, onDisk)).toEqual([fault]);
});
