import { describe, expect, it } from "vitest";
import { brandOf } from "../../src/steps/brand.ts";
import {
  cancelled,
  CancelledError,
  DeclaredError,
  ERROR_CLASSES,
  exhausted,
  HttpRefusal,
  NonRetryableError,
  OperationRefused,
  RetryableError,
  StepExhausted,
  StepInterrupted,
  StepTimeout,
} from "../../src/steps/errors.ts";
import { ExecutionCancelled, ExecutionFailed } from "../../src/steps/outcome-errors.ts";

const ERRORS = {
  DeclaredError: new DeclaredError("SOLD_OUT", { left: 0 }),
  NonRetryableError: new NonRetryableError("no"),
  HttpRefusal: new HttpRefusal(404, "nothing here", "NOT_FOUND"),
  RetryableError: new RetryableError("later"),
  StepExhausted: new StepExhausted({ step: "ship", attempts: 3 }),
  StepTimeout: new StepTimeout("too slow"),
  StepInterrupted: new StepInterrupted("lost"),
  CancelledError: new CancelledError("enough"),
  OperationRefused: new OperationRefused("NOT_FOUND", "There is no such execution."),
  ExecutionFailed: new ExecutionFailed({
    declared: true,
    code: "SOLD_OUT",
    message: "None are left.",
    details: { left: 0 },
  }),
  ExecutionCancelled: new ExecutionCancelled("The execution was cancelled."),
} as const satisfies Record<keyof typeof ERROR_CLASSES, Error>;

describe("the errors", () => {
  it.each(Object.entries(ERRORS))("%s has its name and its brand, and neither is its own property", (brand, error) => {
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(brand);
    expect(brandOf(error)).toBe(brand);
    expect(Object.getOwnPropertySymbols(error)).toEqual([]);
  });

  it.each(Object.entries(ERROR_CLASSES))("%s.is recognises its own and no other error", (brand, errorClass) => {
    const recognised = Object.entries(ERRORS).filter(([, error]) => errorClass.is(error));
    const expected = brand === "NonRetryableError" ? ["NonRetryableError", "HttpRefusal"] : [brand];
    expect(recognised.map(([name]) => name)).toEqual(expected);
  });

  it("S41 are recognised across two copies of the package", () => {
    class OtherCopy extends Error {}
    Object.defineProperty(OtherCopy.prototype, Symbol.for("stepwell.error"), { value: "StepExhausted" });
    expect(exhausted(new OtherCopy("Workflow Step ship exhausted its retries."))).toBe(true);
    expect(new OtherCopy("x")).not.toBeInstanceOf(StepExhausted);
  });

  it.each([null, undefined, "StepExhausted", 5, {}, new Error("StepExhausted"), () => 5])("none is %o", (value) => {
    expect(brandOf(value)).toBeUndefined();
  });
});

describe("DeclaredError", () => {
  it("S45 carries code, details and a message, by default its code", () => {
    expect(ERRORS.DeclaredError).toMatchObject({ code: "SOLD_OUT", details: { left: 0 }, message: "SOLD_OUT" });
    expect(new DeclaredError("SOLD_OUT", null, "None are left.").message).toBe("None are left.");
  });

  it("S43 is told from an exhaustion although it uses its code", () => {
    const error = new DeclaredError("STEP_EXHAUSTED", {});
    expect(exhausted(error)).toBe(false);
    expect(DeclaredError.is(error)).toBe(true);
  });
});

describe("NonRetryableError", () => {
  it("has the code NON_RETRYABLE, no details and no cause by default", () => {
    const error = new NonRetryableError("no");
    expect(error.code).toBe("NON_RETRYABLE");
    expect(Object.hasOwn(error, "details")).toBe(false);
    expect(Object.hasOwn(error, "cause")).toBe(false);
  });

  it("keeps what it is given", () => {
    const error = new NonRetryableError("no", { code: "DECLINED", details: { reason: 5 }, cause: "bank" });
    expect(error).toMatchObject({ message: "no", code: "DECLINED", details: { reason: 5 }, cause: "bank" });
  });
});

describe("HttpRefusal", () => {
  it("says status and code, and never the body", () => {
    expect(ERRORS.HttpRefusal).toMatchObject({ status: 404, code: "NOT_FOUND", body: "nothing here" });
    expect(ERRORS.HttpRefusal.message).toBe("The service answered 404 NOT_FOUND.");
    expect(new HttpRefusal(404, "").message).toBe("The service answered 404.");
    expect(Object.hasOwn(new HttpRefusal(404, ""), "code")).toBe(false);
  });
});

describe("RetryableError", () => {
  it("carries its delay and its cause where they were given", () => {
    const error = new RetryableError("later", { retryAfter: "5m", cause: "busy" });
    expect(error).toMatchObject({ retryAfter: "5m", cause: "busy" });
    expect(new RetryableError("later", { retryAfter: null }).retryAfter).toBeNull();
    expect(Object.hasOwn(ERRORS.RetryableError, "retryAfter")).toBe(false);
    expect(Object.hasOwn(ERRORS.RetryableError, "cause")).toBe(false);
  });
});

describe("StepExhausted", () => {
  it("S38 has exactly this message, and what the last attempt threw as its cause alone", () => {
    const error = new StepExhausted({ step: "ship", attempts: 3, cause: new Error("secret") });
    expect(error.message).toBe("Workflow Step ship exhausted its retries.");
    expect(error).toMatchObject({ name: "StepExhausted", step: "ship", attempts: 3 });
    expect(String(error.cause)).toBe("Error: secret");
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  it("S39 carries a refusal and the time that was asked for, where there is one", () => {
    const refusal = { status: 429, code: "SLOW_DOWN" };
    const error = new StepExhausted({ step: "ship", attempts: 1, refusal, retryAt: 5 });
    expect(error).toMatchObject({ refusal, retryAt: 5 });
    expect(Object.hasOwn(ERRORS.StepExhausted, "refusal")).toBe(false);
    expect(Object.hasOwn(ERRORS.StepExhausted, "retryAt")).toBe(false);
  });
});

describe("the guards", () => {
  it("S37 exhausted is true for a spent step alone", () => {
    const recognised = Object.entries(ERRORS).filter(([, error]) => exhausted(error));
    expect(recognised.map(([name]) => name)).toEqual(["StepExhausted"]);
  });

  it("S46 cancelled is true for the cooperative cancellation alone", () => {
    const recognised = Object.entries(ERRORS).filter(([, error]) => cancelled(error));
    expect(recognised.map(([name]) => name)).toEqual(["CancelledError"]);
  });

  it("an OperationRefused carries its code", () => {
    expect(ERRORS.OperationRefused).toMatchObject({ code: "NOT_FOUND", message: "There is no such execution." });
  });
});
