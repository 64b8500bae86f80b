import { describe, expect, it } from "vitest";
import { createDeployment, findWorkflow, latestWorkflow } from "../../src/execution/deployment.ts";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { definitionOf, defineWorkflow, specificationOf, staticSchema } from "../../src/execution/workflow.ts";
import { defineWorkflowSpec } from "../../src/execution/workflow-spec.ts";
import { MemoryHost } from "../support/memory-host.ts";

const output = staticSchema<{ sum: number }>();
const spec = defineWorkflowSpec({ name: "tree", version: "2", output, deadline: "1h" });

describe("defineWorkflowSpec", () => {
  it("is a frozen workflow without code", () => {
    expect(spec).toEqual({ name: "tree", version: "2", spec: true });
    expect(Object.isFrozen(spec)).toBe(true);
    expect(definitionOf(spec)).toBeUndefined();
    expect(specificationOf(spec)).toMatchObject({ name: "tree", deadlineMs: 3_600_000 });
    expect(specificationOf({ name: "tree" })).toBeUndefined();
    expect(specificationOf(undefined)).toBeUndefined();
  });

  it("needs an output schema, and checks the rest as defineWorkflow does", () => {
    const make = (options: object) => () => defineWorkflowSpec(options as { name: string; output: typeof output });
    expect(make({ name: "x" })).toThrow(TypeError);
    expect(make({ name: "x" })).toThrow("Cannot use output as the spec of x must have an output schema");
    expect(make({ name: "X", output })).toThrow(RangeError);
    expect(make({ name: "x", output, colour: 1 })).toThrow("Cannot use options.colour as ");
    expect(make({ name: "x", output, deadline: "366d" })).toThrow("Cannot use deadline as ");
  });

  it("gets its code from defineWorkflow, with all of its terms", async () => {
    const tree = defineWorkflow(spec, async () => ({ sum: 3 }));
    expect(tree).toEqual({ name: "tree", version: "2" });
    expect(definitionOf(tree)).toMatchObject({ name: "tree", version: "2", output, deadlineMs: 3_600_000 });
    const host = new MemoryHost({ workflows: [tree] });
    const probe = await host.start(spec);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: { sum: 3 } });
    expect((await probe.view()).deadlineAt).toBe(3_600_000);
    expect(findWorkflow(createDeployment({ workflows: [tree] }), spec.name, spec.version)).toBe(tree);
    expect(latestWorkflow(createDeployment({ workflows: [tree] }), spec.name)).toBe(tree);
  });

  it("refuses code that is none", () => {
    expect(() => defineWorkflow(spec, 5 as never)).toThrow("Cannot define tree as its code must be a function");
  });

  it("S60: is refused as a registered workflow, with the way to mend it", () => {
    const create = () => createDeployment({ workflows: [spec] });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(
      "Cannot use workflows[0] as a workflow must have its code, which defineWorkflow(spec, run) gives it: " +
        "current value is the spec of tree",
    );
  });
});

describe("executionRef", () => {
  it("is plain, frozen data, from a workflow, its spec or its name", () => {
    const ref = { workflow: "tree", id: "t-1" };
    expect(executionRef(spec, "t-1")).toEqual(ref);
    expect(
      executionRef(
        defineWorkflow(spec, async () => ({ sum: 1 })),
        "t-1",
      ),
    ).toEqual(ref);
    expect(executionRef("tree", "t-1")).toEqual(ref);
    expect(Object.isFrozen(executionRef("tree", "t-1"))).toBe(true);
    expect(executionRef("tree", "x".repeat(128)).id).toHaveLength(128);
  });

  it.each([
    { given: ["Tree", "x"], errorClass: RangeError, field: "name" },
    { given: [5, "x"], errorClass: TypeError, field: "name" },
    { given: [null, "x"], errorClass: TypeError, field: "name" },
    { given: ["tree", ""], errorClass: RangeError, field: "the id of an execution" },
    { given: ["tree", ".."], errorClass: RangeError, field: "the id of an execution" },
    { given: ["tree", "a/b"], errorClass: RangeError, field: "the id of an execution" },
    { given: ["tree", "x".repeat(129)], errorClass: RangeError, field: "the id of an execution" },
    { given: ["tree", 5], errorClass: TypeError, field: "the id of an execution" },
  ])("case 206: refuses $given", ({ given: [workflow, id], errorClass, field }) => {
    const make = () => executionRef(workflow as string, id as string);
    expect(make).toThrow(errorClass);
    expect(make).toThrow(`Cannot use ${field} as `);
  });
});
