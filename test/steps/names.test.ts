import { describe, expect, it } from "vitest";
import {
  checkExecutionId,
  checkPatchId,
  checkSignalName,
  checkWorkflowName,
  nameOccurrence,
} from "../../src/steps/names.ts";

describe("nameOccurrence", () => {
  it("numbers every occurrence but the first", () => {
    expect([1, 2, 3].map((occurrence) => nameOccurrence("ship", occurrence))).toEqual(["ship", "ship#2", "ship#3"]);
  });
});

describe("checkWorkflowName", () => {
  it.each(["a", "order", "ship-order-2", "2-step", "a".repeat(64)])("takes %s", (name) => {
    expect(checkWorkflowName(name)).toBe(name);
  });

  it.each(["", "a".repeat(65), "Order", "ship_order", "-a", "a-", "a--b", "a b", "a/b", "é", "a\n"])(
    "refuses %j",
    (name) => {
      expect(() => checkWorkflowName(name)).toThrow(RangeError);
      expect(() => checkWorkflowName(name)).toThrow("Cannot use name as it must be kebab-case, 1 to 64 characters:");
    },
  );

  it.each([undefined, null, 5, ["order"], { name: "order" }])("refuses %o as no string", (name) => {
    expect(() => checkWorkflowName(name)).toThrow(TypeError);
  });
});

describe("checkPatchId", () => {
  it.each(["a", "notify first: 2", "é", "a".repeat(128)])("takes %s", (id) => {
    expect(checkPatchId(id)).toBe(id);
  });

  it.each(["", "a".repeat(129)])("refuses %j", (id) => {
    expect(() => checkPatchId(id)).toThrow(RangeError);
    expect(() => checkPatchId(id)).toThrow("Cannot use the id of patched as it must be a string of 1 to 128");
  });

  it.each([undefined, null, 5, ["a"]])("refuses %o as no string", (id) => {
    expect(() => checkPatchId(id)).toThrow(TypeError);
  });
});

describe("checkExecutionId", () => {
  it.each(["a", "order-42", "Order.v2~x_y-z", "...", "a".repeat(128)])("takes %s", (id) => {
    expect(checkExecutionId(id)).toBe(id);
  });

  it.each(["", ".", "..", "a".repeat(129), "a b", "a/b", "é", "a%20", "a\n"])("refuses %j", (id) => {
    expect(() => checkExecutionId(id)).toThrow(RangeError);
    expect(() => checkExecutionId(id)).toThrow("Cannot use the id of an execution as it must be 1 to 128 of");
  });

  it.each([undefined, null, 5, ["order"]])("refuses %o as no string", (id) => {
    expect(() => checkExecutionId(id)).toThrow(TypeError);
  });
});

describe("checkSignalName", () => {
  it.each(["a", "approval", "Approved.v2~x_y-z", "a".repeat(128)])("S52 takes %s", (name) => {
    expect(checkSignalName(name)).toBe(name);
  });

  it.each(["", "a".repeat(129), "a b", "a/b", "é", "a%20", "a\n"])("S52 refuses %j", (name) => {
    expect(() => checkSignalName(name)).toThrow(RangeError);
    expect(() => checkSignalName(name)).toThrow("Cannot use the name of a signal as it must be 1 to 128 of");
  });

  it.each([undefined, null, 5, ["approval"]])("refuses %o as no string", (name) => {
    expect(() => checkSignalName(name)).toThrow(TypeError);
  });
});
