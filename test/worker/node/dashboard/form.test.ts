import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { canSay, type Draft, draftOf, readDraft, readJson } from "../../../../src/worker/dashboard/model/form-draft.ts";
import { fieldOf, type JsonSchema } from "../../../../src/worker/dashboard/model/form-field.ts";

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
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
    ["what has to fit several schemas", { allOf: [{ type: "string" }] }],
    ["a union with more to it", { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
    ["an object of any keys", { type: "object" }],
    ["keys that are known beside others", jsonSchema(z.looseObject({ a: z.string() }))],
    ["a tuple with others after it", jsonSchema(z.tuple([z.string()], z.number()))],
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

  it.each([
    ["a union", z.union([z.string(), z.int(), z.boolean(), z.array(z.string())]), ["a", "5", 5, true, [], ["b"]]],
    ["what may be null", z.object({ note: z.string().nullable() }), [{ note: null }, { note: "" }, { note: "null" }]],
    ["a record", z.record(z.string(), z.int()), [{}, { a: 1, "b c": 2 }]],
    ["a tuple", z.tuple([z.string(), z.number()]), [["a", 1.5]]],
    ["literals", z.union([z.literal("a"), z.literal(2), z.null()]), ["a", 2, null]],
    ["a list of records", z.array(z.record(z.string(), z.boolean())), [[], [{ on: true }, {}]]],
    [
      "a union told apart by a key",
      z.discriminatedUnion("by", [
        z.object({ by: z.literal("card"), number: z.string() }),
        z.object({ by: z.literal("invoice"), address: z.object({ city: z.string() }).optional() }),
      ]),
      [{ by: "card", number: "4242" }, { by: "invoice" }, { by: "invoice", address: { city: "Rome" } }],
    ],
  ] as const)("gives back every value of %s", (_, schema, values) => {
    const field = fieldOf(jsonSchema(schema), label);
    for (const value of values) {
      expect([value, canSay(field, value)]).toEqual([value, true]);
      expect(readDraft(field, draftOf(field, value))).toEqual({ kind: "value", value });
    }
  });

  it("names the variants of a union by a title, a key with one value, or what they are", () => {
    const labels = (schema: JsonSchema) => {
      const field = fieldOf(schema, label);
      return field.kind === "union" ? field.variants.map((variant) => variant.label) : field.kind;
    };
    expect(labels(jsonSchema(z.union([z.string(), z.null(), z.array(z.int())])))).toEqual(["a text", "null", "a list"]);
    const card = z.object({ by: z.literal("card"), number: z.string() });
    const titled = z.object({ iban: z.string() }).meta({ title: "Transfer" });
    const untitled = z.object({ street: z.string(), city: z.string() });
    expect(labels(jsonSchema(z.union([card, titled, untitled])))).toEqual([
      'by: "card"',
      "Transfer",
      "an object with street, city",
    ]);
    expect(labels({ anyOf: [{ type: "string" }] })).toBe("text");
  });

  it("says what is missing of a union, a record and a tuple", () => {
    const union = fieldOf(jsonSchema(z.union([z.string(), z.int()])), label);
    expect(readDraft(union, draftOf(union, undefined))).toEqual({
      kind: "issues",
      issues: [{ path: "", message: "must be there" }],
    });
    expect(readDraft({ ...union, isRequired: false }, draftOf(union, undefined))).toEqual({ kind: "nothing" });
    const number: Draft = { kind: "variant", variant: 1, draft: written("x") };
    expect(readDraft(union, number, "size")).toMatchObject({ issues: [{ path: "size", message: "must be a number" }] });
    const record = fieldOf(jsonSchema(z.record(z.string(), z.int())), label);
    const pairs = (...keys: readonly string[]): Draft => ({
      kind: "pairs",
      pairs: keys.map((key) => [key, written("1")]),
    });
    expect(readDraft(record, pairs("a", "a"))).toMatchObject({ issues: [{ path: "a" }] });
    expect(readDraft(record, pairs(""))).toMatchObject({ issues: [{ message: "must have a key for each value" }] });
    const tuple = fieldOf(jsonSchema(z.tuple([z.string(), z.int()])), label);
    expect(readDraft(tuple, draftOf(tuple, ["a"]), "pair")).toMatchObject({ issues: [{ path: "pair[1]" }] });
  });

  it("knows which values it has no place for, and would send as others", () => {
    const field = fieldOf(jsonSchema(order), label);
    const value = { sku: "lamp", cents: 1, lines: [] };
    expect(canSay(field, value)).toBe(true);
    expect(canSay(field, { ...value, colour: "red" })).toBe(false);
    expect(canSay(field, { ...value, cents: "1" })).toBe(false);
    expect(canSay(field, { ...value, sku: 5 })).toBe(false);
    expect(canSay(field, "lamp")).toBe(false);
    expect(canSay(fieldOf(jsonSchema(z.object({ note: z.string().optional() })), label), { note: "" })).toBe(false);
  });

  it("leaves out an object of which nothing was written but what cannot be otherwise", () => {
    const field = fieldOf(
      jsonSchema(z.object({ pay: z.object({ by: z.literal("card"), number: z.string() }).optional() })),
      label,
    );
    expect(readDraft(field, draftOf(field, undefined))).toEqual({ kind: "value", value: {} });
    expect(canSay(field, { pay: { by: "card", number: "1" } })).toBe(true);
  });

  it("says what stands for a value that is left out", () => {
    const field = fieldOf(jsonSchema(z.object({ tiles: z.int().default(20) })), label);
    expect(field.kind === "object" && field.fields[0]?.[1].otherwise).toBe("20");
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
