import { describe, expect, it } from "vitest";
import { createDeployment, findWorkflow, latestWorkflow } from "../../src/execution/deployment.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { DEFAULT_RETRY_POLICY } from "../../src/steps/retry-policy.ts";

const run = async () => 1;
const order = defineWorkflow({ name: "order" }, run);
const orderV1 = defineWorkflow({ name: "order", version: "1" }, run);
const orderV2 = defineWorkflow({ name: "order", version: "2" }, run);

describe("createDeployment", () => {
  it("S59: completes what is left out from the defaults", () => {
    expect(createDeployment({ workflows: [order] })).toEqual({
      workflows: [order],
      retryPolicy: DEFAULT_RETRY_POLICY,
      stepTimeoutMs: 60_000,
      maximumRetryAfterMs: 3_600_000,
      maximumValueBytes: 8 * 1_024 * 1_024,
      retentionMs: 7 * 86_400_000,
      schedules: [],
    });
  });

  it("takes what is declared, in any form of a duration", () => {
    const onEvent = () => {};
    const deployment = createDeployment({
      workflows: [order],
      retryPolicy: { maximumAttempts: 3 },
      stepTimeout: "5s",
      maximumRetryAfter: "365d",
      maximumValueBytes: 16 * 1_024 * 1_024,
      retention: 3_600_000,
      onEvent,
    });
    expect(deployment).toMatchObject({
      retryPolicy: { maximumAttempts: 3, initialIntervalMs: 1_000 },
      stepTimeoutMs: 5_000,
      maximumRetryAfterMs: 365 * 86_400_000,
      maximumValueBytes: 16 * 1_024 * 1_024,
      retentionMs: 3_600_000,
    });
    expect(deployment.onEvent).toBe(onEvent);
  });

  it("S59: is a frozen copy", () => {
    const workflows = [order];
    const deployment = createDeployment({ workflows });
    workflows.push(orderV1);
    expect(deployment.workflows).toEqual([order]);
    expect([deployment, deployment.workflows, deployment.retryPolicy].every(Object.isFrozen)).toBe(true);
  });

  it.each([
    [{ workflows: [order], colour: 1 }, TypeError, "options.colour"],
    [{}, TypeError, "workflows"],
    [{ workflows: [] }, TypeError, "workflows"],
    [{ workflows: order }, TypeError, "workflows"],
    [{ workflows: [order, { name: "x" }] }, TypeError, "workflows[1]"],
    [{ workflows: [undefined] }, TypeError, "workflows[0]"],
    [{ workflows: [order, order] }, TypeError, "workflows"],
    [{ workflows: [orderV1, orderV2, orderV1] }, TypeError, "workflows"],
    [{ workflows: [order], retryPolicy: { maximumAttempts: 0 } }, RangeError, "retryPolicy.maximumAttempts"],
    [{ workflows: [order], retryPolicy: null }, TypeError, "retryPolicy"],
    [{ workflows: [order], stepTimeout: "11m" }, RangeError, "stepTimeout"],
    [{ workflows: [order], stepTimeout: 999 }, RangeError, "stepTimeout"],
    [{ workflows: [order], maximumRetryAfter: "366d" }, RangeError, "maximumRetryAfter"],
    [{ workflows: [order], maximumRetryAfter: -1 }, RangeError, "maximumRetryAfter"],
    [{ workflows: [order], maximumValueBytes: 0 }, RangeError, "maximumValueBytes"],
    [{ workflows: [order], maximumValueBytes: 1.5 }, RangeError, "maximumValueBytes"],
    [{ workflows: [order], maximumValueBytes: Number.NaN }, RangeError, "maximumValueBytes"],
    [{ workflows: [order], maximumValueBytes: 16 * 1_024 * 1_024 + 1 }, RangeError, "maximumValueBytes"],
    [{ workflows: [order], maximumValueBytes: "8MiB" }, TypeError, "maximumValueBytes"],
    [{ workflows: [order], retention: "59m" }, RangeError, "retention"],
    [{ workflows: [order], retention: "366d" }, RangeError, "retention"],
    [{ workflows: [order], onEvent: "log" }, TypeError, "onEvent"],
  ])("S60: refuses %j", (options, errorClass, field) => {
    const create = () => createDeployment(options);
    expect(create).toThrow(errorClass);
    expect(create).toThrow(`Cannot use ${field} as `);
    expect(create).toThrow(": current value ");
  });

  it("S60: refuses a workflow whose policy does not fit on top of the deployment's", () => {
    const quick = defineWorkflow({ name: "quick", retryPolicy: { maximumInterval: "5s" } }, run);
    expect(() => createDeployment({ workflows: [order, quick], retryPolicy: { initialInterval: "10s" } })).toThrow(
      "Cannot use workflows[1].retryPolicy.maximumInterval as ",
    );
    expect(() => createDeployment({ workflows: [order, quick] })).not.toThrow();
  });

  it("takes several versions of one name, one of them without a version", () => {
    const deployment = createDeployment({ workflows: [orderV1, order, orderV2] });
    expect(findWorkflow(deployment, "order")).toBe(order);
    expect(findWorkflow(deployment, "order", "1")).toBe(orderV1);
    expect(findWorkflow(deployment, "order", "3")).toBeUndefined();
    expect(latestWorkflow(deployment, "order")).toBe(orderV2);
  });

  it("finds nothing under a name that is not registered, or without a version where all have one", () => {
    const deployment = createDeployment({ workflows: [orderV1] });
    expect(findWorkflow(deployment, "order")).toBeUndefined();
    expect(findWorkflow(deployment, "toString")).toBeUndefined();
    expect(latestWorkflow(deployment, "toString")).toBeUndefined();
  });

  it("takes a workflow with any Standard Schema", () => {
    const typed = defineWorkflow({ name: "typed", input: staticSchema<{ n: number }>() }, async ({ input }) => input.n);
    expect(createDeployment({ workflows: [typed] }).workflows).toEqual([typed]);
  });
});
