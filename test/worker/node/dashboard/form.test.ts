import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Draft, draftOf, readDraft, readJson } from "../../../../src/worker/dashboard/model/form-draft.ts";
import { fieldOf, type JsonSchema } from "../../../../src/worker/dashboard/model/form-field.ts";

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema) as JsonSchema;
const label = { label: "Input" };
const written = (text: string): Draft => ({ kind: "written", text });

const order = z.object({
  sku: z.string().describe("What is ordered"),
  cents: z.int(),
  express: z.boolean().optional(),
  size: z.enum(["s", "m"]).optional(),
  lines: z.array(z.object({ note: z.string() })),
  address: z.object({ city: z.string(), floor: z.number() }).optional(),
});

describe("a form", () => {
  it("has a field for everything that the schema names", () => {
    const field = fieldOf(jsonSchema(order), label);
    expect(field.kind).toBe("object");
    const kinds =
      field.kind === "object" ? field.fields.map(([name, { kind, isRequired }]) => [name, kind, isRequired]) : [];
    expect(kinds).toEqual([
      ["sku", "text", true],
      ["cents", "number", true],
      ["express", "boolean", false],
      ["size", "choice", false],
      ["lines", "list", true],
      ["address", "object", false],
    ]);
  });

  it.each([
    ["no schema", undefined],
    ["anything", {}],
    ["a union", { anyOf: [{ type: "string" }, { type: "null" }] }],
    ["a record", { type: "object", additionalProperties: { type: "string" } }],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }], items: {} }],
    ["a reference to nowhere", { $ref: "#/$defs/gone" }],
    ["a reference to elsewhere", { $ref: "https://example.com/schema" }],
  ])("leaves %s to JSON", (_, schema) => {
    expect(fieldOf(schema, label).kind).toBe("json");
  });

  it("follows references within the schema, and stops where that speaks of itself", () => {
    const tree = {
      $defs: { tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" } } } },
      $ref: "#/$defs/tree",
    };
    let field = fieldOf(tree, label);
    let depth = 0;
    while (field.kind === "object") {
      depth += 1;
      field = field.fields[0]?.[1] ?? field;
    }
    expect([depth, field.kind]).toEqual([6, "json"]);
  });

  it("gives back the value that it was filled with", () => {
    const values = fc.record(
      {
        sku: fc.string(),
        cents: fc.integer(),
        express: fc.boolean(),
        size: fc.constantFrom("s", "m"),
        lines: fc.array(fc.record({ note: fc.string() })),
        address: fc.record({
          city: fc.string(),
          floor: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
        }),
      },
      { requiredKeys: ["sku", "cents", "lines"] },
    );
    const field = fieldOf(jsonSchema(order), label);
    fc.assert(
      fc.property(values, (value) => {
        expect(readDraft(field, draftOf(field, value))).toEqual({ kind: "value", value });
        expect(order.safeParse(value).success).toBe(true);
      }),
    );
  });

  it("says of every field what is wrong with it", () => {
    const field = fieldOf(jsonSchema(order), label);
    const draft = draftOf(field, { sku: "lamp", lines: [{ note: "x" }] });
    const parts = draft.kind === "parts" ? draft.parts : {};
    const wrong: Draft = {
      kind: "parts",
      parts: { ...parts, cents: written("1.5"), address: { kind: "parts", parts: { floor: written("high") } } },
    };
    expect(readDraft(field, wrong)).toEqual({
      kind: "issues",
      issues: [
        { path: "cents", message: "must be a whole number" },
        { path: "address.floor", message: "must be a number" },
      ],
    });
    expect(readDraft(field, draft)).toEqual({ kind: "issues", issues: [{ path: "cents", message: "must be there" }] });
  });

  it("leaves out what need not be there and was not written", () => {
    const field = fieldOf(jsonSchema(z.object({ a: z.string().optional(), b: z.array(z.string()).optional() })), label);
    expect(readDraft(field, draftOf(field, undefined))).toEqual({ kind: "value", value: {} });
  });

  it("asks for no value that has a default", () => {
    const field = fieldOf(jsonSchema(z.object({ tiles: z.int().default(20) })), label);
    expect(readDraft(field, draftOf(field, undefined))).toEqual({ kind: "value", value: {} });
  });

  it("says where JSON cannot be read", () => {
    expect(readJson('{"a":1}')).toEqual({ kind: "value", value: { a: 1 } });
    expect(readJson("{", "notes")).toMatchObject({ kind: "issues", issues: [{ path: "notes" }] });
    expect(readDraft(fieldOf({}, label), written(""))).toEqual({ kind: "nothing" });
  });

  it("takes a choice by its value, whatever kind it has", () => {
    const field = fieldOf({ enum: ["a", 2, null] }, label);
    for (const value of ["a", 2, null])
      expect(readDraft(field, draftOf(field, value))).toEqual({ kind: "value", value });
    expect(draftOf(field, "b")).toEqual(written(""));
  });
});
