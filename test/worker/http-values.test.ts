import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { decodeParsed, encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { serveApp } from "../support/served-app.ts";

/** JSON whose values keep their kinds. */
const VALUES = "application/vnd.stepwell+json";
const WAIT = { prefer: "wait=10" };
const AT = Date.UTC(2026, 5, 15, 12);

function cyclic(): unknown {
  const value: Record<string, unknown> = { name: "a/b" };
  value["a/b"] = { back: value, self: [] };
  (value["a/b"] as { self: unknown[] }).self.push(value["a/b"]);
  return value;
}

/** Each kind of value, and how plain JSON has it. */
const KINDS: readonly (readonly [string, () => unknown, unknown])[] = [
  ["a text", () => "é🦁", "é🦁"],
  ["null", () => null, null],
  ["a boolean", () => false, false],
  ["a number", () => 1.5, 1.5],
  ["a negative zero", () => -0, 0],
  ["NaN", () => Number.NaN, "NaN"],
  ["Infinity", () => Number.POSITIVE_INFINITY, "Infinity"],
  ["a negative Infinity", () => Number.NEGATIVE_INFINITY, "-Infinity"],
  ["a bigint", () => 2n ** 70n, "1180591620717411303424"],
  ["a Date", () => new Date(AT), "2026-06-15T12:00:00.000Z"],
  [
    "a Map",
    () =>
      new Map<unknown, unknown>([
        ["a", 1n],
        [new Date(AT), new Set([2])],
      ]),
    [
      ["a", "1"],
      ["2026-06-15T12:00:00.000Z", [2]],
    ],
  ],
  ["a Set", () => new Set([1, "two"]), [1, "two"]],
  ["bytes", () => new Uint8Array([0, 127, 255]), "AH//"],
  ["a buffer", () => new Uint8Array([1, 2]).buffer, "AQI="],
  ["a RegExp", () => /a\/b/giu, "/a\\/b/giu"],
  ["a URL", () => new URL("https://example.com/a?b=c"), "https://example.com/a?b=c"],
  ["an error", () => new RangeError("too far"), { name: "RangeError", message: "too far" }],
  ["a field that is undefined", () => ({ a: undefined, b: 1 }), { b: 1 }],
  ["an element that is undefined", () => [undefined, 1], [null, 1]],
  ["a cycle", cyclic, { name: "a/b", "a/b": { back: { $ref: "" }, self: [{ $ref: "/a~1b" }] } }],
];

const kinds = defineWorkflow({ name: "kinds", input: z.string() }, async ({ input, step, setProgress }) => {
  const make = KINDS.find(([name]) => name === input)?.[1];
  if (make === undefined) throw new Error("There is no such kind.");
  setProgress(make());
  return await step.run("make", () => make());
});

const echo = defineWorkflow(
  { name: "echo", input: z.any(), signals: { next: z.any() }, errors: { BAD: z.any() } },
  async ({ input, awaitSignal, errors }) => {
    const { value } = await awaitSignal("next");
    if (value === undefined) throw errors.BAD({ input });
    return { input, value };
  },
);

const { send } = serveApp({ workflows: [kinds, echo] });

function flat(value: unknown): unknown {
  return JSON.parse(encodeValue(value, LIMITS.valueBytes));
}

async function runKind(name: string, index: number): Promise<string> {
  const id = `kind-${index}`;
  const start = await send("/v1/workflows/kinds/executions", { json: { id, input: name }, headers: WAIT });
  expect(start.body["state"]).toBe("completed");
  return `/v1/workflows/kinds/executions/${id}`;
}

describe("a value in plain JSON", () => {
  it.each(KINDS.map(([name, , plain], index) => [name, index, plain] as const))(
    "is readable in results, views and journals: %s",
    async (name, index, plain) => {
      const path = await runKind(name, index);
      const result = await send(`${path}/result`);
      expect(result.headers.get("content-type")).toBe("application/json");
      expect(result.body).toEqual({ kind: "completed", value: plain });
      expect((await send(path)).body["progress"]).toEqual(plain);
      const { body } = await send(`${path}/journal`);
      const entries = body["entries"] as readonly { readonly type: string; readonly value?: unknown }[];
      const found = entries.filter(({ type }) => ["progress", "step-completed", "completed"].includes(type));
      expect(found.map(({ value }) => value)).toEqual([plain, plain, plain]);
    },
  );

  it("is left out of a result where it is undefined", async () => {
    const path = "/v1/workflows/echo/executions/undefined-details";
    await send("/v1/workflows/echo/executions", { json: { id: "undefined-details" } });
    await send(`${path}/signals/next`, { method: "POST" });
    const { body } = await send(`${path}/result`, { headers: WAIT });
    expect(body).toEqual({ kind: "failed", declared: true, code: "BAD", message: "BAD", details: {} });
  });
});

describe(`a value in ${VALUES}`, () => {
  it.each(KINDS.map(([name, make], index) => [name, index + 100, make] as const))(
    "is what it was: %s",
    async (name, index, make) => {
      const path = await runKind(name, index);
      const { headers, body } = await send(`${path}/result`, { headers: { accept: VALUES } });
      expect(headers.get("content-type")).toBe(VALUES);
      expect(body["kind"]).toBe("completed");
      expect(decodeParsed(body["value"])).toStrictEqual(make());
      const view = await send(path, { headers: { accept: VALUES } });
      expect(decodeParsed(view.body["progress"])).toStrictEqual(make());
    },
  );

  it("arrives as what it is in the input of a start and as a signal, and comes back in details", async () => {
    const sent = new Map<unknown, unknown>([
      [1n, new Date(AT)],
      ["bytes", new Uint8Array([1, 2, 255])],
    ]);
    const types = { "content-type": VALUES, accept: VALUES };
    const path = "/v1/workflows/echo/executions";
    const started = async (id: string) => {
      const body = JSON.stringify({ id, input: flat(sent) });
      expect((await send(path, { body, headers: types })).status).toBe(201);
    };
    await started("e1");
    const signal = { body: JSON.stringify(flat(new Set([sent]))), headers: types };
    expect((await send(`${path}/e1/signals/next`, signal)).status).toBe(202);
    const result = await send(`${path}/e1/result`, { headers: { ...WAIT, accept: VALUES } });
    expect(decodeParsed(result.body["value"])).toStrictEqual({ input: sent, value: new Set([sent]) });
    await started("e2");
    await send(`${path}/e2/signals/next`, { method: "POST" });
    const failed = await send(`${path}/e2/result`, { headers: { ...WAIT, accept: VALUES } });
    expect(failed.body).toMatchObject({ kind: "failed", code: "BAD" });
    expect(decodeParsed(failed.body["details"])).toStrictEqual({ input: sent });
  });

  it("is the same start in both forms where plain JSON can say it", async () => {
    const path = "/v1/workflows/echo/executions";
    const plain = await send(path, { json: { id: "same", input: { b: [1, null], a: "x" } } });
    const body = JSON.stringify({ id: "same", input: flat({ a: "x", b: [1, null] }) });
    const again = await send(path, { body, headers: { "content-type": VALUES } });
    expect([plain.status, again.status]).toEqual([201, 200]);
  });

  it("answers with a large value by its link, whole", async () => {
    const path = "/v1/workflows/echo/executions";
    const sent = new Uint8Array(100_000).fill(200);
    const body = JSON.stringify({ id: "large", input: flat(sent) });
    await send(path, { body, headers: { "content-type": VALUES } });
    const { body: page } = await send(`${path}/large/journal?limit=1`);
    const [entry] = page["entries"] as readonly {
      readonly input: { readonly $value: string; readonly length: number };
    }[];
    const link = entry?.input.$value ?? "";
    expect(link).toBe(`${path}/large/journal/0/value`);
    const { text } = await send(link, { headers: { accept: VALUES } });
    const value = decodeParsed(JSON.parse(text));
    expect(value instanceof Uint8Array && value.length === 100_000 && value.every((byte) => byte === 200)).toBe(true);
    const plain = JSON.parse((await send(link)).text) as string;
    expect(plain.length).toBe(4 * Math.ceil(100_000 / 3));
  });
});
