import { describe, expect, it } from "vitest";
import { checkStep, checkStepTimeout } from "../../src/steps/step-options.ts";

describe("checkStep", () => {
  it("S1 takes a name alone", () => {
    expect(checkStep("ship")).toStrictEqual({ name: "ship" });
  });

  it("S1 takes an object with the name and what it overrides", () => {
    const step = { name: "ship", retryPolicy: { maximumAttempts: 3 }, timeout: "2m" };
    expect(checkStep(step)).toStrictEqual({ name: "ship", retryPolicy: { maximumAttempts: 3 }, timeoutMs: 120_000 });
  });

  it.each([null, undefined, 5, true, [], ["ship"], () => "ship"])("S1 refuses %o as a declaration", (step) => {
    expect(() => checkStep(step)).toThrow(TypeError);
  });

  it.each(["id", "retry", "timeoutMs", "retries"])("S1 refuses the key %s", (key) => {
    expect(() => checkStep({ name: "ship", [key]: 1_000 })).toThrow(TypeError);
    expect(() => checkStep({ name: "ship", [key]: 1_000 })).toThrow(`Cannot use step.${key} as the keys of step are`);
  });

  it("S10 takes an explicit undefined for an absent field", () => {
    expect(checkStep({ name: "ship", retryPolicy: undefined, timeout: undefined })).toStrictEqual({ name: "ship" });
  });

  it("takes any text of 1 to 128 characters as a name", () => {
    for (const name of ["x", "Ship the order!", "№ 5 📦", "a#2", "\n", "a".repeat(128)]) {
      expect(checkStep(name)).toStrictEqual({ name });
    }
  });

  it.each(["", "a".repeat(129)])("refuses a name of another length: %j", (name) => {
    expect(() => checkStep(name)).toThrow(RangeError);
    expect(() => checkStep({ name })).toThrow("Cannot use name as it must be a string of 1 to 128 characters:");
  });

  it("refuses a name that is missing or no string", () => {
    expect(() => checkStep({})).toThrow(TypeError);
    expect(() => checkStep({ name: 5 })).toThrow(
      new TypeError("Cannot use name as it must be a string of 1 to 128 characters: current value is 5"),
    );
  });

  it("S24 refuses an invalid policy or timeout and names the field", () => {
    expect(() => checkStep({ name: "ship", retryPolicy: { maximumAttempts: 0 } })).toThrow(
      "retryPolicy.maximumAttempts",
    );
    expect(() => checkStep({ name: "ship", retryPolicy: null })).toThrow("Cannot use retryPolicy as");
    expect(() => checkStep({ name: "ship", timeout: "11m" })).toThrow("Cannot use timeout as");
    expect(() => checkStep({ name: "ship", timeout: null })).toThrow("Cannot use timeout as");
  });
});

describe("checkStepTimeout", () => {
  it("S25 takes 1 second to 10 minutes", () => {
    expect(checkStepTimeout("1s", "stepTimeout")).toBe(1_000);
    expect(checkStepTimeout(600_000, "stepTimeout")).toBe(600_000);
    expect(() => checkStepTimeout(999, "stepTimeout")).toThrow(RangeError);
    expect(() => checkStepTimeout("10m", "stepTimeout")).not.toThrow();
    expect(() => checkStepTimeout(600_001, "stepTimeout")).toThrow("Cannot use stepTimeout as");
  });
});
