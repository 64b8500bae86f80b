import { describe, expect, it } from "vitest";
import { endOf } from "../../src/journal/ending.ts";
import { ExecutionCancelled, ExecutionFailed } from "../../src/steps/outcome-errors.ts";
import { encode, START_AT, stateAfter } from "../support/journal-entries.ts";

const AT = START_AT + 500;

describe("the end that the failure of another execution means", () => {
  it("is a failure of its own, with what the other said", () => {
    const other = { declared: true, code: "OUT_OF_STOCK", message: "No lamp is left.", details: { sku: "lamp" } };
    const { message, ...said } = other;
    expect(endOf(new ExecutionFailed(other), { state: stateAfter(), at: AT, encode })).toEqual({
      type: "failed",
      declared: false,
      code: "EXECUTION_FAILED",
      message,
      details: [said],
      at: AT,
    });
  });

  it("is no cancellation where the other was cancelled: nobody has cancelled this one", () => {
    const thrown = new ExecutionCancelled("The execution was cancelled.");
    expect(endOf(thrown, { state: stateAfter(), at: AT, encode })).toEqual({
      type: "failed",
      declared: false,
      code: "EXECUTION_CANCELLED",
      message: "The execution was cancelled.",
      details: [undefined],
      at: AT,
    });
  });
});
