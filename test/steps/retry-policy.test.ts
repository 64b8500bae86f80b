import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkRetryPolicy,
  DEFAULT_RETRY_POLICY,
  resolveRetryPolicy,
  type ResolvedRetryPolicy,
  type RetryPolicy,
  runPolicy,
} from "../../src/steps/retry-policy.ts";

const onDefaults = (declared: RetryPolicy | undefined) => resolveRetryPolicy(declared, DEFAULT_RETRY_POLICY);

describe("checkRetryPolicy", () => {
  it("S10 takes an absent declaration, and explicit undefined for absent fields", () => {
    expect(checkRetryPolicy(undefined)).toBeUndefined();
    expect(checkRetryPolicy({ maximumAttempts: undefined, jitter: undefined })).toStrictEqual({});
  });

  it("returns a frozen copy with its durations in milliseconds", () => {
    const nonRetryableErrors = ["CardDeclined"];
    const declared = {
      initialInterval: "500ms",
      backoffCoefficient: 1.5,
      maximumInterval: "1 minute",
      maximumAttempts: 5,
      maximumDuration: "1 day",
      jitter: 0.2,
      nonRetryableErrors,
    };
    const checked = checkRetryPolicy(declared);
    nonRetryableErrors.push("Later");
    expect(checked).toStrictEqual({
      initialInterval: 500,
      backoffCoefficient: 1.5,
      maximumInterval: 60_000,
      maximumAttempts: 5,
      maximumDuration: 86_400_000,
      jitter: 0.2,
      nonRetryableErrors: ["CardDeclined"],
    });
    expect(Object.isFrozen(checked)).toBe(true);
    expect(Object.isFrozen(checked?.nonRetryableErrors)).toBe(true);
    expect(checkRetryPolicy(checked)).toStrictEqual(checked);
  });

  it.each([null, 3, "3", true, [], [{}], () => ({})])("S24 refuses %o as a policy", (declared) => {
    expect(() => checkRetryPolicy(declared)).toThrow(TypeError);
    expect(() => checkRetryPolicy(declared, "stepwell.retryPolicy")).toThrow("Cannot use stepwell.retryPolicy as");
  });

  it("S24 refuses an unknown key", () => {
    expect(() => checkRetryPolicy({ maxAttempts: 3 })).toThrow(TypeError);
    expect(() => checkRetryPolicy({ maxAttempts: 3 })).toThrow("Cannot use retryPolicy.maxAttempts as the keys of");
  });

  it.each([0, -1, 1.5, 1001, NaN, Infinity])("S4 refuses %d as maximumAttempts", (maximumAttempts) => {
    const rule = "it must be an integer from 1 to 1000";
    const message = `Cannot use retryPolicy.maximumAttempts as ${rule}: current value is ${maximumAttempts}`;
    expect(() => checkRetryPolicy({ maximumAttempts })).toThrow(new RangeError(message));
  });

  it.each(["3", null, 3n, [3]])("S4 refuses %o, which is no number, as maximumAttempts", (maximumAttempts) => {
    expect(() => checkRetryPolicy({ maximumAttempts })).toThrow(TypeError);
    expect(() => checkRetryPolicy({ maximumAttempts })).toThrow("retryPolicy.maximumAttempts");
  });

  it.each([
    ["maximumAttempts", [1, 1000]],
    ["maximumDuration", [1, "365d"]],
    ["initialInterval", [0, "1h"]],
    ["maximumInterval", [0, "1 day"]],
    ["backoffCoefficient", [1, 1.5, 100]],
    ["jitter", [0, 1]],
    ["nonRetryableErrors", [[], ["TypeError"]]],
  ])("S4, S5, S6 takes the bounds of %s", (field, values) => {
    for (const value of values) expect(() => checkRetryPolicy({ [field]: value })).not.toThrow();
  });

  it.each([
    ["maximumDuration", [0, -1, "366d", NaN, "1 year", null]],
    ["initialInterval", [NaN, -1, Infinity, "5 parsecs", "", 3_600_001, "61m", null]],
    ["maximumInterval", [NaN, -1, Infinity, "25h", 86_400_001, {}]],
    ["backoffCoefficient", [0, 0.5, NaN, 100.5, Infinity, -2, "2", null]],
    ["jitter", [-0.1, 1.1, NaN, "0.5", true]],
    ["nonRetryableErrors", ["TypeError", {}, [5], [""], [undefined], Array(1), null]],
  ])("case 8: S5, S6 refuses nonsense as %s and names the field", (field, values) => {
    for (const value of values) {
      expect(() => checkRetryPolicy({ [field]: value })).toThrow(`Cannot use retryPolicy.${field}`);
      expect(() => onDefaults({ [field]: value })).toThrow(`Cannot use retryPolicy.${field}`);
    }
  });

  it("S9 refuses a maximumInterval below the initialInterval beside it", () => {
    const rule = "it must be at least the initial interval of 2000 ms";
    expect(() => checkRetryPolicy({ initialInterval: "2s", maximumInterval: "1s" })).toThrow(
      new RangeError(`Cannot use retryPolicy.maximumInterval as ${rule}: current value is 1000`),
    );
    expect(() => checkRetryPolicy({ initialInterval: "2s", maximumInterval: "2s" })).not.toThrow();
  });
});

describe("resolveRetryPolicy", () => {
  it("has the documented defaults", () => {
    const expected = {
      initialIntervalMs: 1_000,
      backoffCoefficient: 2,
      maximumIntervalMs: 60_000,
      maximumAttempts: 20,
      jitter: 0,
      nonRetryableErrors: [],
    };
    expect(DEFAULT_RETRY_POLICY).toStrictEqual(expected);
    expect(onDefaults(undefined)).toStrictEqual(expected);
    expect(onDefaults({})).toStrictEqual(expected);
    expect(Object.isFrozen(DEFAULT_RETRY_POLICY)).toBe(true);
  });

  it("S7 replaces both limits by the one declared", () => {
    const byDuration = onDefaults({ maximumDuration: "1m" });
    expect(byDuration.maximumDurationMs).toBe(60_000);
    expect(byDuration).not.toHaveProperty("maximumAttempts");
    const byAttempts = resolveRetryPolicy({ maximumAttempts: 3 }, byDuration);
    expect(byAttempts.maximumAttempts).toBe(3);
    expect(byAttempts).not.toHaveProperty("maximumDurationMs");
    const both = resolveRetryPolicy({ maximumAttempts: 4, maximumDuration: "2m" }, byAttempts);
    expect(both).toMatchObject({ maximumAttempts: 4, maximumDurationMs: 120_000 });
  });

  it("S8 keeps both limits where none is declared", () => {
    const both = onDefaults({ maximumAttempts: 4, maximumDuration: "2m" });
    const silent: RetryPolicy[] = [{}, { initialInterval: "2s" }, { maximumAttempts: undefined }, { jitter: 1 }];
    for (const declared of silent) {
      expect(resolveRetryPolicy(declared, both)).toMatchObject({ maximumAttempts: 4, maximumDurationMs: 120_000 });
    }
  });

  it("S9 lifts an undeclared maximumInterval to the effective initialInterval", () => {
    expect(onDefaults({ initialInterval: "2m" }).maximumIntervalMs).toBe(120_000);
    expect(onDefaults({ initialInterval: "2s" }).maximumIntervalMs).toBe(60_000);
  });

  it("S9 refuses a declared maximumInterval below an inherited initialInterval", () => {
    const inherited = onDefaults({ initialInterval: "5s" });
    const rule = "it must be at least the initial interval of 5000 ms";
    expect(() => resolveRetryPolicy({ maximumInterval: "4s" }, inherited)).toThrow(
      new RangeError(`Cannot use retryPolicy.maximumInterval as ${rule}: current value is 4000`),
    );
    expect(() => resolveRetryPolicy({ maximumInterval: 500 }, DEFAULT_RETRY_POLICY, "policy")).toThrow(
      "Cannot use policy.maximumInterval as",
    );
    const lower = resolveRetryPolicy({ initialInterval: 0, maximumInterval: 500 }, inherited);
    expect(lower).toMatchObject({ initialIntervalMs: 0, maximumIntervalMs: 500 });
  });

  it("is frozen and shares nothing with what it was made of", () => {
    const inherited: ResolvedRetryPolicy = { ...DEFAULT_RETRY_POLICY, nonRetryableErrors: ["A"] };
    const policy = resolveRetryPolicy({}, inherited);
    expect(policy).toStrictEqual(inherited);
    expect(policy.nonRetryableErrors).not.toBe(inherited.nonRetryableErrors);
    expect(Object.isFrozen(policy)).toBe(true);
    expect(Object.isFrozen(policy.nonRetryableErrors)).toBe(true);
    expect(resolveRetryPolicy({ nonRetryableErrors: ["B"] }, policy).nonRetryableErrors).toEqual(["B"]);
  });

  it("S24 completes each field from the level below, and is plain JSON", () => {
    const level = fc.record(
      {
        initialInterval: fc.integer({ min: 0, max: 3_600_000 }),
        backoffCoefficient: fc.integer({ min: 1, max: 100 }),
        maximumInterval: fc.integer({ min: 3_600_000, max: 86_400_000 }),
        maximumAttempts: fc.integer({ min: 1, max: 1_000 }),
        maximumDuration: fc.integer({ min: 1, max: 31_536_000_000 }),
        jitter: fc.constantFrom(0, 0.25, 1),
        nonRetryableErrors: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(level, level, (step, workflow) => {
        const inherited = onDefaults(workflow);
        const policy = resolveRetryPolicy(step, inherited);
        const limits = [step, workflow, { maximumAttempts: 20 }].find(
          (candidate) => "maximumAttempts" in candidate || "maximumDuration" in candidate,
        );
        const initial = step.initialInterval ?? workflow.initialInterval ?? 1_000;
        expect(policy.initialIntervalMs).toBe(initial);
        expect(policy.backoffCoefficient).toBe(step.backoffCoefficient ?? workflow.backoffCoefficient ?? 2);
        expect(policy.maximumIntervalMs).toBe(step.maximumInterval ?? Math.max(inherited.maximumIntervalMs, initial));
        expect(policy.jitter).toBe(step.jitter ?? workflow.jitter ?? 0);
        expect(policy.nonRetryableErrors).toEqual(step.nonRetryableErrors ?? workflow.nonRetryableErrors ?? []);
        expect([policy.maximumAttempts, policy.maximumDurationMs]).toEqual([
          limits?.maximumAttempts,
          limits !== undefined && "maximumDuration" in limits ? limits.maximumDuration : undefined,
        ]);
        expect(JSON.parse(JSON.stringify(policy))).toStrictEqual(policy);
      }),
    );
  });
});

describe("runPolicy", () => {
  it("S18 bounds the attempts of a run by 20 where the policy bounds only time", () => {
    const policy = runPolicy(onDefaults({ maximumDuration: "1m" }));
    expect(policy.maximumAttempts).toBe(20);
    expect(policy).not.toHaveProperty("maximumDurationMs");
  });

  it("S47 has the intervals and the attempts of the policy, and no duration or names of errors", () => {
    const declared = { initialInterval: "2s", backoffCoefficient: 3, maximumInterval: "9s", jitter: 0.5 } as const;
    const limits = { maximumAttempts: 7, maximumDuration: "1h", nonRetryableErrors: ["TypeError"] } as const;
    const policy = runPolicy(onDefaults({ ...declared, ...limits }));
    expect(policy).toStrictEqual({
      initialIntervalMs: 2_000,
      backoffCoefficient: 3,
      maximumIntervalMs: 9_000,
      maximumAttempts: 7,
      jitter: 0.5,
      nonRetryableErrors: [],
    });
    expect(Object.isFrozen(policy)).toBe(true);
  });
});
